"""Finding a text in the whole conversation."""

from PySide6.QtWidgets import QApplication

from notochord.ui.kit.transcript.entries import Role, TextEntry
from notochord.ui.kit.transcript.find import occurrences
from support.transcript_views import Bench
from support.transcripts import chat


def complete(bench: Bench) -> None:
    bench.qtbot.waitUntil(lambda: bench.view.finder.complete)
    QApplication.processEvents()


def test_hits_are_counted_as_they_are_read(bench: Bench) -> None:
    view, told = bench.load("One **tw**o, two.", "```\ntwo = 2\n```\n", "| a |\n|---|\n| TWO |\n"), []
    view.found.connect(lambda *found: told.append(found))
    view.find_text("two")
    complete(bench)
    assert told[-1] == (1, 4, True)


def test_next_and_previous_go_round(bench: Bench) -> None:
    view, told = bench.load(*chat(50), "needle one", *[TextEntry("x", Role.USER, "needle two", who="You")]), []
    view.found.connect(lambda *found: told.append(found))
    view.anchor.to_start()
    view.find_text("needle")
    complete(bench)
    assert told[-1] == (1, 2, True)
    view.find_next()
    assert told[-1][0] == 2
    view.find_next()
    assert told[-1][0] == 1
    view.find_previous()
    assert told[-1][0] == 2


def test_a_hit_far_away_comes_into_view(bench: Bench) -> None:
    entries = [*chat(400), TextEntry("n", Role.ASSISTANT, "word\n\n" * 200 + "the needle", who="A"), *chat(3, 2)]
    view = bench.load(*(entries[:-3]))
    view.anchor.to_start()
    view.settle()
    view.find_text("NEEDLE")
    hit = next(piece for piece, _ in bench.pieces() if "needle" in piece.text)
    assert 0 <= bench.point(hit, 4).y() <= view.anchor.room


def test_an_answer_that_streams_is_found_too(bench: Bench) -> None:
    view, told = bench.load(TextEntry("live", Role.ASSISTANT, who="A", streaming=True)), []
    view.found.connect(lambda *found: told.append(found))
    view.find_text("needle")
    view.feed("live", "a needle in ")
    view.streaming.flush()
    complete(bench)
    view.feed("live", "another needle")
    view.finish("live")
    complete(bench)
    assert told[-1][1:] == (2, True)


def test_hits_are_painted_and_go_away(bench: Bench) -> None:
    view = bench.load("some words")
    before = bench.picture()
    view.find_text("words")
    complete(bench)
    assert bench.picture() != before
    view.find_text("")
    assert bench.picture() == before


def test_letters_that_fold_to_several_are_found_in_place() -> None:
    assert occurrences("Straße STRASSE", "strasse") == [(0, 6), (7, 14)]
    assert occurrences("中文字中文", "中文") == [(0, 2), (3, 5)]
