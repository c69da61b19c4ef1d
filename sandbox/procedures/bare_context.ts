/** What is put into a bare context before foreign code: the same input has to give the same output, always. */

/** A function that takes time, chance and everything that differs between runs and machines away. */
export const hardenSource = `(() => {
  const refuse = (name) => function () {
    throw new Error(name + " is not available in a migration: it has to give the same result each time");
  };
  const { construct } = Reflect;
  const Real = Date;
  const Fixed = function Date(...given) {
    if (!new.target || given.length === 0) refuse("the present time")();
    return construct(Real, given, new.target);
  };
  Fixed.prototype = Real.prototype;
  Fixed.UTC = Real.UTC;
  Fixed.parse = Real.parse;
  Fixed.now = refuse("Date.now");
  Object.defineProperty(Real.prototype, "constructor", { value: Fixed, writable: true, configurable: true });
  Math.random = refuse("Math.random");
  return () => {
    globalThis.Date = Fixed;
    for (const name of ["Intl", "Temporal", "WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "Atomics",
      "WebAssembly", "console", "queueMicrotask", "performance"]) delete globalThis[name];
  };
})()`;

/** A function of the module's exports and the names of the steps that returns what takes a record through them. */
export const stepsSource = `(() => {
  const { parse, stringify } = JSON;
  const { getPrototypeOf, prototype } = Object;
  const { isArray } = Array;
  const Failure = Error;
  return (namespace, names) => {
    const steps = names.split(" ").map((name) => {
      if (typeof namespace[name] !== "function") throw new Failure("the function " + name + " is missing");
      return { name, run: namespace[name] };
    });
    return (id, json) => {
      let data = parse(json);
      for (const { name, run } of steps) {
        try {
          data = run(data, { id });
        } catch (thrown) {
          throw new Failure(name + " of record " + id + " threw: " + (thrown && thrown.message || thrown));
        }
        const kind = data === null || typeof data !== "object" || isArray(data) ? null : getPrototypeOf(data);
        if (data === null || typeof data !== "object" || isArray(data) || (kind !== prototype && kind !== null)) {
          throw new Failure(name + " of record " + id + " returned no plain object");
        }
      }
      return stringify(data);
    };
  };
})()`;
