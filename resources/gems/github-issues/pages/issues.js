/** Shows the open issues of the user; a press opens one in the browser. */

import { TEXTS } from "./texts.js";

const find = (id) => document.querySelector(`#${id}`);
const said = () => TEXTS[notochord.language] ?? TEXTS.en;

let issues = [];
let next;
let asking = new AbortController();

function line(issue) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: issue.url, textContent: issue.title });
  const kind = issue.kind === "pull request" ? said().pull : "";
  const day = new Date(issue.updated).toLocaleDateString(notochord.language);
  const facts = [issue.issue, kind, issue.author, day, ...issue.labels].filter(Boolean).join(" · ");
  item.append(link, Object.assign(document.createElement("small"), { textContent: facts }));
  return item;
}

function show() {
  const texts = said();
  for (const id of ["heading", "reload", "more"]) find(id).textContent = texts[id];
  find("which").setAttribute("aria-label", texts.which);
  for (const option of find("which").options) option.textContent = texts[option.value];
  find("issues").replaceChildren(...issues.map(line));
  find("more").hidden = !next;
}

async function load(page = 1) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  find("trouble").textContent = "";
  find("state").textContent = said().loading;
  try {
    const found = await notochord.call("tool.my_issues", { which: find("which").value, page }, { signal });
    issues = page === 1 ? found.issues : [...issues, ...found.issues];
    next = found.next;
    find("state").textContent = issues.length === 0 ? said().none : "";
  } catch (error) {
    if (signal.aborted) return;
    find("state").textContent = "";
    find("trouble").textContent = /no GitHub account is chosen/.test(error.message) ? said().account : error.message;
  }
  show();
}

find("choice").addEventListener("submit", (event) => {
  event.preventDefault();
  load();
});
find("which").addEventListener("change", () => load());
find("more").addEventListener("click", () => load(next));
notochord.onChange(show);
show();
await load();
