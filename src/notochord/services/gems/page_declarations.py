"""The pages of a gem: what its manifest says of them, and what their files may be."""

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from notochord.core.strict_json import Json
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.problems import problem

JsonObject = dict[str, Json]

FOLDER = "pages/"
MAX_FILE_BYTES = 8 * 1024 * 1024
MEDIA_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".txt": "text/plain",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""The kinds of files that a page may consist of."""

_TEXTS = frozenset({".html", ".css", ".js", ".mjs", ".json", ".txt", ".svg"})
_ADDRESSES = frozenset({"src", "href", "srcset", "action", "formaction", "poster", "data", "background"})
_ELSEWHERE = ("http:", "https:", "ws:", "wss:", "//", "file:", "javascript:")


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One entry of `pages` of a manifest."""

    name: str
    title: str
    entry: str


def pages_of(raw: JsonObject) -> tuple[PageRecord, ...]:
    """Return the pages of a manifest that the schema accepted, in the author's order."""
    entries = raw.get("pages", [])
    if not isinstance(entries, list):
        return ()
    return tuple(
        PageRecord(str(entry["name"]), str(entry["title"]), str(entry["entry"]))
        for entry in entries
        if isinstance(entry, dict)
    )


def page_problems(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    """Find what is wrong with the declared pages and with the files below `pages/` (GEM-005)."""
    pages = pages_of(manifest.raw)
    names: set[str] = set()
    for number, page in enumerate(pages):
        where = f"pages.{number}"
        if page.name in names:
            yield problem("page_repeated", where, f"two pages are named {page.name}", name=page.name)
        names.add(page.name)
        if not page.entry.startswith(FOLDER) or not page.entry.endswith(".html") or page.entry not in manifest.files:
            detail = f"{page.entry!r} is no .html file below pages/"
            yield problem("page_entry", f"{where}.entry", detail, entry=page.entry)
    paths = sorted(path for path in manifest.files if path.startswith(FOLDER))
    if paths and not pages:
        yield problem("page_undeclared", FOLDER, "pages/ has files, and the manifest names no page")
    for path in paths:
        yield from _file_problems(path, manifest.files[path].size, folder)


def _file_problems(path: str, size: int, folder: Path) -> Iterator[Problem]:
    suffix = Path(path).suffix
    if suffix not in MEDIA_TYPES:
        kinds = ", ".join(sorted(MEDIA_TYPES))
        yield problem("page_kind", path, f"pages consist of {kinds}", kinds=kinds)
    elif size > MAX_FILE_BYTES:
        yield problem("page_size", path, f"over {MAX_FILE_BYTES} bytes", limit=MAX_FILE_BYTES)
    elif suffix in _TEXTS:
        try:
            text = (folder / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            yield problem("not_utf8", path, "not UTF-8 text")
            return
        if suffix == ".html":
            yield from _html_problems(path, text)


def _html_problems(path: str, text: str) -> Iterator[Problem]:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    if reader.inline:
        detail = f"{reader.inline}: scripts and styles stand in files of their own"
        yield problem("page_inline", path, detail, what=reader.inline)
    if reader.elsewhere:
        detail = f"{reader.elsewhere} is not part of the gem, and pages load nothing else"
        yield problem("page_elsewhere", path, detail, address=reader.elsewhere)


class _Reader(HTMLParser):
    """Finds the first thing of each sort that the policy of pages would refuse without a word."""

    def __init__(self) -> None:
        super().__init__()
        self.inline = ""
        self.elsewhere = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline = self.inline or f"<{tag}>"
        for name, value in given.items():
            if name == "style" or name.startswith("on"):
                self.inline = self.inline or f"<{tag} {name}>"
            leads = value.strip().lower().startswith(_ELSEWHERE)
            if name in _ADDRESSES and leads and not (tag == "a" and "javascript:" not in value.lower()):
                self.elsewhere = self.elsewhere or value.strip()[:200]
