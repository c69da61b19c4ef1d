/**
 * Runs a gem's migration functions over batches of records. The gem's code lives in a bare context: it sees the
 * language and nothing else, and only texts cross over, so that it can neither reach this program nor tell one run from
 * another.
 */

import { stripTypeScriptTypes } from "node:module";
import vm from "node:vm";
import type { Migration } from "../host/migration.ts";
import { hardenSource, stepsSource } from "./bare_context.ts";

interface Input {
  readonly source: string;
  readonly typed: boolean;
  readonly steps: readonly string[];
}

/** What the program needs of a module in a context, which the types of the runtime do not have yet. */
interface BareModule {
  readonly namespace: object;
  link(linker: () => never): Promise<void>;
  evaluate(): Promise<void>;
}

type BareModuleMaker = new (source: string, options: { context: object; identifier: string }) => BareModule;
type Step = (id: string, json: string) => string;

const { SourceTextModule, constants } = vm as unknown as {
  SourceTextModule: BareModuleMaker;
  constants: { DONT_CONTEXTIFY: object };
};
const PIECE_CHARACTERS = 2 * 1024 * 1024;

export default async function migrate(given: unknown, ctx: object): Promise<null> {
  const { source, typed, steps } = given as Input;
  const { migration } = ctx as { migration: Migration };
  const step = await prepare(typed ? stripTypeScriptTypes(source) : source, steps);
  for (let batch = await migration.next(); batch.length; batch = await migration.next()) {
    let lines: string[] = [], size = 0;
    for (const { id, json } of batch) {
      const line = `${id} ${step(id, json)}`;
      lines.push(line);
      size += line.length;
      if (size > PIECE_CHARACTERS) {
        await migration.put(lines);
        lines = [];
        size = 0;
      }
    }
    if (lines.length) await migration.put(lines);
  }
  return null;
}

/** Return what takes a record through all steps. Throws for a step that is missing, before anything else is done. */
async function prepare(source: string, steps: readonly string[]): Promise<Step> {
  const context = vm.createContext(constants.DONT_CONTEXTIFY);
  const harden = vm.runInContext(hardenSource, context) as () => void;
  // Made before the gem's code runs, so that it has the context's own primitives.
  const chain = vm.runInContext(stepsSource, context) as (namespace: object, names: string) => Step;
  harden();
  const module = new SourceTextModule(source, { context, identifier: "migration" });
  await module.link(() => {
    throw new Error("a migration imports nothing");
  });
  await module.evaluate();
  return chain(module.namespace, steps.join(" "));
}
