"""What is read never moves; the end is followed; a dragged bar goes where it says."""

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from notochord.ui.kit.transcript.content import KEPT
from notochord.ui.kit.transcript.entries import Role, TextEntry
from support.transcript_views import Bench
from support.transcripts import chat, large_message, stream_text


def live(text: str = "") -> TextEntry:
    return TextEntry("live", Role.ASSISTANT, text, who="Assistant", streaming=True)


def test_as_many_steps_down_as_up_end_where_they_began(bench: Bench) -> None:
    view = bench.load(*chat(2000))
    view.scroll_by(-5000)
    before, chance = (view.anchor.index, view.anchor.offset), random.Random(1)
    steps = [chance.randint(1, 700) for _ in range(150)]
    for step in (*(-s for s in steps), *steps):
        view.scroll_by(step)
    assert view.anchor.index == before[0]
    assert view.anchor.offset == pytest.approx(before[1], abs=1e-6)


def test_an_answer_that_streams_moves_nothing_of_what_is_read(bench: Bench) -> None:
    view = bench.load(*chat(100))
    view.append(live())
    view.scroll_by(-3000)
    bench.settle()
    before = bench.picture()
    for at in range(0, 9000, 50):
        view.feed("live", stream_text()[at : at + 50])
    view.streaming.flush()
    assert bench.picture() == before
    view.finish("live")
    bench.settle()
    assert bench.picture() == before


def test_a_view_at_the_end_follows_what_arrives(bench: Bench) -> None:
    view = bench.load(*chat(20))
    view.append(live())
    for at in range(0, 6000, 50):
        view.feed("live", stream_text()[at : at + 50])
        view.streaming.flush()
    assert view.at_end
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum()


def test_a_text_that_streamed_looks_as_one_that_was_loaded(bench: Bench) -> None:
    text = stream_text(2) + "\n- a\n- b\n\n  c\n\n> q\n\n1. x\n2. y\n\nlast [l] one\n\n[l]: https://e.org\n"
    view, chance, at = bench.load(*chat(2)), random.Random(2), 0
    view.append(live())
    while at < len(text):
        step = chance.randint(1, 60)
        view.feed("live", text[at : at + step])
        at += step
        view.streaming.flush()
    view.finish("live")
    bench.settle()
    streamed = bench.picture()
    other = bench.make([*chat(2), TextEntry("live", Role.ASSISTANT, text, who="Assistant")])
    bench.settle(other)
    assert bench.picture(other) == streamed
    assert view.text_of("live") == text


def test_a_streamed_text_looks_the_same_after_its_rows_were_dropped(bench: Bench) -> None:
    view = bench.load(live())
    view.feed("live", stream_text(4))
    view.finish("live")
    bench.settle()
    before = bench.picture()
    view.content.guess_again()
    view.jump_to_end()
    bench.settle()
    assert bench.picture() == before


def test_a_height_that_changes_above_moves_nothing(bench: Bench) -> None:
    view = bench.load(*chat(300))
    view.scroll_by(-2000)
    bench.settle()
    before, index = bench.picture(), view.anchor.index
    view.content.heights.set(index - 3, view.content.heights[index - 3] + 999)
    view.renew()
    assert bench.picture() == before


def test_few_parts_stay_laid_out(bench: Bench) -> None:
    view = bench.load(*chat(2000))
    for _ in range(150):
        view.scroll_by(-700)
    assert view.content.opened <= KEPT + 1


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_a_dragged_bar_goes_to_its_share(bench: Bench, share: float) -> None:
    view = bench.load(*chat(2000))
    bar = view.verticalScrollBar()
    bar.setValue(int(bar.maximum() * share))
    assert view.anchor.index / 2000 == pytest.approx(share, abs=0.05)


def test_the_bar_reaches_both_ends(bench: Bench) -> None:
    view = bench.load(*chat(200))
    bar = view.verticalScrollBar()
    bar.setValue(0)
    assert view.anchor.index == 0
    bar.setValue(bar.maximum())
    assert view.at_end


