"""Real pages in the real engine, in a program of their own, walled in as for users."""

import json
import re
from pathlib import Path

import pytest

from notochord.qt_adapters.web.policy import violated
from support.page_program import Order
from support.pages import shown

GUIDE = Path(__file__).parents[3] / "docs" / "gems" / "pages.md"
HTML = (
    "<!doctype html><html><head><meta charset=utf-8><title>t</title><link rel=stylesheet href=/notochord.css>"
    "<script type=module src=page.js></script></head><body><h1 id=head data-agent=helper>Größe 大小</h1>"
    "<p>needle and needle</p><input aria-label=One></body></html>"
)
AGENTS = (
    '{"colours": {"accent": "#ff0000", "on-accent": "#fff", "focus": "#00f"}, "theme": "light", "language": "en",'
    ' "agents": ["helper"], "texts": {"ask": "Ask {agent} about this"}}'
)


def order(script: str, act: str = "", **more: object) -> Order:
    return Order(files={"pages/page.html": HTML, "pages/page.js": script}, act=act, **more)  # type: ignore[arg-type]


@pytest.mark.req("GEM-067")
async def test_a_page_calls_tools_hears_failures_and_is_told_theme_language_and_colours(tmp_path: Path) -> None:
    script = """
    const back = await notochord.call("tool.echo", { a: [1, "ü", null] });
    const code = await notochord.call("tool.fail").then(() => "", (error) => `${error.code} ${error.message}`);
    const given = new AbortController();
    const late = notochord.call("tool.never", {}, { signal: given.signal }).catch((error) => error.name);
    given.abort();
    const style = getComputedStyle(document.documentElement);
    let first = true;
    const report = async () => notochord.call("tool.report", {
      back, code, late: await late, theme: notochord.theme, language: notochord.language,
      colour: style.getPropertyValue("--notochord-text"), scheme: style.colorScheme,
      title: document.querySelector("#head").textContent,
    });
    notochord.onChange(report);
    await report();
    """
    seen = await shown(order(script, "theme"), tmp_path)
    told = seen.reported
    assert told["back"] == {"a": [1, "ü", None]}
    assert told["code"] == "E_TOOL_FAILED it failed"
    assert told["late"] == "AbortError"
    assert any('"kind":"cancel"' in message for message in seen.messages)
    assert told["title"] == "Größe 大小"
    assert (told["theme"], told["language"], told["colour"], told["scheme"]) == ("light", "zh-CN", "#abcdef", "light")
    assert (seen.problems, seen.walled, seen.loaded) == ([], True, True)


async def test_tab_leads_into_the_page_and_out_of_it(tmp_path: Path) -> None:
    seen = await shown(order("notochord.call('tool.report', {})", "tab"), tmp_path)
    assert seen.acted == ["page", "after", "before"]


async def test_a_text_is_found_and_counted(tmp_path: Path) -> None:
    seen = await shown(order("notochord.call('tool.report', {})", "find"), tmp_path)
    assert seen.acted == [[1, 2], [2, 2]]


@pytest.mark.req("AGENT-011")
async def test_pressing_the_bubble_of_an_element_asks_the_agent_it_names_about_its_text(tmp_path: Path) -> None:
    script = """
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    addEventListener("load", async () => {
      while (!document.querySelector("notochord-bubble")?.getBoundingClientRect().width) await drawn();
      await drawn();
      const box = document.querySelector("notochord-bubble").getBoundingClientRect();
      notochord.call("tool.report", [box.x + box.width / 2, box.y + box.height / 2]);
    });
    """
    seen = await shown(order(script, "bubble", surroundings=AGENTS), tmp_path)
    asked = [json.loads(message) for message in seen.messages if '"ask"' in message]
    assert asked == [{"kind": "ask", "agent": "helper", "about": "Größe 大小"}]


