"""The cut of a growing text: parts parse to what the whole does, however the text arrives, and closed ones stay."""

from collections.abc import Iterable
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from notochord.viewmodels.chat.markdown.coarse import cut, harvest
from notochord.viewmodels.chat.markdown.grammar import make_parser, new_env
from notochord.viewmodels.chat.markdown.leaves import Kind, leaves_of
from notochord.viewmodels.chat.markdown.segments import Segment
from notochord.viewmodels.chat.markdown.splitter import LONG_LINE, Splitter

PARSER = make_parser()
FRAGMENTS = [
    *("- ", "* ", "+ ", "1. ", "2) ", "> ", "\n", "\n\n", "\n", "\n\n", "  ", "    ", "\t", "   ", "a", "b c", "text"),
    *("**x**", "*", "_", "`c`", "```\n", "\n```\n", "```py\n", "\n   ```\n", "~~~\n", "\n~~~\n", "````\n"),
    *("```markdown\n", "\n```markdown\n", "\n\n```\n", "# h", "\n# h\n", "## x | y", "#", "[a]: /u\n"),
    *("\n\n[a]: /u\n", "[a]", "[b][a]", "[B]", "![i](/p)", "|-|", "|a|b|\n|-|-|\n|1|2|\n", "| x | y |\n"),
    *("\n|-|-|\n", "a | b\n", "---", "\n---\n", "===", "\n===\n", "\\", "<b>", "</div>\n", "&amp;", "\r\n", "\r"),
    *("中文", "**「中」**后", "$x$", "$$", "\n$$\na\n$$\n", "\\[", "\\]", "\\(x\\)", "\n\\[\n", "x\n", "1", "0."),
    *("https://a.b/c", "~~s~~", "!", "\n> - ", "\n  - ", "\n    - x\n"),
]
documents = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=60).map("".join)
sizes = st.lists(st.integers(1, 40), min_size=1, max_size=30)


def normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def comparable(tokens: Iterable[Token]) -> list[tuple[Any, ...]]:
    """What of tokens has to be equal: all but the line numbers."""
    return [
        (t.type, t.level, t.content, t.markup, t.hidden, [(c.type, c.content, c.attrs) for c in t.children or ()])
        if t.type == "inline"
        else (t.type, t.level, t.tag, t.markup, t.info, t.content, t.attrs, t.hidden)
        for t in tokens
    ]


def pieces(text: str, lengths: list[int]) -> Iterable[str]:
    at, turn = 0, 0
    while at < len(text):
        step = lengths[turn % len(lengths)]
        yield text[at : at + step]
        at, turn = at + step, turn + 1


def split(chunks: Iterable[str]) -> Splitter:
    splitter = Splitter(PARSER)
    for chunk in chunks:
        splitter.feed(chunk)
    splitter.finish()
    return splitter


@given(documents, sizes)
@settings(max_examples=200)
def test_the_tokens_of_the_segments_are_those_of_the_whole(text: str, lengths: list[int]) -> None:
    splitter = split(pieces(text, lengths))
    found = [token for segment in splitter.segments for token in splitter.tokens(segment)]
    whole = normal(text)
    assert comparable(found) == comparable(PARSER.parse(whole if whole.endswith("\n") else whole + "\n", new_env()))


def ordinary(text: str) -> bool:
    return text.isascii() and not any(sign in text for sign in ("$", "\\[", "\\(", "markdown", "<", "****"))


@given(documents.filter(ordinary))
@settings(max_examples=100)
def test_a_text_without_our_additions_reads_as_commonmark_says(text: str) -> None:
    stock = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    stripped = PARSER.parse(text, new_env())
    for token in stripped:
        token.info = token.info.strip()
    theirs = stock.parse(text, new_env())
    for token in theirs:
        token.info = token.info.strip()
    assert comparable(stripped) == comparable(theirs)


@given(documents, sizes)
@settings(max_examples=100)
def test_streaming_cuts_as_bulk_does(text: str, lengths: list[int]) -> None:
    assert [s.lines for s in split(pieces(text, lengths)).segments] == [s.lines for s in split([text]).segments]


