"""Finds in a document of `docs/prompts/` what is to be said to the assistant."""

import re

_FENCE = re.compile(r"^(?P<fence>```+|~~~+)[^\n]*\n(?P<text>.*?)\n(?P=fence)[ \t]*$", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(r"^ {0,3}> ?(.*)$", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6} .*\n?", re.MULTILINE)


def prompt_in(text: str) -> str:
    """Return the first fenced text, else what is quoted, else everything but the headings."""
    if found := _FENCE.search(text):
        return found["text"].strip()
    if quoted := _QUOTED.findall(text):
        return "\n".join(quoted).strip()
    return _HEADING.sub("", text).strip()
