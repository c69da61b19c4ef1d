"""Selecting across messages, and what lands on the clipboard."""

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from notochord.ui.kit.transcript.clipboard import MARKDOWN
from notochord.ui.kit.transcript.entries import Role, TextEntry
from support.transcript_views import Bench
from support.transcripts import chat


def mouse(bench: Bench, kind: QEvent.Type, at: QPointF, *, down: bool) -> None:
    viewport = bench.view.viewport()
    button = Qt.MouseButton.LeftButton
    event = QMouseEvent(
        kind,
        at,
        QPointF(viewport.mapToGlobal(at.toPoint())),
        Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else button,
        button if down else Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(viewport, event)


def drag(bench: Bench, start: QPointF, end: QPointF) -> None:
    mouse(bench, QEvent.Type.MouseButtonPress, start, down=True)
    mouse(bench, QEvent.Type.MouseMove, end, down=True)
    mouse(bench, QEvent.Type.MouseButtonRelease, end, down=False)


def test_a_drag_selects_across_messages(bench: Bench) -> None:
    view = bench.load("One two three.", "Middle *part*.\n\n- item", "Last words here.")
    texts = [piece for piece, _ in bench.pieces()]
    drag(bench, bench.point(texts[0], 4), bench.point(texts[-1], 4))
    assert view.selected_text() == "two three.\n\nMiddle part.\n\n• item\n\nLast"


def test_a_selection_is_copied_as_text_as_html_and_as_markdown(bench: Bench) -> None:
    view = bench.load("One two.", "Some **bold** and `code` and [link](https://e.org/?a=1&b=2).", "Last words.")
    texts = [piece for piece, _ in bench.pieces()]
    drag(bench, bench.point(texts[0], 4), bench.point(texts[-1], 4))
    view.copy()
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == "two.\n\nSome bold and code and link.\n\nLast"
    assert "<b>bold</b>" in data.html()
    assert '<a href="https://e.org/?a=1&amp;b=2">link</a>' in data.html()
    markdown = bytes(data.data(MARKDOWN).data()).decode()
    assert markdown == "two.\n\nSome **bold** and `code` and [link](https://e.org/?a=1&b=2).\n\nLast"


def test_markup_in_a_text_stays_text_in_the_html(bench: Bench) -> None:
    view = bench.load('<img src=x onerror="alert(1)">\n\n```\n</code><script>x</script>\n```\n')
    view.select_all()
    view.copy()
    html = QGuiApplication.clipboard().mimeData().html()
    assert "<img" not in html
    assert "<script" not in html


def test_characters_beyond_the_first_plane_count_as_one(bench: Bench) -> None:
    view = bench.load("🌍🌍 two 🎉 three")
    (piece,) = [piece for piece, _ in bench.pieces()]
    drag(bench, bench.point(piece, 3), bench.point(piece, 8))
    assert view.selected_text() == "two 🎉"


def test_a_selection_inside_a_table_takes_its_cells(bench: Bench) -> None:
    view = bench.load("| a | b |\n|---|---|\n| one | two |\n| three | four |\n")
    (table,) = [piece for piece, _ in bench.pieces()]
    text = table.text
    drag(bench, bench.point(table, text.index("two")), bench.point(table, text.index("three") + 5))
    assert view.selected_text() == "two\nthree"


def test_a_selection_inside_code_takes_its_characters(bench: Bench) -> None:
    view = bench.load("```py\nfirst = 1\nsecond = 2\n```\n")
    (code,) = [piece for piece, _ in bench.pieces()]
    drag(bench, bench.point(code, 6), bench.point(code, 16))
    assert view.selected_text() == "= 1\nsecond"


def test_a_double_click_selects_a_word_and_a_third_click_the_block(bench: Bench) -> None:
    view = bench.load("Some words stand here.")
    (piece,) = [piece for piece, _ in bench.pieces()]
    at = bench.point(piece, 6)
    mouse(bench, QEvent.Type.MouseButtonDblClick, at, down=True)
    assert view.selected_text() == "words"
    mouse(bench, QEvent.Type.MouseButtonPress, at, down=True)
    assert view.selected_text() == "Some words stand here."


def test_a_drag_beyond_the_edge_scrolls_on(bench: Bench) -> None:
    view = bench.load(*chat(100))
    view.anchor.to_start()
    view.settle()
    mouse(bench, QEvent.Type.MouseButtonPress, QPointF(200, 300), down=True)
    mouse(bench, QEvent.Type.MouseMove, QPointF(200, 900), down=True)
    bench.qtbot.waitUntil(lambda: view.anchor.index > 4, timeout=5000)
    mouse(bench, QEvent.Type.MouseButtonRelease, QPointF(200, 900), down=False)
    assert view.selection.bounds()[1].part > 4


def test_everything_is_copied_from_parts_that_were_never_laid_out(bench: Bench) -> None:
    entries = chat(400)
    view = bench.load(*entries)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    text = view.selected_text()
    assert text.startswith(entries[0].text)
    assert all(entry.text in text for entry in entries if entry.role is Role.USER)
    assert "**" not in text


def test_a_very_long_selection_is_copied_as_its_markdown(bench: Bench) -> None:
    entries = chat(3000)
    view = bench.load(*entries)
    view.select_all()
    text = view.selected_text()
    assert len(text) >= sum(len(entry.text.strip("\n")) for entry in entries)
    assert all(entry.text.strip("\n") in text for entry in entries[:50])


def test_a_selection_stays_on_its_text_while_an_answer_grows(bench: Bench) -> None:
    view = bench.load("Selected words.", TextEntry("live", Role.ASSISTANT, who="A", streaming=True))
    (piece,) = [piece for piece, _ in bench.pieces()]
    drag(bench, bench.point(piece, 0), bench.point(piece, 8))
    view.feed("live", "Paragraph.\n\n" * 60)
    view.streaming.flush()
    assert view.selected_text() == "Selected"


def test_whole_messages_are_selected_with_the_keys(bench: Bench) -> None:
    view = bench.load("First.", "Second.", "Third.", "Fourth.")
    view.setFocus()
    alt, shift = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(view, Qt.Key.Key_Up, alt)
    QTest.keyClick(view, Qt.Key.Key_Up, alt)
    QTest.keyClick(view, Qt.Key.Key_Up, alt | shift)
    assert view.selected_text() == "Second.\n\nThird."
    QTest.keyClick(view, Qt.Key.Key_Down, alt | shift)
    QTest.keyClick(view, Qt.Key.Key_Down, alt | shift)
    assert view.selected_text() == "Third.\n\nFourth."


def test_the_message_that_the_keyboard_stands_on_is_copied(bench: Bench) -> None:
    view = bench.load("First **one**.", "Second one.")
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    data = QGuiApplication.clipboard().mimeData()
    assert (data.text(), bytes(data.data(MARKDOWN).data())) == ("First one.", b"First **one**.")