@given(documents, sizes)
@settings(max_examples=100)
def test_a_closed_segment_never_changes(text: str, lengths: list[int]) -> None:
    splitter = Splitter(PARSER)
    frozen: dict[Segment, tuple[Any, ...]] = {}
    for chunk in pieces(text, lengths):
        splitter.feed(chunk)
        for segment in splitter.segments[:-1]:
            assert segment.closed
            now = (tuple(segment.lines), segment.goes_on)
            assert frozen.setdefault(segment, now) == now


@given(documents, sizes)
@settings(max_examples=100)
def test_the_sources_of_the_segments_are_the_text(text: str, lengths: list[int]) -> None:
    splitter = split(pieces(text, lengths))
    assert "".join(segment.source() for segment in splitter.segments).rstrip() == normal(text).rstrip()


@given(documents, st.integers(40, 400))
@settings(max_examples=100)
def test_a_glance_cuts_a_long_text_without_losing_a_character(text: str, size: int) -> None:
    whole = normal(text) * 12
    cuts = [found.at for found in cut(whole, PARSER, size)]
    assert cuts[0] == 0
    assert cuts == sorted(set(cuts))
    assert cuts[-1] < len(whole) or not whole


@given(
    st.lists(
        st.sampled_from(["Word word.\n\n", "```\ncode\n\nmore\n```\n\n", "# Head\n\n", "Other.\nLine.\n\n"]),
        min_size=30,
    )
)
@settings(max_examples=50)
def test_a_glance_cuts_so_that_the_parts_parse_to_the_whole(blocks: list[str]) -> None:
    whole = "".join(blocks)
    cuts = [found.at for found in cut(whole, PARSER, 60)]
    parts = [whole[a:b] for a, b in zip(cuts, [*cuts[1:], len(whole)], strict=True)]
    found = [token for part in parts for token in PARSER.parse(part, new_env())]
    assert comparable(found) == comparable(PARSER.parse(whole, new_env()))


def test_an_inner_fence_with_a_language_does_not_end_a_markdown_fence() -> None:
    text = "```markdown\n# Title\n\n```python\na = 1\n```\n\n## Other\n\n```sh\nls\n```\n```\n\nafter\n"
    splitter = split([text])
    kinds = [leaf.kind for segment in splitter.segments for leaf in leaves_of(splitter, segment)]
    assert kinds == [Kind.CODE, Kind.TEXT]


def test_an_inner_fence_without_a_language_does_not_end_a_markdown_fence() -> None:
    text = "```md\n# Title\n\n```\nplain\n```\n\n## Other\n```\n\nafter\n"
    splitter = split(pieces(text, [3]))
    found = [leaf for segment in splitter.segments for leaf in leaves_of(splitter, segment)]
    assert [leaf.kind for leaf in found] == [Kind.CODE, Kind.TEXT]
    assert found[0].text == "# Title\n\n```\nplain\n```\n\n## Other"


@pytest.mark.parametrize("inner", ["```", "```sh"])
@pytest.mark.parametrize("lengths", [[10_000], [3]])
def test_a_heading_between_two_inner_fences_stays_in_the_markdown_fence(inner: str, lengths: list[int]) -> None:
    """Known fault A5."""
    inside = f"Intro\n\n{inner}\nls\n```\n\n## Between\n\n{inner}\npwd\n```"
    splitter = split(pieces(f"```markdown\n{inside}\n```\n\nafter\n", lengths))
    found = [leaf for segment in splitter.segments for leaf in leaves_of(splitter, segment)]
    assert [(leaf.kind, leaf.text) for leaf in found] == [(Kind.CODE, inside), (Kind.TEXT, "after")]


def test_deltas_of_white_space_are_kept() -> None:
    splitter = Splitter(PARSER)
    for delta in ("```python", "\n", "def", " ", "f():", "\n    ", "pass", "\n```"):
        splitter.feed(delta)
    splitter.finish()
    (leaf,) = leaves_of(splitter, splitter.segments[0])
    assert (leaf.text, leaf.language) == ("def f():\n    pass", "python")


def test_a_late_definition_makes_the_segment_that_used_it_new() -> None:
    splitter = Splitter(PARSER)
    splitter.feed("See [it].\n\nmore\n\n")
    before = splitter.segments[0].version
    splitter.feed("[it]: https://example.com\n\nend")
    splitter.finish()
    assert splitter.segments[0].version > before
    assert leaves_of(splitter, splitter.segments[0])[0].line.spans[0].address == "https://example.com"


