// Runs in a gem's page before its own scripts: `notochord`, as resources/types/notochord-page.d.ts describes it.
(() => {
  "use strict";
  const document_ = document, Event_ = CustomEvent, Error_ = Error, Promise_ = Promise;
  const { parse, stringify } = JSON;
  const calls = new Map();
  const listeners = new Set();
  let number = 0;
  let theme = "light";
  let language = "en";

  const send = (message) =>
    document_.dispatchEvent(new Event_("notochord-to-program", { detail: stringify(message) }));

  function call(target, given = {}, { signal } = {}) {
    return new Promise_((resolve, reject) => {
      if (typeof target !== "string") throw new TypeError("the target is a text such as tool.list_notes");
      signal?.throwIfAborted();
      const own = ++number;
      calls.set(own, { resolve, reject });
      signal?.addEventListener("abort", () => {
        if (!calls.delete(own)) return;
        send({ kind: "cancel", number: own });
        reject(signal.reason);
      });
      send({ kind: "call", number: own, target, arguments: given });
    });
  }

  document_.addEventListener("notochord-from-program", (event) => {
    const message = parse(event.detail);
    if (message.number === undefined) {
      ({ theme, language } = message);
      for (const listener of listeners) listener({ theme, language });
      return;
    }
    const waiting = calls.get(message.number);
    if (!calls.delete(message.number)) return;
    if (message.error) {
      const error = new Error_(message.error.message);
      error.code = message.error.code;
      waiting.reject(error);
    } else {
      waiting.resolve(message.value);
    }
  });

  const api = {
    call,
    get theme() { return theme; },
    get language() { return language; },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  Object.defineProperty(globalThis, "notochord", { value: Object.freeze(api), enumerable: true });
  send({ kind: "ready" });
})();
