"""The field: input methods, keys, pastes and drops."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QUrl
from PySide6.QtGui import QImage, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from notochord.ui.chat.message_edit import EditActs, MessageEdit
from notochord.ui.kit.kit import Kit


class Heard:
    def __init__(self) -> None:
        self.sent = 0
        self.recalled = 0
        self.files: list[Path] = []
        self.images: list[QImage] = []
        self.texts: list[str] = []
        self.pictures: list[tuple[bytes, str]] = []
        self.limit = 10_000

    def send(self) -> None:
        self.sent += 1

    def picture(self, content: bytes, ending: str) -> None:
        self.pictures.append((content, ending))

    def recall(self) -> None:
        self.recalled += 1

    def takes(self, text: str) -> bool:
        if len(text) < self.limit:
            return False
        self.texts.append(text)
        return True


class Painted(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() is QEvent.Type.Paint
        return False


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def edit(kit: Kit, heard: Heard, qtbot: QtBot) -> MessageEdit:
    acts = EditActs(heard.send, heard.files.extend, heard.images.append, heard.picture, heard.takes, heard.recall)
    field = MessageEdit(kit, acts)
    qtbot.addWidget(field)
    field.show()
    return field


def compose(edit: MessageEdit, text: str, commit: str = "") -> None:
    event = QInputMethodEvent(text, [])
    if commit:
        event.setCommitString(commit)
    QApplication.sendEvent(edit, event)


def test_enter_sends_and_shift_enter_begins_a_line(edit: MessageEdit, heard: Heard) -> None:
    QTest.keyClicks(edit, "one")
    QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(edit, "two")
    assert heard.sent == 0
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert heard.sent == 1
    assert edit.toPlainText() == "one\ntwo"


def test_with_the_setting_only_control_and_enter_send(edit: MessageEdit, heard: Heard) -> None:
    edit.send_with_control = True
    QTest.keyClicks(edit, "one")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert heard.sent == 0
    assert edit.toPlainText() == "one\n"
    QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert heard.sent == 1


def test_the_enter_that_ends_a_composition_does_not_send(edit: MessageEdit, heard: Heard) -> None:
    """Faults D4 and D5: neither during it, nor with the Enter that ends it; what counts is what was committed."""
    compose(edit, "ni hao")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    compose(edit, "", "你好")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert heard.sent == 0
    assert edit.toPlainText() == "你好"
    QTest.qWait(5)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert heard.sent == 1


def test_tab_leaves_the_field(kit: Kit, heard: Heard, qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    row = QVBoxLayout(holder)
    edit = MessageEdit(
        kit, EditActs(heard.send, heard.files.extend, heard.images.append, heard.picture, heard.takes, heard.recall)
    )
    row.addWidget(edit)
    after = QLineEdit()
    row.addWidget(after)
    holder.show()
    edit.setFocus()
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    assert edit.toPlainText() == ""
    assert holder.focusWidget() is after


def test_the_arrow_up_in_an_empty_field_takes_the_last_message_back(edit: MessageEdit, heard: Heard) -> None:
    QTest.keyClick(edit, Qt.Key.Key_Up)
    QTest.keyClicks(edit, "a")
    QTest.keyClick(edit, Qt.Key.Key_Up)
    assert heard.recalled == 1


def test_pasted_files_pictures_and_long_texts_do_not_land_in_the_text(edit: MessageEdit, heard: Heard) -> None:
    files, picture, long, short = QMimeData(), QMimeData(), QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile("/tmp/a.csv"), QUrl("https://example.org/b")])
    picture.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    long.setText("x" * 20_000)
    short.setText("short")
    short.setHtml("<b>short</b>")
    for data in (files, picture, long, short):
        edit.insertFromMimeData(data)
    assert heard.files == [Path("/tmp/a.csv")]
    assert len(heard.images) == 1
    assert heard.texts == ["x" * 20_000]
    assert edit.toPlainText() == "short"


class TooLarge(QMimeData):
    """A picture of the clipboard that Qt would not decode, since it needs too much memory."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.setData(kind, b"picture")

    def hasImage(self) -> bool:
        return True

    def imageData(self) -> object:
        return None


def test_a_picture_too_large_to_decode_is_taken_as_its_file(edit: MessageEdit, heard: Heard) -> None:
    edit.insertFromMimeData(TooLarge("image/png"))
    edit.insertFromMimeData(TooLarge("image/tiff"))
    assert heard.images == []
    assert heard.pictures == [(b"picture", "png"), (b"", "")]


def test_the_field_grows_with_the_text_up_to_a_limit(edit: MessageEdit) -> None:
    one = edit.height()
    edit.setPlainText("a\nb\nc")
    three = edit.height()
    edit.setPlainText("a\n" * 100)
    assert one < three < edit.height() < 400


def test_another_hint_is_seen_at_once(edit: MessageEdit, qtbot: QtBot) -> None:
    """The hint of a running answer stayed on the screen after its end."""
    painted = Painted(edit.viewport())
    edit.show_hint("one")
    qtbot.waitUntil(lambda: painted.times > 0)
    before = painted.times
    edit.show_hint("two")
    qtbot.waitUntil(lambda: painted.times > before)
    assert edit.placeholderText() == "two"


def test_the_empty_field_fits_a_text_of_another_size(edit: MessageEdit, kit: Kit, qtbot: QtBot) -> None:
    QApplication.processEvents()
    before = edit.height()
    try:
        kit.theme.set_text_size(200)
        qtbot.waitUntil(lambda: edit.height() >= 1.5 * before)
        assert edit.height() > kit.theme.line_height()
    finally:
        kit.theme.set_text_size(100)
    qtbot.waitUntil(lambda: edit.height() == before)


@pytest.mark.parametrize("text", ["请做一个计划", "plan\n计划", "一\n二\n三"])
def test_chinese_fits_the_field_without_a_bar(edit: MessageEdit, qtbot: QtBot, text: str) -> None:
    edit.setPlainText(text)
    qtbot.waitUntil(lambda: not edit.verticalScrollBar().isVisible())
    assert edit.verticalScrollBar().maximum() == 0


def test_the_field_is_as_high_empty_as_with_the_first_letter_in_any_script(edit: MessageEdit) -> None:
    heights = set()
    for text in ("", "plan", "计划"):
        edit.setPlainText(text)
        QApplication.processEvents()
        heights.add(edit.height())
    assert len(heights) == 1
