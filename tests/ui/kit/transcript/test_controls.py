"""The real controls over the text, cards, links, pictures, folded reasoning, and the keyboard among them."""

import gc
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QImage, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QMenu, QPushButton, QToolTip, QWidget

from notochord.ui.kit.transcript import menu
from notochord.ui.kit.transcript.content import NEAR
from notochord.ui.kit.transcript.controls import QuietButton, SideBar
from notochord.ui.kit.transcript.entries import CardEntry, Role, TextEntry
from notochord.ui.kit.transcript.parts import TextPart
from notochord.ui.kit.transcript.pieces.code import CodePiece
from notochord.ui.kit.transcript.pieces.image import ImagePiece
from notochord.ui.kit.transcript.pieces.piece import SlidingPiece
from notochord.ui.kit.transcript.pieces.table import TablePiece
from support.transcript_views import Bench
from support.transcripts import chat

WIDE_TABLE = (
    "| " + " | ".join(f"column {n} with words" for n in range(12)) + " |\n|" + "---|" * 12 + "\n| " + "x | " * 12 + "\n"
)
WIDE_CODE = "```py\nshort = 1\n" + "y" * 300 + "\n```\n"


def controls(bench: Bench, kind: type[QWidget] = QuietButton) -> list[QWidget]:
    found = [child for child in bench.view.viewport().findChildren(kind) if child.isVisible()]
    return sorted(found, key=lambda child: (child.y(), child.x()))


def named(bench: Bench, name: str) -> QuietButton:
    return cast("QuietButton", next(child for child in controls(bench) if child.accessibleName() == name))


def press(bench: Bench, name: str) -> None:
    QTest.mouseClick(named(bench, name), Qt.MouseButton.LeftButton)


def click(bench: Bench, at: QPointF) -> None:
    QTest.mouseClick(bench.view.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())


def piece_of(bench: Bench, kind: type) -> SlidingPiece:
    return next(piece for piece, _ in bench.pieces() if isinstance(piece, kind) and isinstance(piece, SlidingPiece))


def allow_card(made: list[QWidget]) -> CardEntry:
    def make(parent: QWidget) -> QWidget:
        card = QWidget(parent)
        row = QHBoxLayout(card)
        row.addWidget(QPushButton("Allow"))
        made.append(card)
        return card

    return CardEntry("card", make, name="Approval", text="files.read report.csv")


def test_code_is_copied_whole(bench: Bench) -> None:
    bench.load(WIDE_CODE)
    press(bench, "Copy this code")
    assert QGuiApplication.clipboard().text() == "short = 1\n" + "y" * 300


def test_long_lines_of_code_wrap_when_asked(bench: Bench) -> None:
    bench.load(WIDE_CODE)
    code = cast("CodePiece", piece_of(bench, CodePiece))
    before = code.height
    assert controls(bench, SideBar)
    press(bench, "Wrap long lines of this code")
    assert code.height > before
    assert not controls(bench, SideBar)
    press(bench, "Wrap long lines of this code")
    assert code.height == before


def test_code_stays_wrapped_when_it_comes_back(bench: Bench) -> None:
    view = bench.load(WIDE_CODE, *chat(300))
    view.anchor.to_start()
    view.settle()
    press(bench, "Wrap long lines of this code")
    view.jump_to_end()
    view.content.guess_again()
    view.anchor.to_start()
    view.settle()
    assert cast("CodePiece", piece_of(bench, CodePiece)).wraps


def test_a_table_is_copied_for_a_spreadsheet(bench: Bench) -> None:
    bench.load('| a | b |\n|---|---|\n| 1,5 | say "x" |\n')
    press(bench, "Copy table as CSV")
    assert QGuiApplication.clipboard().text() in ('a,b\r\n"1,5","say ""x"""\r\n', 'a,b\n"1,5","say ""x"""\n')


