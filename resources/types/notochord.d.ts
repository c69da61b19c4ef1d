/** What Notochord hands to a tool: `export default async function (input: unknown, ctx: Context) { … }`. */
export interface Context {
  /** The same text when a step of a procedure runs once more; use it to make an outside effect only once. */
  readonly idempotencyKey: string;
  readonly files: Files;
  readonly storage: Storage;
  readonly data: Data;
  readonly extract: Extract;
  /** There only when the manifest declares `resources`. */
  readonly resources: Resources;
  /** There only when the tool has the network permission. */
  readonly http: Http;
  /** There only when the tool may use the user's model, which may cost the user money. */
  readonly llm: Llm;
  /** There only when the tool has the knowledge permission. */
  readonly knowledge: Knowledge;
  /** There only when the tool has the permission to read mail. */
  readonly email: Email;
}

/** What Notochord hands to a draft's tests: `export async function it_works(ctx: TestContext) { … }`. */
export interface TestContext extends Context {
  readonly tools: Tools;
}

/** The tools of the draft itself, called as whoever uses the gem calls them. */
export interface Tools {
  /**
   * Checks the arguments against the tool's schema and runs it with its own permissions, `.wasm` tools too. A run that
   * leaves files gives `{ output, folder }`.
   */
  call<Result = unknown>(name: string, input?: object): Promise<Result>;
}

/**
 * What Notochord hands to an SOP: `export default async function (input: unknown, ctx: SopContext) { … }`.
 * What is called is written out in the code: `ctx.call("tool.save", { … })`.
 */
export interface SopContext {
  /** Calls a tool or an agent of the same gem; returns its result. */
  call<Result = unknown>(target: `tool.${string}` | `agent.${string}`, given?: object): Promise<Result>;
  call(target: "storage.kv.get", given: { key: string }): Promise<string | null>;
  call(target: "storage.kv.set", given: { key: string; value: string }): Promise<{ ok: true }>;
  call(target: "storage.sql.query", given: { sql: string; params?: readonly SqlParameter[] }): Promise<SqlRow[]>;
  call(target: "storage.sql.insert", given: { table: string; row: object }): Promise<{ id: number }>;
  /** Waits for the user's decision; the SOP decides what a rejection means. */
  call(target: "wait.approval", given: { title: string; detail?: string }): Promise<Approval>;
  /** Waits for so many milliseconds, or until a moment in milliseconds since 1970. */
  call(target: "wait.sleep", given: { ms: number } | { until: number }): Promise<{ ok: true }>;
}

export interface Approval {
  readonly approved: boolean;
  readonly comment?: string;
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
  readonly sql: Sql;
}

/** Small settings of the gem: keys of 1 to 512 characters, values of at most 1 MiB. */
export interface KeyValues {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
}

/** What a column holds: an integer beyond 2^53 is a bigint, a BLOB a Uint8Array. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** What can be bound; true and false are stored as 1 and 0. */
export type SqlParameter = SqlValue | boolean;

export interface SqlRow {
  readonly [column: string]: SqlValue;
}

/**
 * SQL on a database of the gem's own, for what `ctx.data` cannot do. Each call is one statement and one transaction:
 * what it wrote is on the disk when it resolves, and nothing of it is there when it rejects. `ATTACH`, `DETACH`,
 * `PRAGMA`, `VACUUM`, `BEGIN` and temporary tables are refused. A call takes at most 10 seconds and gives at most
 * 100,000 rows and 16 MB; the database has at most 256 MB.
 */
export interface Sql {
  /** `params` is an array for `?`, an object for `:name`. */
  query<Row extends object = SqlRow>(
    sql: string,
    params?: readonly SqlParameter[] | { readonly [name: string]: SqlParameter },
  ): Promise<Row[]>;
  /** Adds a row; `id` is its rowid, null in what has none. */
  insert(
    table: string,
    row: { readonly [column: string]: SqlParameter },
  ): Promise<{ readonly id: number | bigint | null }>;
}

export type DocumentFormat = "pdf" | "docx" | "xlsx" | "pptx" | "html" | "csv" | "eml" | "text";

export interface ExtractOptions {
  /** What the document is read as; without it, its content tells, then its name or media type. */
  readonly format?: DocumentFormat;
  /** The encoding of a text, a CSV file or a page that does not state it, such as `shift_jis`. */
  readonly encoding?: string;
}