def test_a_definition_far_away_reaches_a_part_that_is_parsed_alone() -> None:
    text = "See [it].\n\n" + "Words and words.\n\n" * 2000 + "[it]: https://example.com\n"
    env = new_env()
    harvest(text, PARSER, env)
    assert "IT" in env["references"]


def test_a_table_cut_inside_keeps_its_head() -> None:
    text = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 4000
    later = cut(text, PARSER)[1]
    assert later.goes_on.table_head == ("| a | b |", "|---|---|")


def test_an_endless_numbered_list_goes_on_counting() -> None:
    splitter = split(["1. item of the list\n" * 1000])
    markers = [leaf.marker for segment in splitter.segments for leaf in leaves_of(splitter, segment)]
    assert markers == [f"{n}." for n in range(1, 1001)]


def test_a_long_line_keeps_its_text_in_pieces() -> None:
    text = "x" * (3 * LONG_LINE) + "\nend\n"
    splitter = split(pieces(text, [4096]))
    first, second = splitter.segments[0], splitter.segments[1]
    assert 0 in second.joins
    assert first.source(ends=False) + second.source(ends=False) == "x" * (len(first.lines[0]) + len(second.lines[0]))


def test_a_long_line_of_code_stays_one_line() -> None:
    line = "y" * 200_000
    splitter = split(pieces(f"```\n{line}\n```\n", [5000]))
    assert leaves_of(splitter, splitter.segments[0])[0].text == line


@pytest.mark.parametrize(
    "text",
    [
        "[" * 16_000,
        "[a](" * 4_000,
        "![" * 8_000,
        "*a " * 5_000,
        "*a_ " * 4_000,
        "`" + " ``" * 5_000,
        "<a:" * 5_000,
        "&" * 16_000,
        ">" * 100_000,
        "- " * 50_000,
        "$a " * 5_000,
        "\\(" * 8_000,
        "|" + "a|" * 4_000 + "\n|" + "-|" * 4_000 + "\n" + "|a|\n" * 100,
        "\0" * 16_000,
        "\u202e" * 10_000,
        "\u200b" * 10_000,
        "a\u0301" * 8_000,
        "\n".join(" " * n + "- a" for n in range(0, 400, 2)),
    ],
    ids=range(18),
)
def test_hostile_texts_are_read_to_their_end(text: str) -> None:
    splitter = split([text])
    found = [leaf for segment in splitter.segments for leaf in leaves_of(splitter, segment)]
    assert found


def test_a_text_nested_too_deep_is_shown_as_it_was_written() -> None:
    text = ">" * 100 + " deep"
    splitter = split([text])
    assert [leaf.text for leaf in leaves_of(splitter, splitter.segments[0])] == [text]


def test_the_work_for_a_stream_grows_with_its_length_only() -> None:
    reads: list[int] = []

    class Counting(Splitter):
        def tokens(self, segment: Segment) -> list[Token]:
            reads.append(len(segment.text()))
            return super().tokens(segment)

    def work(text: str) -> int:
        reads.clear()
        splitter = Counting(PARSER)
        for chunk in pieces(text, [50]):
            splitter.feed(chunk)
            leaves_of(splitter, splitter.segments[-1])
        return sum(reads)

    one = "A sentence of it.\n\n```py\n" + "code = 1\n" * 40 + "```\n\n|a|b|\n|-|-|\n" + "|1|2|\n" * 12 + "\n"
    assert work(one * 32) < 5 * work(one * 8)


def test_cuts_ascend_by_about_the_size_asked_for() -> None:
    text = "Words.\n\n" * 20_000
    cuts = [found.at for found in cut(text, PARSER)]
    steps = [b - a for a, b in pairwise(cuts)]
    assert max(steps) < 20_000
    assert list(accumulate(steps)) == cuts[1:]


def test_the_end_of_a_long_text_which_is_seen_first_is_cut_the_finest() -> None:
    text = "".join(f"Paragraph {number} has some words.\n\n" for number in range(2_000))
    places = [found.at for found in cut(text, PARSER)]
    lengths = [after - at for at, after in pairwise([*places, len(text)])]
    assert all(4_000 < length < 5_000 for length in lengths[:5])
    assert all(length < 1_000 for length in lengths[-5:])