@pytest.mark.parametrize("kind", [TablePiece, CodePiece])
def test_the_wheel_slides_only_the_block_under_it(bench: Bench, kind: type) -> None:
    view = bench.load("para\n\n" + WIDE_TABLE + "\n" + WIDE_CODE)
    piece = piece_of(bench, kind)
    other = piece_of(bench, CodePiece if kind is TablePiece else TablePiece)
    at = QPointF(200, next(y for found, y in bench.pieces() if found is piece) + 12)
    for _ in range(50):
        event = QWheelEvent(
            at,
            QPointF(view.viewport().mapToGlobal(at.toPoint())),
            QPoint(),
            QPoint(-120, 0),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(view.viewport(), event)
    assert piece.offset == pytest.approx(piece.reach - piece.room)
    assert other.offset == 0


def test_a_wide_block_has_a_bar_that_slides_it(bench: Bench) -> None:
    bench.load(WIDE_TABLE)
    table = piece_of(bench, TablePiece)
    bar = cast("SideBar", controls(bench, SideBar)[0])
    bar.setFocus()
    QTest.keyClick(bar, Qt.Key.Key_Right)
    assert table.offset == 40


def test_the_newest_is_one_press_away(bench: Bench) -> None:
    view = bench.load(*chat(100))
    assert not view.overlays.newest.isVisible()
    view.scroll_by(-900)
    assert view.overlays.newest.isVisible()
    press(bench, "Jump to the latest")
    assert view.at_end


def test_a_card_is_a_real_widget_only_near_the_view(bench: Bench) -> None:
    made: list[QWidget] = []
    view = bench.load(*chat(60), allow_card(made), *[TextEntry("x", Role.USER, "last", who="You")])
    assert len(made) == 1
    assert made[0].isVisible()
    view.anchor.to_start()
    view.settle()
    assert view.cards.count() == 0
    view.jump_to_end()
    assert len(made) == 2


def test_a_card_with_the_focus_is_not_taken_away(bench: Bench) -> None:
    made: list[QWidget] = []
    view = bench.load(*chat(60), allow_card(made))
    view.activateWindow()
    button = made[0].findChild(QPushButton)
    assert button is not None
    button.setFocus()
    view.scroll_by(-4000)
    assert button.hasFocus()
    view.jump_to_end()
    assert len(made) == 1
    assert view.viewport().rect().contains(made[0].geometry())


def test_another_conversation_takes_the_focus_from_a_control_that_goes(bench: Bench) -> None:
    view = bench.load(WIDE_CODE)
    view.activateWindow()
    named(bench, "Copy this code").setFocus()
    bench.load("Only words.")
    assert view.hasFocus()


def test_a_card_that_grows_pushes_what_is_below_it(bench: Bench) -> None:
    made: list[QWidget] = []
    view = bench.load(allow_card(made), *chat(2))
    layout = made[0].layout()
    assert layout is not None
    before = view.content.heights[0]
    tall = QLabel("more")
    tall.setMinimumHeight(300)
    layout.addWidget(tall)
    bench.qtbot.waitUntil(lambda: view.content.heights[0] > before + 200, timeout=3000)
    assert made[0].height() >= 300


def test_a_link_tells_its_address_when_it_is_clicked(bench: Bench) -> None:
    view, chosen = bench.load("Go [there](https://e.org/x) now."), list[str]()
    view.link_activated.connect(chosen.append)
    (piece,) = [piece for piece, _ in bench.pieces()]
    click(bench, bench.point(piece, 4))
    click(bench, bench.point(piece, 10))
    assert chosen == ["https://e.org/x"]


@pytest.mark.qt_log_ignore("This plugin does not support raise")
def test_pointing_at_a_link_shows_its_host_spelled_out(bench: Bench) -> None:
    view, told = bench.load("Go [my bank](https://аррӏе.com/login) now."), list[str]()
    view.link_hovered.connect(told.append)
    (piece,) = [piece for piece, _ in bench.pieces()]
    at = bench.point(piece, 5)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        QPointF(view.viewport().mapToGlobal(at.toPoint())),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.viewport(), event)
    assert told[-1].startswith("xn--80ak6aa92e.com (аррӏе.com)")
    tip = QHelpEvent(QEvent.Type.ToolTip, at.toPoint(), view.viewport().mapToGlobal(at.toPoint()))
    QApplication.sendEvent(view.viewport(), tip)
    assert QToolTip.text().startswith("xn--80ak6aa92e.com")
    QToolTip.hideText()
    bench.qtbot.waitUntil(lambda: not QToolTip.isVisible(), timeout=3000)


def texts_of(found: QMenu) -> list[str]:
    return [action.text() for action in found.actions() if action.text()]


def test_the_menu_of_a_message_holds_its_links(bench: Bench) -> None:
    view, chosen = bench.load("Go [there](https://e.org/x) or to https://b.org."), list[str]()
    view.link_activated.connect(chosen.append)
    view.go_to_message(-1)
    found = menu.make(view, None)
    texts = texts_of(found)
    assert "Open e.org" in texts
    assert "Open b.org" in texts
    next(action for action in found.actions() if action.text() == "Open e.org").trigger()
    found.deleteLater()
    assert chosen == ["https://e.org/x"]


def test_the_menu_at_a_link_copies_its_address(bench: Bench) -> None:
    view = bench.load("Go [there](https://e.org/x).")
    (piece,) = [piece for piece, _ in bench.pieces()]
    found = menu.make(view, bench.point(piece, 4).toPoint())
    next(action for action in found.actions() if action.text() == "Copy link").trigger()
    found.deleteLater()
    assert QGuiApplication.clipboard().text() == "https://e.org/x"


