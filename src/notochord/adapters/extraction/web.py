"""HTML: the main text of a page as Markdown, or all of its text where there is no main part."""

import re
from typing import Any

from lxml import etree, html
from trafilatura import extract

from notochord.adapters.extraction.failures import Unreadable, Why
from notochord.adapters.extraction.findings import Findings, paragraphs
from notochord.adapters.extraction.plain import decoded

MAX_CHARACTERS = 20 * 1024 * 1024
FEWEST = 200
"""With fewer characters of main text than these, the whole page is taken if it has more than twice as much."""

_CHARSET = re.compile(rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9._:-]{2,40})", re.I)
_NO_TEXT = ("script", "style", "noscript", "template", "head", "svg", "iframe", "object")
_BLOCKS = frozenset({
    *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "fieldset", "figcaption", "figure"),
    *("footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre"),
    *("section", "table", "tr", "ul"),
})  # fmt: skip
_SPACES = re.compile(r"[ \t\u00a0]+")


def read_html(content: bytes, encoding: str, found: Findings) -> None:
    text = markup(content, encoding, found)
    root = _parsed(text)
    found.title(root.findtext(".//title"))
    main = _main(text)
    whole = whole_text(root)
    found.part("", whole if len(main) < FEWEST and len(whole) > 2 * len(main) else main or whole)


def text_of_html(text: str) -> str:
    """Return all text of a piece of HTML, such as the body of a mail."""
    return whole_text(_parsed(text)) if text.strip() else ""


def markup(content: bytes, encoding: str, found: Findings) -> str:
    if not encoding and (stated := _CHARSET.search(content[:4096])) and not _has_mark(content):
        try:
            return decoded(content, stated[1].decode("ascii"), found)
        except Unreadable:
            found.warn("the page states an encoding that there is not")
    return decoded(content, encoding, found)


def whole_text(root: Any) -> str:
    for element in list(root.iter(*_NO_TEXT)):
        if element.getparent() is not None:
            element.drop_tree()
    pieces: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        block = element.tag in _BLOCKS
        if event == "start":
            pieces.append("\n" if block else "")
            pieces.append(element.text or "" if isinstance(element.tag, str) else "")
        else:
            pieces.append("\n" if block else "\t" if element.tag in ("td", "th") else "")
            pieces.append(element.tail or "")
    lines = (_SPACES.sub(" ", line).strip() for line in "".join(pieces).split("\n"))
    return paragraphs("\n".join(lines)).strip()


def _main(text: str) -> str:
    try:
        return extract(text, output_format="markdown", include_comments=False, favor_recall=True) or ""
    except (MemoryError, RecursionError):
        raise
    except Exception:  # whatever the library makes of a strange page: all of its text is there as well
        return ""


def _parsed(text: str) -> Any:
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(Why.LIMIT, "the page is too long")
    parser = html.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(Why.DAMAGED, f"the page cannot be read: {error}"[:300]) from error
    return root


def _has_mark(content: bytes) -> bool:
    return content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