async def test_a_browser_keeps_nothing_for_a_page(tmp_path: Path) -> None:
    script = """
    const tried = async (work) => { try { return await work(); } catch (error) { return error.name; } };
    const opened = (request) => new Promise((yes, no) => {
      request.onsuccess = () => yes("opened");
      request.onerror = () => no(request.error);
    });
    notochord.call("tool.report", {
      local: await tried(() => localStorage.setItem("a", "1")),
      session: await tried(() => sessionStorage.setItem("a", "1")),
      cookie: await tried(() => { document.cookie = "a=1"; return document.cookie; }),
      database: await tried(() => opened(indexedDB.open("a"))),
      caches: await tried(() => caches.open("a")),
      folder: await tried(() => navigator.storage.getDirectory()),
    });
    """
    seen = await shown(order(script), tmp_path)
    assert seen.reported == {
        "local": "TypeError",
        "session": "SecurityError",
        "cookie": "",
        "database": "UnknownError",
        "caches": "SecurityError",
        "folder": "SecurityError",
    }


@pytest.mark.req("ORG-010")
async def test_the_engine_leaves_nothing_on_the_disk_that_organizations_could_share(tmp_path: Path) -> None:
    script = "globalThis.word = 'canary-of-a-page'; notochord.call('tool.report', {});"
    await shown(order(script), tmp_path)
    kept = [path for path in tmp_path.rglob("*") if "QtWebEngine" in path.parts or path.is_file()]
    assert [path for path in kept if "QtWebEngine" in path.parts] == []
    assert [path for path in kept if b"canary-of-a-page" in path.read_bytes()] == []


async def test_a_page_that_never_returns_keeps_neither_the_program_busy_nor_itself_alive(tmp_path: Path) -> None:
    script = "notochord.call('tool.report', {}).catch(() => 0); setTimeout(() => { for (;;); }, 50)"
    seen = await shown(order(script, "busy"), tmp_path)
    assert seen.acted == 50
    assert seen.reported == {}


async def test_a_script_that_fails_is_told_of_with_its_place(tmp_path: Path) -> None:
    seen = await shown(order("notochord.call('tool.report', {}); nothing.there()", "problem"), tmp_path)
    assert [problem.startswith("pages/page.js:1: Uncaught ReferenceError") for problem in seen.problems] == [True]


async def test_a_link_leads_out_only_through_the_program(tmp_path: Path) -> None:
    script = """
    const links = [["", "https://bücher.example/a"], ["_blank", "https://b.example/"], ["", "data:text/html,x"]];
    for (const [target, href] of links) {
      const link = Object.assign(document.createElement("a"), { target, href });
      document.body.append(link);
      link.click();
      await new Promise((done) => setTimeout(done, 100));
    }
    notochord.call("tool.report", location.pathname);
    """
    seen = await shown(order(script, "link"), tmp_path)
    assert seen.links[0] == "https://xn--bcher-kva.example/a"
    assert all(link.startswith("https://") for link in seen.links)
    assert seen.reported == "/pages/page.html"


async def test_the_page_of_the_authors_guide_adds_and_shows_what_its_tools_keep(tmp_path: Path) -> None:
    found = re.findall(r"^```\w+ (pages/\S+)\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    files = dict(found)
    files["pages/page.html"] = files["pages/list.html"].replace("</body>", "<script src=try.js></script></body>")
    files["pages/try.js"] = """
    addEventListener("load", async () => {
      const wait = () => new Promise((done) => setTimeout(done, 300));
      await wait();
      document.querySelector("#name").value = "Bread";
      document.querySelector("button").click();
      await wait();
      notochord.call("tool.report", document.querySelector("#trouble").textContent);
    });
    """
    seen = await shown(Order(files=files), tmp_path)
    targets = [json.loads(message)["target"] for message in seen.messages]
    assert targets == ["tool.list_items", "tool.add_item", "tool.report"]
    assert [problem for problem in seen.problems if "Refused" in problem] == []


@pytest.mark.parametrize(
    ("message", "directive"),
    [
        ("Refused to connect to 'http://a/' because it violates the following Content Security Policy directive: "
         "\"connect-src 'none'\".", "connect-src"),
        ("Permissions policy violation: camera is not allowed in this document.", "camera"),
        ("Uncaught TypeError: total is not a function", None),
        ('Content Security Policy directive: "canary words of the page', None),
    ],
)  # fmt: skip
def test_a_violation_of_the_policy_is_told_by_its_directive_alone(message: str, directive: str | None) -> None:
    assert violated(message) == directive
