"""Internal marks of models (`<|call|>`) that leak behind what they write."""

import re

_MARKS_AT_THE_END = re.compile(r"(?:\s*<\|[A-Za-z_]{1,32}\|>){1,8}\s*\Z")
_SEARCHED = 512
"""Characters; searching a long run of blanks for the beginning of a mark takes time with the square of its length."""


def without_trailing_marks(text: str) -> str:
    """Return the text without the marks at its very end; elsewhere they are text."""
    head, tail = text[:-_SEARCHED], text[-_SEARCHED:]
    return head + _MARKS_AT_THE_END.sub("", tail)