/** A page, a sheet, a slide, or the whole of a document without such parts, with an empty name. */
export interface ExtractedPart {
  readonly name: string;
  readonly text: string;
  /** The cells of a sheet or a CSV file, as text: nothing is taken for a number or a date that was written as text. */
  readonly rows?: readonly (readonly string[])[];
}

export interface ExtractedAttachment {
  readonly filename: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
}

export interface Extracted {
  readonly format: DocumentFormat;
  /** Empty where there is none; of a mail, its subject. */
  readonly title: string;
  /** All parts, with an empty line between them. */
  readonly text: string;
  readonly parts: readonly ExtractedPart[];
  /** `author`; of a mail `from`, `to`, `cc` and `date`; only those that are there. */
  readonly properties: { readonly [name: string]: string };
  /** Of a mail, without their content. */
  readonly attachments: readonly ExtractedAttachment[];
  /** In English: what was not read, such as scanned pages, or is not certain, such as the encoding. */
  readonly warnings: readonly string[];
  /** Whether something was left out: at most 4,000,000 characters are given. */
  readonly truncated: boolean;
}

/** The text of documents of at most 50 MB: PDF, DOCX, XLSX, PPTX, HTML, CSV, mails (EML), and texts in any encoding. */
export interface Extract {
  /** Reads a file that `ctx.files` reads: of the run's folder, or with `workspace:` of the conversation's. */
  fromFile(path: string, options?: ExtractOptions): Promise<Extracted>;
  /** Fetches a document and reads it; needs the network permission, as `ctx.http.fetch` does. */
  fromUrl(url: string, options?: ExtractOptions): Promise<Extracted>;
}

/** The files that the manifest declares in `resources`. */
export interface Resources {
  /**
   * The absolute path of a file, for `Deno.readFile`, `Deno.readTextFile` or `Deno.open`. A file that is not there yet
   * is downloaded first, however long that takes.
   */
  path(id: string): Promise<string>;
}

/** Any value that JSON has a word for. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** The content of a record or an entry, by the names of the declared fields; null is the same as no field. */
export interface Content {
  readonly [field: string]: JsonValue | undefined;
}

/**
 * The gem's own data: collections and Logs as declared in the manifest, documents, Blobs and the references between
 * them. Everything that reads or writes is asynchronous; every error's message begins with its code.
 */
export interface Data {
  /** A table: records that can be changed and queried. */
  collection<Fields extends object = Content>(name: string): Collection<Fields>;
  /** A Log: entries that are only appended. */
  log<Fields extends object = Content>(name: string): Log<Fields>;
  /** Markdown documents, edited and referenced by block. */
  readonly docs: Documents;
  /** Files, stored once for each content. */
  readonly blobs: Blobs;
  /** References between node ids. */
  readonly refs: References;
  /**
   * Writes that all happen or none. What `work` reads is noted; if any of it has changed when it returns, `work` runs
   * again from the start, at most `maxAttempts` times (1 to 100, 5 by default), then E_DATA_CONFLICT.
   */
  transact<Result>(
    work: (tx: Transaction) => Result | Promise<Result>,
    options?: { readonly maxAttempts?: number },
  ): Promise<Result>;
  /** An id for an insert, to be used in references of the same transaction. */
  newId(): string;
  nodeId(node: NodeParts): Promise<string>;
}

/** Times are milliseconds since 1970; `version` begins with 1 and rises with each write. */
export interface DataRecord<Fields extends object = Content> {
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly data: Fields;
}

export interface Page<Item> {
  readonly items: Item[];
  /** Pass it unchanged to `startAfter` of the same query; absent on the last page. */
  readonly nextCursor?: string;
}

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "array-contains";
export type Direction = "asc" | "desc";

/** A query; each method returns a new one, and nothing runs before `get` or `count`. */
export interface Query<Fields extends object = Content> {
  where(field: string, operator: Operator, value: JsonValue): Query<Fields>;
  orderBy(field: string, direction?: Direction): Query<Fields>;
  /** At most 1000; 100 by default. */
  limit(count: number): Query<Fields>;
  startAfter(cursor: string): Query<Fields>;
  get(): Promise<Page<DataRecord<Fields>>>;
  /** Counts what meets the conditions; order, limit and cursor make no difference. */
  count(): Promise<number>;
}

