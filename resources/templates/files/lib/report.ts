/** Writes lists of files for people. */

export interface Line {
  readonly name: string;
  readonly size: number;
}

export function asMarkdown(files: readonly Line[]): string {
  const lines = files.map((file) => `| ${file.name.replaceAll("|", "\\|")} | ${file.size} |`);
  return ["| name | bytes |", "| --- | --- |", ...lines, ""].join("\n");
}
