import type { Context, HttpResponse } from "../lib/context.ts";
import { issueNamed, repositoryNamed } from "../lib/names.ts";
import myIssues from "../tools/my_issues.ts";
import readIssue from "../tools/read_issue.ts";
import repositoryNews from "../tools/repository_news.ts";
import searchIssues from "../tools/search_issues.ts";

interface Asked {
  readonly url: string;
  readonly connection: string | undefined;
}

const ISSUE = {
  number: 12, title: "Mend the door", state: "open", user: { login: "anna" }, labels: [{ name: "bug" }, "old"],
  comments: 1, updated_at: "2026-11-30T10:00:00Z", html_url: "https://github.com/o/n/issues/12", body: "It is open.",
};

function equal(found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(found));
}

/** Plays GitHub: `answers` are bodies, or responses with a status of their own. */
function answering(ctx: Context, asked: Asked[], ...answers: (Partial<HttpResponse> & { body?: unknown })[]): Context {
  const fetch = async (url: string, options: { connection?: string }) => {
    asked.push({ url, connection: options.connection });
    const { body, status = 200, headers = {}, ...rest } = answers.shift()!;
    const text = async () => (typeof body === "string" ? body : JSON.stringify(body));
    return { status, ok: status === 200, headers, text, ...rest } as HttpResponse;
  };
  return { ...ctx, http: { fetch } };
}

/** Plays a user who chose no account. */
function withoutAccount(ctx: Context, body: unknown, status = 200): Context {
  const fetch = async (_url: string, { connection }: { connection?: string }) => {
    if (connection) throw Object.assign(new Error("E_PERM_DENIED: no account"), { code: "E_PERM_DENIED" });
    const text = async () => JSON.stringify(body);
    return { status, ok: status === 200, headers: {}, text } as HttpResponse;
  };
  return { ...ctx, http: { fetch } };
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  return await promise.then((value) => `no failure: ${JSON.stringify(value)}`, (error) => error.message);
}

export async function issues_of_the_user_are_asked_for_with_the_account(ctx: Context): Promise<void> {
  const asked: Asked[] = [];
  const { issues } = (await myIssues({}, answering(ctx, asked, { body: [ISSUE] }))) as { issues: { issue: string }[] };
  equal([issues[0]!.issue, asked[0]!.connection], ["o/n#12", "github"]);
}

export async function without_an_account_the_user_is_told_where_to_choose_one(ctx: Context): Promise<void> {
  const told = await failureOf(myIssues({}, withoutAccount(ctx, [])));
  if (!told.includes("Settings › Accounts")) throw new Error(told);
}

export async function what_is_public_is_read_without_an_account(ctx: Context): Promise<void> {
  const news = (await repositoryNews({ repository: "o/n" }, withoutAccount(ctx, [ISSUE]))) as { issues: unknown[] };
  equal(news.issues.length, 1);
  const told = await failureOf(readIssue({ issue: "o/n#12" }, withoutAccount(ctx, { message: "Not Found" }, 404)));
  if (!told.includes("is private")) throw new Error(told);
}

export async function the_next_look_begins_where_the_last_one_ended(ctx: Context): Promise<void> {
  const asked: Asked[] = [];
  const many = Array.from({ length: 100 }, () => ISSUE);
  const github = answering(ctx, asked, { body: many }, { body: [] }, { body: [] });
  equal(((await repositoryNews({ repository: "o/n" }, github)) as { more: boolean }).more, true);
  await repositoryNews({ repository: "https://github.com/O/N.git" }, github);
  equal(new URL(asked[1]!.url).searchParams.get("since"), "2026-11-30T10:00:00.000Z");
  await repositoryNews({ repository: "o/n", days: 1 }, github);
  if (new URL(asked[2]!.url).searchParams.get("since") === "2026-11-30T10:00:00.000Z") throw new Error("not back");
}

export async function an_issue_comes_with_what_was_said(ctx: Context): Promise<void> {
  const comment = { user: null, created_at: "2026-11-30T11:00:00Z", body: "Done." };
  const issue = (await readIssue(
    { issue: "https://github.com/o/n/pull/12#issuecomment-1" },
    answering(ctx, [], { body: ISSUE }, { body: [comment] }),
  )) as { text: string; said: unknown[]; labels: string[] };
  equal(issue.said, [{ author: "ghost", at: "2026-11-30T11:00:00Z", text: "Done." }]);
  equal([issue.text, issue.labels], ["It is open.", ["bug", "old"]]);
}

export async function both_kinds_are_searched_unless_one_is_asked_for(ctx: Context): Promise<void> {
  const asked: Asked[] = [];
  const found = { body: { total_count: 1, items: [ISSUE] } };
  const github = answering(ctx, asked, found, found, found);
  equal(((await searchIssues({ query: "door" }, github)) as { total: number }).total, 2);
  await searchIssues({ query: "door is:pr" }, github);
  equal(asked.map(({ url }) => new URL(url).searchParams.get("q")), ["door is:issue", "door is:pr", "door is:pr"]);
}

export async function each_failure_of_github_is_told_in_plain_words(ctx: Context): Promise<void> {
  const cases: [Partial<HttpResponse> & { body?: unknown }, string][] = [
    [{ status: 401, body: { message: "Bad credentials" } }, "does not accept"],
    [{ status: 403, headers: { "retry-after": "60" }, body: {} }, "for 60 seconds"],
    [{ status: 429, headers: { "x-ratelimit-reset": "1796083200" }, body: {} }, "until 2026-12-01"],
    [{ status: 403, body: { message: "SAML" } }, "SAML"],
    [{ status: 502, body: "<html>" }, "502"],
    [{ body: "<html>" }, "no JSON"],
    [{ body: { surprise: 1 } }, "list of issues"],
    [{ status: 401, body: {}, credentialDenied: { reason: "needs_reauth", host: "api.github.com" } }, "needs_reauth"],
  ];
  for (const [answer, expected] of cases) {
    const told = await failureOf(myIssues({}, answering(ctx, [], answer)));
    if (!told.includes(expected)) throw new Error(`${expected}: ${told}`);
  }
}

export function names_are_read_as_people_write_them_and_lead_nowhere_else(): void {
  equal(["o/n", " https://github.com/o/n.git ", "https://github.com/o/n/issues"].map(repositoryNamed), Array(3).fill("o/n"));
  equal(issueNamed("o/n#12"), { repository: "o/n", number: 12 });
  equal(issueNamed("https://github.com/o/n/issues/12?x=1"), { repository: "o/n", number: 12 });
  for (const wrong of ["", "n", "o/..", "o/n ?x", "o/../user", "https://evil.example/o/n", "o/n%2f..", "-o/n"]) {
    let refused = false;
    try {
      repositoryNamed(wrong);
    } catch {
      refused = true;
    }
    if (!refused) throw new Error(wrong);
  }
}
