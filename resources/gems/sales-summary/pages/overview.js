/** Shows the totals of a file's months as bars and as a table. */

import { barsOf } from "./bars.js";
import { TEXTS } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const find = (id) => document.querySelector(`#${id}`);
const said = () => TEXTS[notochord.language] ?? TEXTS.en;

let summaries = [];

function made(kind, attributes, text) {
  const element = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function chart(months) {
  const { bars, base, width, height } = barsOf(months);
  const label = said().chart(months.length);
  const svg = made("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const bar of bars) {
    const place = { x: bar.x, y: bar.y, width: bar.width, height: bar.height, rx: 2 };
    const rectangle = made("rect", { ...place, class: bar.below ? "bar below" : "bar" });
    rectangle.append(made("title", {}, `${bar.month}: ${bar.total}`));
    svg.append(rectangle);
    if (bar.label) svg.append(made("text", { x: bar.x + bar.width / 2, y: height - 4 }, bar.label));
  }
  svg.append(made("line", { x1: 0, x2: width, y1: base, y2: base, class: "base" }));
  return svg;
}

function row({ month, total }) {
  const line = document.createElement("tr");
  const cells = [month, total].map((text) => Object.assign(document.createElement("td"), { textContent: text }));
  cells[1].className = "number";
  line.append(...cells);
  return line;
}

function show() {
  const texts = said();
  for (const [id, text] of [["heading", "heading"], ["file-label", "file"], ["month-title", "month"]]) {
    find(id).textContent = texts[text];
  }
  find("total-title").textContent = texts.total;
  find("all").textContent = texts.all;
  find("empty").textContent = texts.empty;
  const chosen = summaries[Number(find("file").value)];
  for (const id of ["choice", "table"]) find(id).hidden = !chosen;
  find("empty").hidden = Boolean(chosen);
  if (!chosen) return;
  const time = new Date(chosen.made).toLocaleString(notochord.language);
  find("facts").textContent = texts.facts(chosen.rows, chosen.skipped, time);
  find("chart").replaceChildren(chart(chosen.months));
  find("rows").replaceChildren(...chosen.months.map(row));
  find("total").textContent = chosen.total;
}

async function load() {
  try {
    summaries = await notochord.call("tool.list_summaries");
    find("file").replaceChildren(...summaries.map(({ file }, place) => new Option(file, place)));
  } catch (error) {
    find("trouble").textContent = error.message;
  }
  show();
}

find("choice").addEventListener("submit", (event) => event.preventDefault());
find("file").addEventListener("change", show);
notochord.onChange(show);
await load();