export interface Collection<Fields extends object = Content> {
  insert(
    data: Fields,
    options?: { readonly id?: string },
  ): Promise<{ readonly id: string; readonly version: number; readonly nodeId: string }>;
  get(id: string): Promise<DataRecord<Fields> | null>;
  get(): Promise<Page<DataRecord<Fields>>>;
  /** Replaces the fields of `patch`; null deletes a field. */
  update(
    id: string,
    patch: { readonly [Name in keyof Fields]?: Fields[Name] | null },
    options?: { readonly ifVersion?: number },
  ): Promise<{ readonly version: number }>;
  delete(id: string, options?: { readonly ifVersion?: number }): Promise<{ readonly deleted: boolean }>;
  where(field: string, operator: Operator, value: JsonValue): Query<Fields>;
  orderBy(field: string, direction?: Direction): Query<Fields>;
  limit(count: number): Query<Fields>;
  startAfter(cursor: string): Query<Fields>;
  count(): Promise<number>;
}

export interface LogEntry<Fields extends object = Content> {
  readonly id: string;
  readonly at: number;
  readonly data: Fields;
}

export interface LogOptions {
  /** Milliseconds since 1970, included, as is `until`. */
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
  /** `desc`, the newest first, is the default. */
  readonly order?: Direction;
  readonly startAfter?: string;
}

export interface Log<Fields extends object = Content> {
  append(entry: Fields): Promise<{ readonly id: string; readonly nodeId: string }>;
  query(options?: LogOptions): Promise<Page<LogEntry<Fields>>>;
}

/** Reads run at once and see nothing of this transaction's writes; writes are collected, at most 500. */
export interface Transaction {
  get<Fields extends object = Content>(collection: string, id: string): Promise<DataRecord<Fields> | null>;
  insert(collection: string, data: object, options?: { readonly id?: string }): void;
  update(collection: string, id: string, patch: object, options?: { readonly ifVersion?: number }): void;
  delete(collection: string, id: string, options?: { readonly ifVersion?: number }): void;
  log(name: string): { append(entry: object): void };
  link(from: string, to: string, kind: string): void;
  unlink(from: string, to: string, kind: string): void;
}

export interface DocumentBlock {
  readonly id: string;
  readonly type: "heading" | "paragraph" | "list" | "code" | "quote" | "table" | "thematic_break" | "html";
  readonly markdown: string;
}

