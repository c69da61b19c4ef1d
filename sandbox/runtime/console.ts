/** The console of a tool: lines that go to the program, each to the call that wrote it. */

import { AsyncLocalStorage } from "node:async_hooks";
import { create, slice } from "../hardening/primitives.ts";
import { MAX_LOG_CHARACTERS, MAX_LOG_LINES } from "../protocol/limits.ts";
import type { Send } from "../transport/pipes.ts";
import { tell } from "./failures.ts";

type Inspect = (value: unknown) => string;

const METHODS = ["log", "info", "debug", "warn", "error", "trace", "dir", "dirxml", "table", "group", "groupCollapsed"];
const SILENT = ["groupEnd", "time", "timeLog", "timeEnd", "timeStamp", "count", "countReset", "clear", "profile"];

/** Knows which call runs, and caps what each may write. */
export class Consoles {
  readonly #send: Send;
  readonly #inspect: Inspect;
  readonly #current = new AsyncLocalStorage<number>();
  readonly #run = this.#current.run.bind(this.#current);
  readonly #store = this.#current.getStore.bind(this.#current);
  readonly #lines: Record<number, number> = create(null);
  #last = 0;

  constructor(send: Send, inspect: Inspect) {
    this.#send = send;
    this.#inspect = inspect;
  }

  /** Run `work`; what it writes, now or later, is the call's. */
  async during(call: number, work: () => unknown): Promise<unknown> {
    this.#lines[call] = 0;
    this.#last = call;
    try {
      return await this.#run(call, work);
    } finally {
      delete this.#lines[call];
    }
  }

  /** Return the call that runs now, as far as that is known, else the last that began. */
  current(): number {
    return this.#store() ?? this.#last;
  }

  /** Write a line; after the limit, and once the call is over, it is dropped. */
  write(values: readonly unknown[]): void {
    const call = this.#store();
    const lines = call === undefined ? undefined : this.#lines[call];
    if (call === undefined || lines === undefined || lines >= MAX_LOG_LINES) return;
    this.#lines[call] = lines + 1;
    this.#send({ type: "log", call, text: slice(this.#line(values), 0, MAX_LOG_CHARACTERS) });
  }

  /** Put this console in the place of the runtime's, which writes to standard output. */
  install(target: Record<string, unknown>): void {
    for (const name of METHODS) target[name] = (...values: unknown[]): void => this.write(values);
    for (const name of SILENT) target[name] = (): void => {};
    target["assert"] = (holds: unknown, ...values: unknown[]): void => {
      if (!holds) this.write(values);
    };
  }

  #line(values: readonly unknown[]): string {
    let line = "";
    for (let index = 0; index < values.length && line.length < MAX_LOG_CHARACTERS; index++) {
      line += (index ? " " : "") + this.#shown(values[index]);
    }
    return line;
  }

  #shown(value: unknown): string {
    if (typeof value === "string") return value;
    try {
      return this.#inspect(value);
    } catch (thrown) {
      return tell(thrown).message;
    }
  }
}
