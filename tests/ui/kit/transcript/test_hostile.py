"""Texts that are meant to break a view: it shows them, keeps their text, and stays quick enough to use."""

import pytest
from PySide6.QtCore import Qt

from notochord.ui.kit.transcript.entries import Role, TextEntry
from notochord.ui.kit.transcript.flow import direction
from notochord.ui.kit.transcript.look import Look
from notochord.ui.kit.transcript.pieces.code import CodePiece
from notochord.ui.kit.transcript.pieces.code_line import CodeLine
from notochord.ui.kit.transcript.pieces.code_text import CUT, CodeText
from notochord.ui.kit.unseen import shown
from notochord.viewmodels.chat.markdown.leaves import Kind, Leaf, Line
from support.transcript_views import Bench

HOSTILE = {
    "one line of words": "word " * 200_000,
    "one line without a space": "x" * 1_000_000,
    "one line of Chinese": "字" * 300_000,
    "one line of code": "```\n" + "y" * 1_000_000 + "\n```",
    "many lines of code": "```py\n" + "a = 1\n" * 60_000 + "```",
    "deep quotes": ">" * 100_000 + " x",
    "long quote": "> line of a quote\n" * 30_000,
    "long list": "- an item of the list\n" * 30_000,
    "long table": "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 40_000,
    "wide table": "|" + "a|" * 5_000 + "\n|" + "-|" * 5_000 + "\n",
    "brackets": "[" * 100_000,
    "overrides": "\u202e\u2066" * 5_000 + "abc",
    "zero width": "a\u200b\u200d\ufeff" * 5_000,
    "NUL": "a\0b\n\n```\nc\0d\n```",
    "half characters": "a\ud83d b \udc00\n\n```\n\ud800\n```",
    "combining": "e" + "\u0301" * 5_000,
    "returns": "a\r\nb\rc\r\n\r\nd" * 2_000,
    "nothing": "",
    "only marks": "***\n___\n# \n> \n- \n```",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_shown_and_walked_over(bench: Bench, name: str) -> None:
    view = bench.load(HOSTILE[name])
    view.anchor.to_start()
    view.settle()
    bench.picture()
    for _ in range(5):
        view.scroll_by(700)
    view.select_all()
    view.copy()
    bench.picture()
    assert view.text_of("e0") == HOSTILE[name]


@pytest.mark.parametrize(
    "name", ["overrides", "zero width", "NUL", "half characters", "returns", "brackets", "only marks"]
)
def test_a_hostile_text_streams(bench: Bench, name: str) -> None:
    view, text = bench.load(TextEntry("live", Role.ASSISTANT, who="A", streaming=True)), HOSTILE[name]
    for at in range(0, min(len(text), 4000), 7):
        view.feed("live", text[at : at + 7])
    view.finish("live")
    bench.settle()
    assert len(view.text_of("live")) <= 4006


def test_a_character_that_arrives_in_halves_is_whole(bench: Bench) -> None:
    view = bench.load(TextEntry("live", Role.ASSISTANT, who="A", streaming=True))
    view.feed("live", "a\ud83c")
    view.streaming.flush()
    view.feed("live", "\udf0d b")
    view.finish("live")
    assert view.text_of("live") == "a🌍 b"


def test_a_long_line_of_code_is_cut_to_be_shown_and_copied_whole() -> None:
    code = CodeText()
    code.set_tail(0, ["a", "x" * 9_000, "b"])
    assert max(map(len, code.lines)) == CUT
    assert code.text == "a\n" + "x" * 9_000 + "\nb"
    assert code.length == len(code.text)
    code.set_tail(1, ["x" * 9_000 + "y", "b", "c"])
    assert code.text == "a\n" + "x" * 9_000 + "y\nb\nc"
    assert [code.line_at(at) for at in (0, 2, 2 + CUT)] == [0, 1, 2]


def test_code_shows_what_turns_its_order_round() -> None:
    text = "a\u202eb\u2066c\u200bd\0"
    assert shown(text, code=True) == "a⇠b⇢c·d␀"
    assert len(shown(text, code=True)) == len(text)


def test_tokens_of_code_keep_their_order_beside_letters_from_the_right(bench: Bench) -> None:
    look = Look(bench.style)
    text = "x = 'שלום'  # הערה"
    line = CodeLine(text, [(4, 6, "string"), (12, 6, "comment")], look, None, prose=False)
    assert line.place(4)[0] < line.place(12)[0] < line.natural


def test_code_reads_from_the_left_also_in_a_message_from_the_right(bench: Bench) -> None:
    bench.load("שלום עולם\n\n```py\nprint(1)\n```\n")
    prose, code = [piece for piece, _ in bench.pieces()]
    assert prose.right_to_left
    assert isinstance(code, CodePiece)
    assert code.place(0)[0] < 40


def test_a_block_of_prose_follows_its_own_text(bench: Bench) -> None:
    code = CodePiece(Leaf(Kind.CODE, Line("שלום עולם\nhello")), Look(bench.style), wraps=True)
    code.layout(600)
    assert code.place(0)[0] > 400
    assert code.place(len("שלום עולם") + 1)[0] < 40


@pytest.mark.parametrize(("text", "right"), [("שלום", True), ("abc שלום", False), ("123 שלום", True), ("", False)])
def test_a_paragraph_reads_from_the_side_of_its_first_letter(text: str, right: bool) -> None:
    assert (direction(text) is Qt.LayoutDirection.RightToLeft) is right


def test_chinese_has_glyphs(bench: Bench) -> None:
    bench.load("你好,世界 **「中文」**")
    (piece,) = [piece for piece, _ in bench.pieces()]
    assert hasattr(piece, "flow")
    assert not any(0 in run.glyphIndexes() for run in piece.flow._layout.glyphRuns())
