import type { Context } from "../.notochord/notochord.d.ts";
import { asMarkdown } from "../lib/report.ts";
import listFolder from "../tools/list_folder.ts";

/** Each exported function is a test; it fails by throwing. Each begins with an empty conversation folder. */
export async function the_files_of_the_folder_are_listed(ctx: Context): Promise<void> {
  await ctx.files.write("workspace:invoices/a.txt", "12");
  await ctx.files.write("workspace:invoices/b.txt", "1234");
  const { files, report } = await listFolder({ folder: "invoices" }, ctx);
  const text = await ctx.files.read(report);
  if (files !== 2 || !text.includes("| b.txt | 4 |")) throw new Error(`${files} files:\n${text}`);
}

export function a_bar_in_a_name_does_not_break_the_table(): void {
  const text = asMarkdown([{ name: "a|b", size: 1 }]);
  if (!text.includes("| a\\|b | 1 |")) throw new Error(text);
}
