/** Asks GitHub, in the user's name where there is an account, and says in plain words what kept it from answering. */

import type { Context, HttpResponse } from "./context.ts";

const API = "https://api.github.com";
const CONNECTION = "github";
const HEADERS = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };
const NO_ACCOUNT = "no GitHub account is chosen: add one under Settings › Accounts and choose it on the page of this gem";

/** `required`: not without an account. `if there`: what is public can be read without one. */
export type Account = "required" | "if there";

/** Return what GitHub answers to a GET request. Throws an Error that says what to do. */
export async function ask(ctx: Context, path: string, account: Account): Promise<unknown> {
  const { response, signedIn } = await answer(ctx, `${API}${path}`, account);
  const denied = response.credentialDenied;
  if (denied && (account === "required" || !response.ok)) {
    throw new Error(`the GitHub account was not used (${denied.reason}): look at it under Settings › Accounts`);
  }
  const text = await response.text();
  if (!response.ok) throw new Error(complaint(response, messageOf(text), signedIn));
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("what GitHub answered is no JSON: something between here and GitHub may have answered instead");
  }
}

async function answer(
  ctx: Context,
  url: string,
  account: Account,
): Promise<{ readonly response: HttpResponse; readonly signedIn: boolean }> {
  try {
    return { response: await ctx.http.fetch(url, { headers: HEADERS, connection: CONNECTION }), signedIn: true };
  } catch (error) {
    if ((error as { code?: string }).code !== "E_PERM_DENIED") throw error;
    if (account === "required") throw new Error(NO_ACCOUNT, { cause: error });
    return { response: await ctx.http.fetch(url, { headers: HEADERS }), signedIn: false };
  }
}

function complaint(response: HttpResponse, message: string, signedIn: boolean): string {
  const { status, headers } = response;
  const limited = status === 429 || headers["x-ratelimit-remaining"] === "0" || "retry-after" in headers;
  if (limited && (status === 403 || status === 429)) return `GitHub allows no more requests ${untilWhen(headers)}`;
  if (status === 401) return "GitHub does not accept the account's token: renew it under Settings › Accounts";
  const who = signedIn ? "or the account may not see it" : `or it is private, and ${NO_ACCOUNT}`;
  if (status === 404) return `GitHub knows no such repository or issue, ${who}`;
  if (status === 403) return `GitHub refuses this to the account: ${message}`;
  if (status === 422) return `GitHub does not understand the question: ${message}`;
  return `GitHub answered ${status}: ${message}`;
}

function untilWhen(headers: Readonly<Record<string, string>>): string {
  const seconds = Number(headers["retry-after"]);
  if (seconds > 0) return `for ${seconds} seconds`;
  const reset = Number(headers["x-ratelimit-reset"]);
  return reset > 0 && reset < 1e11 ? `until ${new Date(reset * 1_000).toISOString()}` : "for now; try again later";
}

function messageOf(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message ?? "").slice(0, 300);
  } catch {
    return text.slice(0, 100);
  }
}
