import type { Context } from "../lib/context.ts";
import findPapers from "../tools/find_papers.ts";
import forgetPaper from "../tools/forget_paper.ts";
import listPapers from "../tools/list_papers.ts";
import readPaper from "../tools/read_paper.ts";
import readPapers from "../tools/read_papers.ts";
import sumUpPaper from "../tools/sum_up_paper.ts";

type Tested = Context & { files: { write(path: string, text: string): Promise<void> } };
type Rows = { paper: string; file: string; title?: string; summary?: string; excerpt: string }[];

const MAIL = "From: Anna <anna@example.com>\r\nSubject: Rent\r\nDate: Mon, 30 Nov 2026 10:00:00 +0000\r\n\r\nDue in June.\r\n";

function equal(found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(found));
}

async function found(ctx: Context, words: string): Promise<Rows> {
  return (await findPapers({ words }, ctx)) as Rows;
}

export async function documents_are_read_and_found_by_parts_of_words_in_any_case(ctx: Tested): Promise<void> {
  await ctx.files.write("workspace:in/bill.txt", "Invoices of the plumber: 120,50 EUR");
  await ctx.files.write("workspace:rent.eml", MAIL);
  await ctx.files.write("workspace:photo.jpg", "x");
  equal(await readPapers({}, ctx), { read: 2, known: 0, failed: [], failures: 0, left: 0 });
  equal((await found(ctx, "invoice PLUMBER")).map(({ file }) => file), ["in/bill.txt"]);
  equal((await found(ctx, "due rent")).map(({ title }) => title), ["Rent"]);
  equal(await found(ctx, "plumber rent"), []);
}

export async function short_words_and_chinese_are_found(ctx: Tested): Promise<void> {
  await ctx.files.write("workspace:a.txt", "租房合同,每月房租 3000 元,100% 按时");
  await readPapers({}, ctx);
  for (const words of ["合同", "房租 3000", "0%", "元"]) equal((await found(ctx, words)).length, 1);
  equal((await found(ctx, "__")).length, 0);
}

export async function quotes_and_operators_in_words_are_plain_text(ctx: Tested): Promise<void> {
  await ctx.files.write("workspace:a.txt", 'the "big" OR small NEAR( sign');
  await readPapers({}, ctx);
  equal((await found(ctx, '"big" NEAR(')).length, 1);
  equal((await found(ctx, "text:big*")).length, 0);
}

export async function a_file_is_read_once_and_again_when_it_changed(ctx: Tested): Promise<void> {
  await ctx.files.write("workspace:a.txt", "first");
  await ctx.files.write("workspace:copy.txt", "first");
  await readPapers({}, ctx);
  equal(((await listPapers({}, ctx)) as { papers: Rows }).papers.length, 1);
  await ctx.files.write("workspace:a.txt", "second text");
  await readPapers({}, ctx);
  equal((await found(ctx, "second")).length, 1);
}

export async function what_cannot_be_read_is_told_and_the_rest_is_read(ctx: Tested): Promise<void> {
  await ctx.files.write("workspace:a.pdf", "%PDF-1.7 and nothing more");
  await ctx.files.write("workspace:b.txt", "");
  await ctx.files.write("workspace:c.txt", "fine");
  const result = (await readPapers({}, ctx)) as { read: number; failed: { file: string; reason: string }[] };
  equal([result.read, result.failed.map(({ file }) => file)], [1, ["a.pdf", "b.txt"]]);
}

export async function an_empty_folder_is_no_failure_and_a_missing_one_is_told(ctx: Tested): Promise<void> {
  equal(await readPapers({}, ctx), { read: 0, known: 0, failed: [], failures: 0, left: 0 });
  equal(await found(ctx, "anything"), []);
  const failure = await readPapers({ folder: "none" }, ctx).catch((error) => error);
  if (!String(failure).includes("there is no folder")) throw new Error(String(failure));
}

export async function a_long_text_is_given_in_pieces(ctx: Tested): Promise<void> {
  await ctx.files.write("workspace:a.txt", "word ".repeat(5_000));
  await readPapers({}, ctx);
  const [{ paper }] = (await found(ctx, "word")) as [Rows[0]];
  const first = (await readPaper({ paper }, ctx)) as { text: string; next: number };
  const last = (await readPaper({ paper, from: first.next }, ctx)) as { text: string };
  equal([first.text.length, "next" in last], [20_000, false]);
}

export async function a_summary_is_asked_for_and_kept(ctx: Tested): Promise<void> {
  await ctx.files.write("workspace:a.txt", "Pay 10 EUR by May.");
  await readPapers({}, ctx);
  const [{ paper }] = (await found(ctx, "Pay")) as [Rows[0]];
  const asked: string[] = [];
  const complete = async (question: string) => {
    asked.push(question);
    return { text: " Pay 10 EUR. ", finish: "stop" };
  };
  await sumUpPaper({ paper }, { ...ctx, llm: { complete } });
  equal([asked.length, (await found(ctx, "Pay"))[0]?.summary], [1, "Pay 10 EUR."]);
}

export async function a_paper_that_is_forgotten_is_not_found(ctx: Tested): Promise<void> {
  await ctx.files.write("workspace:a.txt", "something");
  await readPapers({}, ctx);
  const [{ paper }] = (await found(ctx, "something")) as [Rows[0]];
  await forgetPaper({ paper }, ctx);
  equal(await found(ctx, "something"), []);
  const failure = await readPaper({ paper }, ctx).catch((error) => error);
  if (!String(failure).includes("find_papers")) throw new Error(String(failure));
}
