/** Finds the documents in the conversation's folder. */

import type { FileEntry, Files } from "./context.ts";

const PREFIX = "workspace:";
const DOCUMENT = /\.(?:pdf|docx|xlsx|pptx|html?|csv|eml|txt|md)$/i;
/** What gems write into the conversation's folder. */
const RUNS = "runs";
const DEEPEST = 8;
const MOST_ENTRIES = 20_000;

export interface Found {
  /** From the conversation's folder on. */
  readonly path: string;
  readonly entry: FileEntry;
}

/** Return the documents below a folder, by path. Throws an Error when there is no such folder. */
export async function findDocuments(files: Files, asked = ""): Promise<Found[]> {
  const start = asked.trim().replace(/^workspace:/, "").replace(/^(?:\.?\/)+|\/+$/g, "");
  if (start !== "" && (await files.stat(PREFIX + start))?.type !== "folder") {
    const there = (await files.list(PREFIX)).filter((entry) => entry.type === "folder").map((entry) => entry.name);
    const names = there.slice(0, 20).join(", ") || "none";
    throw new Error(`there is no folder ${JSON.stringify(start.slice(0, 100))} in the conversation; the folders are: ${names}`);
  }
  const found: Found[] = [];
  const waiting: { readonly path: string; readonly depth: number }[] = [{ path: start, depth: 0 }];
  let seen = 0;
  for (let folder = waiting.shift(); folder && seen < MOST_ENTRIES; folder = waiting.shift()) {
    for (const entry of await files.list(PREFIX + folder.path)) {
      seen++;
      const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.type === "folder" && path !== RUNS && folder.depth < DEEPEST) {
        waiting.push({ path, depth: folder.depth + 1 });
      }
      if (entry.type === "file" && DOCUMENT.test(entry.name)) found.push({ path, entry });
    }
  }
  return found.sort((first, second) => (first.path < second.path ? -1 : 1));
}