def test_another_width_keeps_the_message_that_is_read(bench: Bench) -> None:
    view = bench.load(*chat(500))
    view.scroll_by(-9000)
    index = view.anchor.index
    for width in (700, 600, 500, 800, 900):
        view.resize(width, 800)
    assert view.anchor.index == index


def test_other_colours_and_sizes_keep_the_message_that_is_read(bench: Bench) -> None:
    view = bench.load(*chat(500))
    view.scroll_by(-9000)
    index = view.anchor.index
    view.set_style(bench.style.scaled(2.0))
    assert view.anchor.index == index
    assert view.look.body.pointSizeF() == bench.style.body.pointSizeF() * 2


def test_every_part_of_a_large_message_can_be_walked_over(bench: Bench) -> None:
    text = large_message(150_000)
    view = bench.load(text)
    view.anchor.to_start()
    seen = set()
    for _ in range(2000):
        seen.add(view.anchor.index)
        view.scroll_by(700)
        if view.at_end:
            break
    assert view.at_end
    assert len(seen) >= view.content.count - 2


def test_the_keys_scroll(bench: Bench) -> None:
    view = bench.load(*chat(300))
    view.setFocus()
    for key in (Qt.Key.Key_PageUp, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageDown):
        QTest.keyClick(view, key)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.anchor.index == 0
    assert not view.at_end
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.at_end


def test_leaving_the_end_is_told(bench: Bench) -> None:
    view, told = bench.load(*chat(100)), list[bool]()
    view.at_end_changed.connect(told.append)
    view.scroll_by(-500)
    view.jump_to_end()
    assert told == [False, True]


def test_an_entry_can_be_jumped_to(bench: Bench) -> None:
    view = bench.load(*chat(500))
    view.jump_to("m17")
    assert view.content.part(view.anchor.index).entry.id == "m17"


def test_entries_can_be_replaced_and_taken_away(bench: Bench) -> None:
    view = bench.load(*chat(60))
    view.replace("m10", TextEntry("n10", Role.USER, large_message(40_000), who="You"))
    view.replace("m40", TextEntry("n40", Role.USER, "short", who="You"))
    view.remove_from("m50")
    assert view.content.roster.count_items() == 50
    assert [view.content.part(n).index for n in range(view.content.count)] == list(range(view.content.count))
    assert len(view.content.heights) == view.content.count
    assert view.content.item("n40").text == "short"
    with pytest.raises(KeyError):
        view.content.item("m50")


def test_earlier_messages_that_come_in_front_move_nothing(bench: Bench) -> None:
    view = bench.load(*chat(60))
    view.scroll_by(-900)
    bench.settle()
    before = bench.picture()
    earlier = [TextEntry(f"x{n}", Role.USER, "earlier " * (n + 1), who="You") for n in range(30)]
    view.prepend(earlier)
    assert bench.picture() == before
    view.anchor.to_start()
    view.settle()
    assert view.content.part(0).entry.id == "x0"


def test_code_in_a_list_keeps_its_piece_while_it_arrives(bench: Bench) -> None:
    view = bench.load(live("1. Do this:\n   ```py\n   a = 1\n"))
    before = [piece for piece, _ in bench.pieces()][1]
    for text in ("   b", " = 2\n", "   c = 3\n", "   ```\n", "2. Then that\n"):
        view.feed("live", text)
        view.streaming.flush()
    after = [piece for piece, _ in bench.pieces()][1]
    assert after is before
    assert after.text == "a = 1\nb = 2\nc = 3"


def test_two_texts_stream_at_once(bench: Bench) -> None:
    view = bench.load(
        TextEntry("a", Role.ASSISTANT, who="A", streaming=True), TextEntry("b", Role.ASSISTANT, who="B", streaming=True)
    )
    text = stream_text(3)
    for at in range(0, len(text), 200):
        view.feed("a", text[at : at + 200])
        view.feed("b", text[at : at + 200])
        view.streaming.flush()
    view.finish("a")
    view.finish("b")
    assert view.text_of("a") == view.text_of("b") == text
    assert [view.content.part(n).index for n in range(view.content.count)] == list(range(view.content.count))
    assert sum(view.content.heights[n] for n in range(view.content.count)) == pytest.approx(
        view.content.heights.total()
    )
