"""Special tokens of models (`<|call|>`) that leak into the end of what they write."""

import re

_TOKENS_AT_THE_END = re.compile(r"(?:\s*<\|[A-Za-z_]{1,32}\|>){1,8}\s*\Z")
_SEARCHED = 512
"""Characters; searching a long run of blanks for the beginning of a token takes time with the square of its length."""


def without_trailing_special_tokens(text: str) -> str:
    """Return the text without the special tokens at its very end; elsewhere they are text."""
    head, tail = text[:-_SEARCHED], text[-_SEARCHED:]
    return head + _TOKENS_AT_THE_END.sub("", tail)