def test_a_picture_is_asked_for_and_never_loaded(bench: Bench) -> None:
    view, asked = bench.load("![chart](https://e.org/c.png)"), list[tuple[str, str]]()
    view.image_wanted.connect(lambda entry, address: asked.append((entry, address)))
    press(bench, "chart: Load picture from e.org")
    assert asked == [("e0", "https://e.org/c.png")]
    (piece,) = [piece for piece, _ in bench.pieces()]
    assert isinstance(piece, ImagePiece)
    assert piece.picture is None


def test_a_picture_that_came_is_shown_and_moves_nothing_above(bench: Bench) -> None:
    view = bench.load("![chart](https://e.org/c.png)", *chat(40))
    view.scroll_by(-600)
    before = bench.picture()
    picture = QImage(400, 300, QImage.Format.Format_RGB32)
    picture.fill(0xFF336699)
    view.show_image("https://e.org/c.png", picture)
    assert bench.picture() == before
    view.anchor.to_start()
    view.settle()
    assert next(piece for piece, _ in bench.pieces() if isinstance(piece, ImagePiece)).height == 300


def test_reasoning_is_folded_until_it_is_opened(bench: Bench) -> None:
    thought = TextEntry("r", Role.REASONING, "Because of *this*.", who="Thought for 3 s")
    view, told = bench.load(thought, "Answer."), list[tuple[str, bool]]()
    view.fold_toggled.connect(lambda entry, opened: told.append((entry, opened)))
    assert [piece.text for piece, _ in bench.pieces()] == ["Answer."]
    press(bench, "Thought for 3 s: Show reasoning")
    assert [piece.text for piece, _ in bench.pieces()] == ["Because of this.", "Answer."]
    assert told == [("r", True)]


def test_the_actions_of_the_message_under_the_keyboard_are_real_buttons(bench: Bench) -> None:
    view = bench.load("First.", "Second.")
    asked: list[str] = []

    def strip(entry_id: str, parent: QWidget) -> QWidget:
        asked.append(entry_id)
        return QPushButton("Retry", parent)

    view.set_actions_factory(strip)
    view.setFocus()
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert asked == ["e1", "e0"]
    assert any(button.text() == "Retry" and button.isVisible() for button in view.viewport().findChildren(QPushButton))


def test_tab_walks_the_controls_in_the_order_of_reading(bench: Bench) -> None:
    made: list[QWidget] = []
    view = bench.load(WIDE_CODE, allow_card(made), WIDE_TABLE)
    view.activateWindow()
    view.setFocus()
    walked = []
    for _ in range(7):
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        if now is None or now is view:
            break
        walked.append(now.accessibleName() or cast("QPushButton", now).text())
    assert walked[:6] == [
        "Wrap long lines of this code",
        "Copy this code",
        "Scroll sideways",
        "Allow",
        "Copy table as CSV",
        "Scroll sideways",
    ]


def test_every_control_has_a_name(bench: Bench) -> None:
    thought = TextEntry("r", Role.REASONING, "x", who="Thought")
    bench.load(thought, WIDE_CODE + "\n" + WIDE_TABLE + "\n![i](https://e.org/i.png)")
    found = [*controls(bench), *controls(bench, SideBar)]
    assert len(found) >= 6
    assert all(control.accessibleName() for control in found)


def test_a_long_answer_that_arrives_is_laid_out_near_the_view_only(bench: Bench) -> None:
    view = bench.view
    view.load([])
    view.append(TextEntry("m", Role.ASSISTANT, "", streaming=True))
    whole = "".join(f"Paragraph {n} with *some* words.\n\n" for n in range(3000))
    for at in range(0, len(whole), 4000):
        view.feed("m", whole[at : at + 4000])
        view.streaming.flush()
    parts = [part for part in view.content.item("m").parts if isinstance(part, TextPart)]
    assert len(parts) > 100
    assert sum(part.rows is not None for part in parts) <= 2 * NEAR + 2
    view.finish("m")
    assert view.text_of("m") == whole
    view.find_text("Paragraph 3 ")
    assert view.finder.current is not None
    view.jump_to("m")
    view.select_all()
    assert view.selected_text().count("Paragraph") == 3000


def test_what_was_shown_is_gone_from_memory_once_something_else_is_shown(bench: Bench) -> None:
    def kept() -> int:
        gc.collect()
        pieces = [found for found in gc.get_objects() if isinstance(found, CodePiece)]
        return sum("gone_from_memory" in piece.text for piece in pieces)

    bench.load("```python\ngone_from_memory = 1\n```\n")
    assert kept() == 1
    bench.load("other")
    assert kept() == 0


def test_arrows_scroll_and_choose_messages_from_a_button_over_the_text_too(bench: Bench) -> None:
    view = bench.load(*chat(40))
    view.anchor.to_start()
    view.settle()
    newest = named(bench, "Jump to the latest")
    newest.setFocus()
    before = view.verticalScrollBar().value()
    QTest.keyClick(newest, Qt.Key.Key_Down)
    assert view.verticalScrollBar().value() > before
    QTest.keyClick(newest, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert view.current is not None
