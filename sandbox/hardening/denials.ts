/** Tells of what the runtime refused, even where a gem caught the error: its log shows who tried what. */

import { apply, create, defineProperty, Failure, freeze, slice, split } from "./primitives.ts";

export type Report = (what: string) => void;

const MOST_CHARACTERS = 80;
const MOST_KEPT = 1_000;
const SUBJECTS: Record<string, boolean> = freeze(
  {
    __proto__: null,
    read: true,
    write: true,
    net: true,
    env: true,
    sys: true,
    run: true,
    ffi: true,
    import: true,
    all: true,
  } as unknown as Record<string, boolean>,
);
const KEPT: Record<string, string> = { localStorage: "storage", caches: "storage" };

/**
 * Report every refusal of the runtime: the classes of its errors call, once and for all, a class of this program. What
 * asks for a module is not among them; such a call fails by itself when nothing catches it.
 */
export function watchDenials(report: Report): void {
  const watched = watchedBase(report);
  for (const kind of [Deno.errors.NotCapable, Deno.errors.PermissionDenied]) {
    Object.setPrototypeOf(kind, watched);
    freeze(kind);
  }
  for (const name of ["request", "requestSync"]) {
    watchMethod(Object.getPrototypeOf(Deno.permissions), name, () => report("rights"));
  }
  for (const name in KEPT) watchProperty(name, () => report(KEPT[name]!));
}

/** Return what reports each thing once for each call. */
export function newOnly(current: () => number, send: (call: number, what: string) => void): Report {
  let told: Record<string, true> = create(null);
  let count = 0;
  return (what) => {
    const call = current();
    const key = `${call} ${what}`;
    if (told[key]) return;
    if (++count > MOST_KEPT) {
      told = create(null);
      count = 0;
    }
    told[key] = true;
    send(call, what);
  };
}

/** Return the word for what an error of the runtime is about, such as "read"; a gem can make such errors too. */
export function subject(message: unknown): string {
  if (typeof message !== "string") return "something";
  const words = split(slice(message, 0, MOST_CHARACTERS), " ");
  const word = words[0] === "Requires" ? words[1] : undefined;
  return word !== undefined && SUBJECTS[word] ? word : "something";
}

function watchedBase(report: Report): object {
  const Watched = class extends Failure {
    constructor(message?: string, options?: ErrorOptions) {
      report(subject(message));
      super(message, options);
    }
  };
  return freeze(Watched);
}

function watchMethod(owner: object, name: string, report: () => void): void {
  const { value: method } = Object.getOwnPropertyDescriptor(owner, name)!;
  const value = function (this: unknown, ...given: unknown[]): unknown {
    report();
    return apply(method, this, given);
  };
  defineProperty(owner, name, { __proto__: null, value, configurable: true, writable: true } as PropertyDescriptor);
}

function watchProperty(name: string, report: () => void): void {
  const found = Object.getOwnPropertyDescriptor(globalThis, name);
  if (!found?.get) return;
  const read = found.get;
  const get = (): unknown => {
    report();
    return apply(read, globalThis, []);
  };
  defineProperty(
    globalThis,
    name,
    { __proto__: null, get, configurable: true, enumerable: true } as PropertyDescriptor,
  );
}
