/** What is told of an issue; an answer of GitHub is read with nothing taken for granted. */

export interface Issue {
  readonly issue: string;
  readonly title: string;
  readonly kind: "issue" | "pull request";
  readonly state: string;
  readonly author: string;
  readonly labels: readonly string[];
  readonly comments: number;
  readonly updated: string;
  readonly url: string;
}

type Loose = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

export function textOf(value: unknown, most: number): string {
  return typeof value === "string" ? value.slice(0, most) : "";
}

export function authorOf(value: unknown): string {
  return textOf(objectOf(objectOf(value).user).login, 100) || "ghost";
}

export function issueOf(value: unknown): Issue {
  const found = objectOf(value);
  const labels = Array.isArray(found.labels) ? found.labels : [];
  const url = textOf(found.html_url, 500);
  const repository = /^https:\/\/github\.com\/([^/]+\/[^/]+)\//.exec(url)?.[1] ?? "";
  return {
    issue: `${repository}#${Number(found.number) || 0}`,
    title: textOf(found.title, 300),
    kind: found.pull_request ? "pull request" : "issue",
    state: textOf(found.state, 20),
    author: authorOf(found),
    labels: labels.map((label) => textOf(objectOf(label).name, 100) || textOf(label, 100)).filter(Boolean).slice(0, 20),
    comments: Number(found.comments) || 0,
    updated: textOf(found.updated_at, 40),
    url,
  };
}

/** Read a list of issues. Throws an Error for an answer that is none. */
export function issuesOf(answer: unknown): Issue[] {
  if (!Array.isArray(answer)) throw new Error("GitHub did not answer with a list of issues");
  return answer.map(issueOf);
}
