/** Takes from the global object what a tool cannot use here, with a word on why. */

import type { Report } from "./denials.ts";
import { defineProperty } from "./primitives.ts";

const CLOSED: Record<string, string> = {
  Worker: "a tool runs on one thread",
  SharedWorker: "a tool runs on one thread",
  alert: "a tool has no window",
  confirm: "a tool has no window",
  prompt: "a tool has no window",
};

/**
 * Replace the closed globals and hide the pipes. This stops accidents: what keeps an attacker in is that the process
 * has no rights, not what it finds on its global object.
 */
export function closeGlobals(report: Report): void {
  for (const name in CLOSED) {
    // A plain function can be called and constructed.
    const closed = function (): never {
      report(name);
      throw new TypeError(`${name} is not available: ${CLOSED[name]}`);
    };
    const property = { __proto__: null, value: closed, writable: true, configurable: true, enumerable: false };
    defineProperty(globalThis, name, property as PropertyDescriptor);
  }
  for (const name of ["stdin", "stdout"]) delete (Deno as unknown as Record<string, unknown>)[name];
}

/** Report what nobody caught instead of ending the process, which other calls share. */
export function surviveUncaught(report: (failure: unknown) => void): void {
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    report(event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    report(event.error ?? event.message);
  });
}
