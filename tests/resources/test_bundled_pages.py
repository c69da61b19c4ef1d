"""The pages of the bundled gems in the real engine: they show what their tools return, in both languages and themes."""

import json
from typing import Any

import pytest

from notochord.core.paths import shipped
from support.page_program import Order, Seen
from support.pages import shown

GEMS = shipped("resources") / "gems"
TELL = """
const told = () => ({
  text: document.body.innerText, bars: document.querySelectorAll("#chart .bar").length,
  wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
});
const ready = () => document.body.innerText.includes(READY);
const look = () => (ready() ? notochord.call("tool.report", told()) : setTimeout(look, 50));
look();
"""
THEMES = {
    "light": {"text": "#1d1d1f", "surface": "#ffffff", "accent": "#3a6df0", "border": "#dddddd"},
    "dark": {"text": "#eeeeee", "surface": "#1e1e1e", "accent": "#7aa2ff", "border": "#444444"},
}
SUMMARIES = [
    {
        "file": "sales.csv", "total": "1165.50", "rows": 3, "skipped": 0, "made": 1_796_083_200_000,
        "months": [
            {"month": "2026-01", "total": "1200.00"},
            {"month": "2026-02", "total": "-34.50"},
            {"month": "2026-03", "total": "410.10"},
        ],
    }
]  # fmt: skip
PAPER = {
    "paper": "1", "file": "in/rent.eml", "title": "Rent <b>", "sender": "Anna", "date": "30 Nov", "characters": 1234,
    "summary": "Pay 10 EUR.", "warnings": [],
}  # fmt: skip
ISSUE = {
    "issue": "o/n#12", "title": "Mend the <b>door", "kind": "pull request", "state": "open", "author": "anna",
    "labels": ["bug"], "comments": 1, "updated": "2026-11-30T10:00:00Z", "url": "https://github.com/o/n/pull/12",
}  # fmt: skip


async def page_of(gem: str, page: str, ready: str, answers: dict[str, Any], folder: Any, **look: str) -> Seen:
    """Show a page of a gem until it shows the text `ready`, with tools that answer so."""
    sources = GEMS / gem / "pages"
    files = {f"pages/{file.name}": file.read_text("utf-8") for file in sources.iterdir()}
    html = files.pop(f"pages/{page}.html")
    files["pages/page.html"] = html.replace("</head>", '<script type="module" src="tell.js"></script></head>')
    files["pages/tell.js"] = TELL.replace("READY", json.dumps(ready))
    theme = look.get("theme", "light")
    colours = {"font": "sans-serif", "font-size": "14px", **THEMES[theme]}
    language = look.get("language", "en")
    surroundings = {"colours": colours, "theme": theme, "language": language, "agents": [], "texts": {}}
    order = Order(files=files, answers=answers, surroundings=json.dumps(surroundings), act=look.get("act", ""))
    return await shown(order, folder)


@pytest.mark.parametrize(
    ("gem", "page", "answers", "ready", "language"),
    [
        ("sales-summary", "overview", {"tool.list_summaries": SUMMARIES}, "-34.50", "en"),
        ("sales-summary", "overview", {"tool.list_summaries": SUMMARIES}, "按月销售额", "zh-CN"),
        ("sales-summary", "overview", {"tool.list_summaries": []}, "Nothing has been summed up yet", "en"),
        ("paperwork", "register", {"tool.list_papers": {"papers": [PAPER], "next": "x"}}, "Rent <b>", "en"),
        ("paperwork", "register", {"tool.list_papers": {"papers": []}}, "还没有文档", "zh-CN"),
        ("github-issues", "issues", {"tool.my_issues": {"issues": [ISSUE]}}, "Mend the <b>door", "en"),
        ("github-issues", "issues", {"tool.my_issues": {"issues": []}}, "没有未关闭的", "zh-CN"),
    ],
)
async def test_a_page_shows_what_its_tools_return(
    tmp_path: Any, gem: str, page: str, answers: dict[str, Any], ready: str, language: str
) -> None:
    seen = await page_of(gem, page, ready, answers, tmp_path, language=language)
    assert (seen.problems, seen.loaded) == ([], True)
    assert seen.reported is not None
    assert ready in seen.reported["text"]
    assert not seen.reported["wide"]
    if answers.get("tool.list_summaries"):
        assert seen.reported["bars"] == 3
