/** Reads the names of repositories and issues as people and models write them. */

const REPOSITORY = /^(?:https?:\/\/(?:www\.)?github\.com\/)?([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))\/([A-Za-z0-9._-]{1,100})/;

/** Return `owner/name`. Throws an Error for what is none. */
export function repositoryNamed(asked: string): string {
  const [whole, owner, name] = REPOSITORY.exec(asked.trim()) ?? [];
  const bare = name?.replace(/\.git$/, "");
  const rest = asked.trim().slice(whole?.length ?? 0);
  if (!owner || !bare || /^\.+$/.test(bare) || !/^(?:$|[/#?])/.test(rest)) {
    throw new Error(`${JSON.stringify(asked.slice(0, 100))} is no repository: write owner/name`);
  }
  return `${owner}/${bare}`;
}

/** Return the repository and number of an issue or pull request. Throws an Error for what is none. */
export function issueNamed(asked: string): { readonly repository: string; readonly number: number } {
  const found = /(?:#|\/(?:issues|pull)\/)(\d{1,9})(?:$|[/#?])/.exec(asked.trim());
  if (!found) throw new Error(`${JSON.stringify(asked.slice(0, 100))} is no issue: write owner/name#12`);
  return { repository: repositoryNamed(asked.trim().slice(0, found.index)), number: Number(found[1]) };
}
