/** Lists a folder of the conversation and writes the list as a report. */

import type { Context } from "../.notochord/notochord.d.ts";
import { asMarkdown } from "../lib/report.ts";

const REPORT = "output/files.md";

interface Input {
  readonly folder?: string;
}

export default async function listFolder(input: Input, ctx: Context): Promise<{ files: number; report: string }> {
  const found = await ctx.files.list("workspace:" + (input.folder ?? ""));
  const files = found.filter((entry) => entry.type === "file");
  await ctx.files.write(REPORT, asMarkdown(files));
  return { files: files.length, report: REPORT };
}
