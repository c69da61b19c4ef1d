/** `ctx.data.transact(fn)`: reads are noted, writes collected; what was read and has changed makes the whole run again. */

import type { Transaction } from "../../../resources/types/notochord.d.ts";
import { encodeText, freeze, isSafeInteger, stringify } from "../../hardening/primitives.ts";
import type { Request } from "../../router/requests.ts";
import { hostError } from "../../runtime/failures.ts";
import { option, text } from "../arguments.ts";
import { version } from "./collections.ts";
import { contentJson, contentOf } from "./content.ts";

const MAX_WRITES = 500;
const DEFAULT_ATTEMPTS = 5;
const MAX_ATTEMPTS = 100;

type Work = (tx: Transaction) => unknown;

export function transact(request: Request): (work: Work, options?: unknown) => Promise<unknown> {
  return async (work, options) => {
    if (typeof work !== "function") throw hostError("E_INPUT_INVALID", "transact takes a function");
    const attempts = attemptsOf(options);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const attempted = new Attempt(request);
      const value = await work(attempted.tx);
      if (await attempted.commit()) return value;
    }
    throw hostError("E_DATA_CONFLICT", `what the transaction read was changed meanwhile, ${attempts} times in a row`);
  };
}

/** One run of the function. */
class Attempt {
  readonly tx: Transaction;
  readonly #request: Request;
  readonly #reads: string[] = [];
  readonly #writes: string[] = [];
  #over = false;

  constructor(request: Request) {
    this.#request = request;
    this.tx = this.#transaction();
  }

  async commit(): Promise<boolean> {
    this.#over = true;
    let lines = `[${joined(this.#reads, ",")}]`;
    if (this.#writes.length) lines += "\n" + joined(this.#writes, "\n");
    const { value } = await this.#request("data.commit", {}, encodeText(lines));
    return (value as unknown as { committed: boolean }).committed;
  }

  #transaction(): Transaction {
    const made = {
      get: (collection: unknown, id: unknown) => this.#read(text("collection", collection), text("id", id)),
      insert: (collection: unknown, content: unknown, options?: unknown): void => {
        const id = option(options, "id");
        const named = id === undefined ? "null" : quoted("id", id);
        this.#write(`["insert",${quoted("collection", collection)},${contentJson("the record", content)},${named}]`);
      },
      update: (collection: unknown, id: unknown, patch: unknown, options?: unknown): void => {
        const place = `${quoted("collection", collection)},${quoted("id", id)}`;
        this.#write(`["update",${place},${contentJson("the patch", patch)},${stringify(version(options))}]`);
      },
      delete: (collection: unknown, id: unknown, options?: unknown): void => {
        const place = `${quoted("collection", collection)},${quoted("id", id)}`;
        this.#write(`["delete",${place},${stringify(version(options))}]`);
      },
      log: (name: unknown) => {
        const log = quoted("the Log's name", name);
        return freeze({
          append: (entry: unknown): void => this.#write(`["append",${log},${contentJson("the entry", entry)}]`),
        });
      },
      link: (from: unknown, to: unknown, kind: unknown): void => this.#link("link", from, to, kind),
      unlink: (from: unknown, to: unknown, kind: unknown): void => this.#link("unlink", from, to, kind),
    };
    return freeze(made) as unknown as Transaction;
  }

  async #read(collection: string, id: string): Promise<unknown> {
    this.#checkOpen();
    const answer = await this.#request("data.get", { collection, id });
    this.#reads[this.#reads.length] = stringify([collection, id, answer.value]);
    return contentOf(answer);
  }

  #link(what: string, from: unknown, to: unknown, kind: unknown): void {
    this.#write(`["${what}",${quoted("from", from)},${quoted("to", to)},${quoted("kind", kind)}]`);
  }

  #write(line: string): void {
    this.#checkOpen();
    if (this.#writes.length === MAX_WRITES) {
      throw hostError("E_INPUT_INVALID", `a transaction holds at most ${MAX_WRITES} writes`);
    }
    this.#writes[this.#writes.length] = line;
  }

  #checkOpen(): void {
    if (this.#over) throw hostError("E_INPUT_INVALID", "the transaction is over");
  }
}

function attemptsOf(options: unknown): number {
  const given = option(options, "maxAttempts") ?? DEFAULT_ATTEMPTS;
  if (isSafeInteger(given) && (given as number) >= 1 && (given as number) <= MAX_ATTEMPTS) return given as number;
  throw hostError("E_INPUT_INVALID", `maxAttempts must be an integer from 1 to ${MAX_ATTEMPTS}`);
}

function quoted(name: string, value: unknown): string {
  return stringify(text(name, value));
}

function joined(parts: readonly string[], between: string): string {
  let all = "";
  for (let index = 0; index < parts.length; index++) all += (index ? between : "") + parts[index];
  return all;
}
