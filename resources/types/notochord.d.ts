/** What Notochord hands to a tool: `export default async function (input: unknown, ctx: Context) { … }`. */
export interface Context {
  /** The same text when a step of a procedure runs once more; use it to make an outside effect only once. */
  readonly idempotencyKey: string;
  readonly files: Files;
  readonly storage: Storage;
  /** There only when the tool has the network permission. */
  readonly http: Http;
  /** There only when the tool may use the user's model, which may cost the user money. */
  readonly llm: Llm;
}

/** A failure that the program reports; the message begins with the code. */
export interface HostError extends Error {
  readonly code: string;
}

export type Encoding = "utf8" | "base64";

export interface FileEntry {
  readonly name: string;
  readonly type: "file" | "folder";
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/**
 * The folder of this run, and with the prefix `workspace:` the folder of the conversation. At most 20 MB are read or
 * written at once.
 */
export interface Files {
  list(path?: string): Promise<FileEntry[]>;
  stat(path: string): Promise<FileEntry | null>;
  /** `utf8` is the default; a file that is no UTF-8 text has to be read as `base64`. */
  read(path: string, options?: { readonly encoding?: Encoding }): Promise<string>;
  write(path: string, content: string, options?: { readonly encoding?: Encoding }): Promise<void>;
  mkdir(path: string): Promise<void>;
  /** Fails when the target exists. */
  move(from: string, to: string): Promise<void>;
  /** Moves the item to the user's trash. */
  delete(path: string): Promise<void>;
}

export interface Storage {
  readonly kv: KeyValues;
}

/** Small settings of the gem: keys of 1 to 512 characters, values of at most 1 MiB. */
export interface KeyValues {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
}

export interface HttpOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The connection whose secret is added on the way out. */
  readonly connection?: string;
}

export interface CredentialDenied {
  readonly reason: string;
  readonly host: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Tells whether the status is 200 to 299. */
  readonly ok: boolean;
  /** Where the answer came from in the end. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body read as UTF-8. */
  readonly body: string;
  /** There when a connection was named and its secret was not added. */
  readonly credentialDenied?: CredentialDenied;
  text(): Promise<string>;
  json(): Promise<unknown>;
  bytes(): Promise<Uint8Array>;
}

export interface Http {
  fetch(url: string, options?: HttpOptions): Promise<HttpResponse>;
}

export interface LlmMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface LlmOptions {
  /** What the model is told before the question. */
  readonly system?: string;
  /** At most so many tokens are answered: 1 to 65,536. */
  readonly maxOutputTokens?: number;
}

export interface LlmAnswer {
  readonly text: string;
  /** Why the model stopped: `length` when it ran into the limit. */
  readonly finish: "stop" | "length" | "refusal" | "tools";
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The model of the user's `chat` role. */
export interface Llm {
  /**
   * Ask one question, or give a conversation that begins and ends with the user and alternates. At most 200 messages
   * and 1,048,576 characters.
   */
  complete(question: string | readonly LlmMessage[], options?: LlmOptions): Promise<LlmAnswer>;
}