export interface DataDocument {
  readonly id: string;
  readonly title: string;
  /** The whole text without block ids. */
  readonly markdown: string;
  readonly blocks: DocumentBlock[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface BlockIds {
  readonly blockIds: string[];
}

/** Documents are files that are not encrypted; each call is atomic by itself. */
export interface Documents {
  create(
    document: { readonly id?: string; readonly title?: string; readonly markdown: string },
  ): Promise<{ readonly id: string; readonly nodeId: string; readonly blockIds: string[] }>;
  get(id: string): Promise<DataDocument | null>;
  list(
    options?: { readonly limit?: number; readonly startAfter?: string },
  ): Promise<Page<{ readonly id: string; readonly title: string; readonly updatedAt: number }>>;
  update(id: string, markdown: string, options?: { readonly title?: string }): Promise<BlockIds>;
  /** `blockId` null inserts at the beginning. */
  insertAfter(docId: string, blockId: string | null, markdown: string): Promise<BlockIds>;
  replaceBlock(docId: string, blockId: string, markdown: string): Promise<BlockIds>;
  deleteBlock(docId: string, blockId: string): Promise<{ readonly deleted: boolean }>;
  delete(id: string): Promise<{ readonly deleted: boolean }>;
}

/** Files of at most 20 MiB; one that nothing refers to goes seven days after it was last put. */
export interface Blobs {
  put(
    base64: string,
    options?: { readonly mime?: string; readonly name?: string },
  ): Promise<{ readonly hash: string; readonly size: number; readonly nodeId: string }>;
  get(
    hash: string,
  ): Promise<
    { readonly base64: string; readonly mime: string | null; readonly name: string | null; readonly size: number } | null
  >;
  stat(
    hash: string,
  ): Promise<
    | {
      readonly mime: string | null;
      readonly name: string | null;
      readonly size: number;
      readonly createdAt: number;
    }
    | null
  >;
}

export interface Reference {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  /** True while there is no such target. */
  readonly detached: boolean;
  readonly createdAt: number;
}

export interface ReferenceOptions {
  readonly kind?: string;
  readonly limit?: number;
}

export interface References {
  link(from: string, to: string, kind: string): Promise<{ readonly linked: boolean }>;
  unlink(from: string, to: string, kind: string): Promise<{ readonly unlinked: boolean }>;
  /** What points at a node, newest first. */
  backlinks(to: string, options?: ReferenceOptions): Promise<Reference[]>;
  /** What a node points at, newest first. */
  outgoing(from: string, options?: ReferenceOptions): Promise<Reference[]>;
}

export type NodeParts =
  | { readonly kind: "rec"; readonly collection: string; readonly id: string }
  | { readonly kind: "doc"; readonly docId: string; readonly blockId?: string }
  | { readonly kind: "blob"; readonly hash: string }
  | { readonly kind: "log"; readonly name: string; readonly eventId: string };

export interface HttpOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The connection whose secret is added on the way out. */
  readonly connection?: string;
}

export interface CredentialDenied {
  readonly reason:
    /** The account is not registered for this host (with its port). */
    | "host_not_granted"
    | "path_not_granted"
    /** A secret is sent over https only. */
    | "not_https"
    /** The account was deleted, or nobody has signed in to it. */
    | "not_connected"
    /** The service no longer takes the sign-in; the user has to sign in again. */
    | "needs_reauth"
    /** The manifest has no such entry in `connections`. */
    | "not_declared";
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

/** Stands for an object of the knowledge base; another gem's is a different text for the same object. */
export type Ref = string;

/** Milliseconds since 1970, or an ISO date; one without a time stands for the whole day. */
export type Moment = number | string;

export interface TimeRange {
  readonly from?: Moment;
  readonly to?: Moment;
}

/** `diary`, `keep`, or what `collections.list` or `collections.create` returned. */
export type CollectionRef = "diary" | "keep" | Ref;

export type EntityKind = "person" | "org" | "place" | "product" | "event" | "other";
export type IdentifierType = "email" | "phone" | "domain" | "url" | "handle";

/** Of whom a write is said to be; both need the permission `origin.override`. */
export interface Origin {
  readonly origin?: string;
  readonly source?: string;
}

export interface Fact {
  readonly ref: Ref;
  readonly predicate: string;
  readonly value: JsonValue;
  /** The entity that the fact points to. */
  readonly object: Ref | null;
  readonly validFrom: number;
}

export interface NewFact extends Origin {
  /** `self` by default. */
  readonly subject?: "self" | Ref;
  /** A complete predicate, an alias, or a description in words. */
  readonly predicateHint: string;
  readonly value?: JsonValue;
  readonly object?: Ref;
  /** What the predicate means, for one that is new. */
  readonly description?: string;
  /** Points back to a record in the gem's own storage. */
  readonly sourceRef?: string;
  /** Writes that share it can be reverted together. */
  readonly runId?: string;
}

export interface Entity {
  readonly ref: Ref;
  readonly kind: EntityKind;
  readonly displayName: string;
}

export interface Identifier {
  readonly type: IdentifierType;
  readonly value: string;
}

export type EntityQuery = { readonly [Type in IdentifierType | "name"]?: string };

export interface Passage {
  readonly document: Ref;
  readonly title: string;
  readonly collection: Ref;
  readonly text: string;
  /** Chunks of the document, as `documents.get` takes them for `range`. */
  readonly locator: { readonly from: number; readonly to: number };
  readonly meta: JsonValue;
}

export interface NewDocument extends Origin {
  readonly collection: CollectionRef;
  /** A document of the same key in the collection is overwritten. */
  readonly key?: string;
  /** An existing document, instead of a key. */
  readonly ref?: Ref;
  readonly title: string;
  /** Markdown. */
  readonly body?: string;
  /** Of imported content: it is indexed, and not kept. */
  readonly text?: string;
  readonly sourceUri?: string;
  readonly meta?: JsonValue;
  readonly runId?: string;
}

export interface DocumentInfo {
  readonly ref: Ref;
  readonly collection: Ref;
  readonly key: string | null;
  readonly title: string;
  readonly meta: JsonValue;
  readonly sourceUri: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface KnowledgeDocument extends DocumentInfo {
  readonly body?: string;
  /** In place of `body` when a range was asked for. */
  readonly text?: string;
}

export interface KnowledgeCollection {
  readonly ref: Ref;
  readonly name: string;
  readonly builtin: "diary" | "keep" | null;
  readonly kind: "builtin" | "user" | "gem";
  readonly canWrite: boolean;
  readonly parent: Ref | null;
}

export interface KnowledgeChange {
  readonly ref: Ref;
  readonly runId: string;
  readonly actor: string;
  readonly op: string;
  readonly summary: string;
  readonly status: string;
  readonly proposed: JsonValue;
  readonly createdAt: number;
}

/**
 * The user's knowledge base. What the user has not opened is left out by `profile.get`, `facts.lookup`, `search`,
 * `collections.list` and `changes.list`; every other method throws `lacks knowledge permission …`.
 */
export interface Knowledge {
  readonly profile: {
    /** The pinned facts about the user. */
    get(prefix?: string): Promise<{ readonly predicate: string; readonly value: JsonValue }[]>;
  };
  readonly facts: {
    lookup(subject: "self" | Ref, prefix?: string): Promise<Fact[]>;
    put(
      fact: NewFact,
    ): Promise<{
      readonly status: "applied" | "duplicate" | "conflict";
      readonly ref: Ref;
      readonly predicate: string;
    }>;
    retract(fact: Ref): Promise<{ readonly status: "retracted" | "already_retracted" }>;
  };
  readonly entities: {
    /** Null when nothing is found; with `create` it is made, which needs `entities.write`. */
    resolve(
      identifier: EntityQuery,
      options?: { readonly kind?: EntityKind; readonly create?: boolean },
    ): Promise<(Entity & { readonly created: boolean }) | null>;
    get(entity: Ref): Promise<Entity & { readonly identifiers: Identifier[] }>;
    list(
      kind: EntityKind,
      options?: { readonly query?: string; readonly limit?: number },
    ): Promise<(Entity & { readonly identifiers: Identifier[] })[]>;
    addIdentifier(entity: Ref, type: IdentifierType, value: string): Promise<{ readonly status: "added" | "exists" }>;
  };
  search(
    query: string,
    options?: {
      readonly collections?: readonly CollectionRef[];
      readonly timeRange?: TimeRange;
      readonly entities?: readonly Ref[];
      readonly limit?: number;
    },
  ): Promise<Passage[]>;
  readonly documents: {
    upsert(
      document: NewDocument,
    ): Promise<{ readonly status: "created" | "updated" | "unchanged"; readonly ref: Ref }>;
    /** `range` counts chunks, the last one not included. */
    get(
      document: Ref,
      options?: { readonly range?: { readonly from: number; readonly to: number } },
    ): Promise<KnowledgeDocument>;
    getByKey(collection: CollectionRef, key: string): Promise<KnowledgeDocument | null>;
    list(
      collection: CollectionRef,
      options?: { readonly timeRange?: TimeRange; readonly limit?: number },
    ): Promise<DocumentInfo[]>;
    delete(document: Ref): Promise<{ readonly status: string }>;
  };
  readonly collections: {
    list(): Promise<KnowledgeCollection[]>;
    create(
      name: string,
      options?: { readonly parent?: CollectionRef },
    ): Promise<{ readonly ref: Ref; readonly name: string; readonly parent: Ref | null }>;
  };
  readonly changes: {
    list(
      options?: { readonly since?: Moment; readonly status?: string; readonly limit?: number },
    ): Promise<KnowledgeChange[]>;
    revert(what: Ref | { readonly runId: string }): Promise<{ readonly reverted: Ref[]; readonly skipped: Ref[] }>;
  };
}

export interface MessageInfo {
  readonly accountId: string;
  readonly id: string;
  readonly subject: string;
  readonly fromAddr: string;
  readonly toAddrs: string[];
  /** Milliseconds since 1970. */
  readonly date: number;
}

export interface MailPage {
  readonly messages: MessageInfo[];
  /** Pass it as `since` of the next call. */
  readonly cursor: number;
}

export interface Message extends MessageInfo {
  /** Plain text. */
  readonly body: string;
  readonly attachments: { readonly filename: string; readonly mimeType: string; readonly sizeBytes: number }[];
}

/** The mailboxes that the user allowed on the gem's page. There is no way to send. */
export interface Email {
  /** Messages dated after `since`, oldest first; `limit` is 20 by default and at most 200. */
  listSince(
    options?: { readonly accountId?: string; readonly since?: number; readonly limit?: number },
  ): Promise<MailPage>;
  getMessage(place: { readonly accountId: string; readonly id: string }): Promise<Message>;
}
