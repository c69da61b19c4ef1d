"""The work of cutting a long text grows with its length, whatever it looks like; counted, not timed."""

import pytest

from notochord.viewmodels.chat.markdown.coarse import cut
from notochord.viewmodels.chat.markdown.grammar import make_parser

LENGTH = 300_000


class CountedText(str):
    """A text that counts the characters gone through in search of something."""

    searched = 0

    def find(self, wanted: str, begin: int = 0, end: int | None = None, /) -> int:  # type: ignore[override]
        stop = len(self) if end is None else end
        found = super().find(wanted, begin, stop)
        self.searched += max(0, (stop if found < 0 else found) - begin)
        return found

    def rfind(self, wanted: str, begin: int = 0, end: int | None = None, /) -> int:  # type: ignore[override]
        stop = len(self) if end is None else end
        found = super().rfind(wanted, begin, stop)
        self.searched += max(0, stop - (begin if found < 0 else found))
        return found


@pytest.mark.parametrize(
    "unit",
    ["x", "word ", "line\n", "| a | b |\n", "- item\n", "paragraph\n\n", "```\ncode\n```\n", "]:", "[a]: b\n"],
)
@pytest.mark.parametrize("head", ["", "x" * (LENGTH // 2) + "\n"])
def test_no_shape_of_a_long_text_is_gone_through_again_and_again(head: str, unit: str) -> None:
    """One paragraph of 16 million characters, the longest reply there is, once held the window for a minute."""
    text = CountedText((head + unit * LENGTH)[:LENGTH])

    cuts = cut(text, make_parser())

    assert cuts[0].at == 0
    assert text.searched < 20 * LENGTH
