"""Titles of conversations, from their first message (MODEL-060 to MODEL-063, OPEN-071, OPEN-072)."""

import re

from notochord.core.flat_text import flattened
from notochord.services.chat.records import TitleState

SHORT = 6
PROVISIONAL = 30
LONGEST = 60

_SENTENCE = re.compile(r".+?(?:[.!?](?=\s)|[\u3002\uff01\uff1f])")
_ENDS = ".!\u3002\uff01"
_QUOTES = "\"'“”„«»「」『』《》*#` "


def first_title(text: str, attachments: tuple[str, ...]) -> tuple[str, TitleState]:
    """Return the title to begin with: a message of at most six characters is its own title; others get a better one."""
    trimmed = text.strip()
    if not trimmed:
        return (flattened(attachments[0])[:LONGEST] if attachments else "", TitleState.FINAL)
    if len(trimmed) <= SHORT:
        return flattened(trimmed), TitleState.FINAL
    return flattened(trimmed)[:PROVISIONAL].rstrip(), TitleState.PROVISIONAL


def beginning(text: str) -> str:
    """Return the first sentence of a message as its title, cut between words at sixty characters."""
    lines = [line for line in text.splitlines() if line.strip()]
    line = flattened(lines[0]).strip() if lines else ""
    sentence = _SENTENCE.match(line)
    title = sentence[0].rstrip(_ENDS) if sentence else line
    if len(title) <= LONGEST:
        return title
    cut = title[:LONGEST]
    words, blank, _ = cut.rpartition(" ")
    return (words if blank and len(words) > LONGEST // 2 else cut[: LONGEST - 1]).rstrip(" ,;:\uff0c\u3001\uff1b") + "…"


def cleaned(generated: str) -> str:
    """Return a model's title as one line of at most sixty characters, without quotation marks around it."""
    lines = [line for line in generated.splitlines() if line.strip()]
    return flattened(lines[0]).strip(_QUOTES)[:LONGEST].rstrip() if lines else ""
