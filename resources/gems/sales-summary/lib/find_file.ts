/** Finds the file that is meant, as people and models write its name. */

import type { Files } from "./context.ts";

const PREFIX = "workspace:";

/** Return the path of a file in the conversation. Throws an Error that lists the files that are there. */
export async function findFile(files: Files, asked: string): Promise<string> {
  const wanted = asked.trim().replace(/^workspace:/, "").replace(/^(?:\.?\/)+/, "");
  if (wanted !== "" && (await files.stat(PREFIX + wanted))?.type === "file") return PREFIX + wanted;
  const cut = wanted.lastIndexOf("/") + 1;
  const folder = wanted.slice(0, cut);
  const name = wanted.slice(cut).toLowerCase();
  const exists = folder === "" || (await files.stat(PREFIX + folder))?.type === "folder";
  const names = exists
    ? (await files.list(PREFIX + folder)).filter((entry) => entry.type === "file").map((entry) => entry.name)
    : [];
  const found = names.filter((entry) => entry.toLowerCase() === name || entry.toLowerCase() === `${name}.csv`);
  if (found.length === 1) return PREFIX + folder + found[0]!;
  const there = names.slice(0, 20).join(", ") || "none";
  throw new Error(
    `there is no file ${JSON.stringify(asked.slice(0, 100))} in the conversation; the files are: ${there}`,
  );
}
