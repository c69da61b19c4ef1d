// Runs beside a gem's page in a world of its own: carries the page's calls to the program and the answers back, gives
// the page the program's colours, and shows the bubbles of elements with `data-agent`. The page cannot touch it.
// `surroundings` and `QWebChannel` stand before this text.
(() => {
  "use strict";
  const TO_PROGRAM = "notochord-to-program";
  const FROM_PROGRAM = "notochord-from-program";
  const MOST_CHARACTERS = 1024 * 1024;
  let current = surroundings;
  let program = null;
  let waiting = [];

  function tellProgram(message) {
    const text = JSON.stringify(message);
    if (text.length > MOST_CHARACTERS) {
      const error = { code: "E_PAYLOAD_TOO_LARGE", message: `a message is at most ${MOST_CHARACTERS} characters` };
      tellPage({ number: message.number, error });
    } else if (program) program.receive(text);
    else if (waiting.length < 1000) waiting.push(text);
  }

  function tellPage(message) {
    document.dispatchEvent(new CustomEvent(FROM_PROGRAM, { detail: JSON.stringify(message) }));
  }

  document.addEventListener(TO_PROGRAM, (event) => {
    let message;
    try {
      message = JSON.parse(event.detail);
    } catch {
      return;
    }
    // Whatever else the page sends, only these are its own to say; what a person pressed is told from here.
    if (message?.kind === "ready") {
      tellPage({ theme: current.theme, language: current.language });
    } else if (message?.kind === "call") {
      const { number, target, arguments: given } = message;
      tellProgram({ kind: "call", number, target, arguments: given ?? {} });
    } else if (message?.kind === "cancel") {
      tellProgram({ kind: "cancel", number: message.number });
    }
  });

  new QWebChannel(qt.webChannelTransport, (channel) => {
    program = channel.objects.program;
    program.sent.connect((text) => {
      const message = JSON.parse(text);
      if (message.number !== undefined) tellPage(message);
      else follow(message);
    });
    for (const text of waiting) program.receive(text);
    waiting = [];
  });

  const colours = new CSSStyleSheet();

  function follow(message) {
    current = message;
    const lines = Object.entries(message.colours).map(([name, value]) => `--notochord-${name}: ${value};`);
    // Without weight, so that a page may say otherwise.
    colours.replaceSync(`:where(:root) { color-scheme: ${message.theme}; ${lines.join(" ")} }`);
    if (document.documentElement && !document.documentElement.lang) document.documentElement.lang = message.language;
    tellPage({ theme: message.theme, language: message.language });
    show();
  }

  // -- bubbles

  const BUBBLE = `
    button { all: initial; position: absolute; inset: 0; display: grid; place-items: center; border-radius: 50%;
      background: var(--notochord-accent); cursor: pointer; box-shadow: 0 1px 4px rgb(0 0 0 / 0.3); }
    button:focus-visible { outline: 2px solid var(--notochord-focus); outline-offset: 2px; }
    path { fill: none; stroke: var(--notochord-on-accent); stroke-width: 2; stroke-linejoin: round; }`;
  const SIZE = 24;
  const bubbles = new Map();
  let due = false;

  function bubbleOf(element, agent) {
    const host = document.createElement("notochord-bubble");
    const root = host.attachShadow({ mode: "closed" });
    const look = new CSSStyleSheet();
    look.replaceSync(BUBBLE);
    root.adoptedStyleSheets = [look];
    const button = document.createElement("button");
    button.type = "button";
    button.ariaLabel = current.texts.ask.replace("{agent}", agent);
    button.title = button.ariaLabel;
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("width", "14");
    picture.setAttribute("height", "14");
    picture.setAttribute("aria-hidden", "true");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("d", "M4 5h16v11H11l-5 4v-4H4z");
    picture.append(line);
    button.append(picture);
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      if (!event.isTrusted) return;
      const about = (element.innerText || element.ariaLabel || "").slice(0, 4000);
      tellProgram({ kind: "ask", agent, about });
    });
    root.append(button);
    Object.assign(host.style, { position: "absolute", width: `${SIZE}px`, height: `${SIZE}px`, zIndex: "2147483647" });
    document.documentElement.append(host);
    return host;
  }

  function show() {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      place();
    });
  }

  function place() {
    const wanted = new Set();
    for (const element of document.querySelectorAll("[data-agent]")) {
      const agent = element.getAttribute("data-agent");
      if (!current.agents.includes(agent) || wanted.size >= 100) continue;
      wanted.add(element);
      const known = bubbles.get(element);
      if (known && known.agent !== agent) {
        known.host.remove();
        bubbles.delete(element);
      }
      if (!bubbles.has(element)) bubbles.set(element, { agent, host: bubbleOf(element, agent) });
      const { host } = bubbles.get(element);
      if (!host.isConnected) document.documentElement.append(host);
      const box = element.getBoundingClientRect();
      const seen = box.width > 0 && box.height > 0;
      const left = `${Math.max(0, box.right + scrollX - SIZE / 2 - 4)}px`;
      const top = `${Math.max(0, box.top + scrollY - SIZE / 2 + 4)}px`;
      const display = seen ? "block" : "none";
      // Only what changed: writing is seen by the observer below.
      if (host.style.left !== left) host.style.left = left;
      if (host.style.top !== top) host.style.top = top;
      if (host.style.display !== display) host.style.display = display;
    }
    for (const [element, { host }] of bubbles) {
      if (wanted.has(element)) continue;
      host.remove();
      bubbles.delete(element);
    }
  }

  document.adoptedStyleSheets = [...document.adoptedStyleSheets, colours];
  follow(surroundings);
  document.addEventListener("DOMContentLoaded", () => {
    follow(current);
    if (current.agents.length === 0) return;
    const watched = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(show).observe(document.documentElement, watched);
    addEventListener("resize", show);
    document.addEventListener("scroll", show, { capture: true, passive: true });
  });
})();
