/** Shows the register: what was read, found by words, and summed up on demand. */

import { TEXTS } from "./texts.js";

const find = (id) => document.querySelector(`#${id}`);
const said = () => TEXTS[notochord.language] ?? TEXTS.en;

let papers = [];
let next;
let searching = false;

function made(kind, text, className = "") {
  return Object.assign(document.createElement(kind), { textContent: text, className });
}

function button(text, act) {
  const element = made("button", text);
  element.addEventListener("click", () => attempt(() => act(element)));
  return element;
}

function card(paper) {
  const box = made("article", "", "card");
  const origin = [paper.sender, paper.date].filter(Boolean).join(" · ");
  box.append(made("h2", paper.title || paper.file));
  box.append(made("p", said().facts(paper.file, paper.characters.toLocaleString(notochord.language)), "soft"));
  if (origin) box.append(made("p", origin, "soft"));
  if (paper.summary || paper.excerpt) box.append(made("p", paper.summary || paper.excerpt));
  const actions = made("div", "", "actions");
  if (!paper.summary) actions.append(button(said().sumUp, (pressed) => sumUp(paper, pressed)));
  actions.append(button(said().forget, () => forget(paper)));
  box.append(actions);
  return box;
}

function show() {
  const texts = said();
  find("heading").textContent = texts.heading;
  find("words").setAttribute("aria-label", texts.words);
  find("words").placeholder = texts.words;
  find("find").textContent = texts.find;
  find("more").textContent = texts.more;
  find("more").hidden = !next;
  find("empty").textContent = searching ? texts.nothing : texts.empty;
  find("empty").hidden = papers.length > 0;
  find("papers").replaceChildren(...papers.map(card));
}

async function sumUp(paper, pressed) {
  pressed.disabled = true;
  pressed.textContent = said().summing;
  try {
    const { summary } = await notochord.call("tool.sum_up_paper", { paper: paper.paper });
    papers = papers.map((one) => (one.paper === paper.paper ? { ...one, summary } : one));
  } finally {
    show();
  }
}

async function forget(paper) {
  await notochord.call("tool.forget_paper", { paper: paper.paper });
  papers = papers.filter((one) => one.paper !== paper.paper);
  show();
}

async function list(after) {
  const page = await notochord.call("tool.list_papers", after ? { after } : {});
  papers = after ? [...papers, ...page.papers] : page.papers;
  next = page.next;
  searching = false;
  show();
}

async function search(words) {
  papers = await notochord.call("tool.find_papers", { words, limit: 50 });
  next = undefined;
  searching = true;
  show();
}

async function attempt(act) {
  find("trouble").textContent = "";
  try {
    await act();
  } catch (error) {
    find("trouble").textContent = error.message;
  }
}

find("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const words = find("words").value.trim();
  attempt(() => (words ? search(words) : list()));
});
find("more").addEventListener("click", () => attempt(() => list(next)));
notochord.onChange(show);
show();
await attempt(() => list());
