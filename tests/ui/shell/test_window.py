"""The window: its place on the desktop, closing, contents and notices."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.kit import Kit
from notochord.ui.shell import notices_view
from notochord.ui.shell.window import MainWindow
from notochord.viewmodels.shell.frame import Area, Frame, Frames
from notochord.viewmodels.shell.notices import NoticeKind, Notices


class Memory:
    def __init__(self) -> None:
        self.content = b""

    def read(self) -> bytes:
        return self.content

    def write(self, content: bytes) -> None:
        self.content = content


def window(kit: Kit, qtbot: QtBot, memory: Memory | None = None, notices: Notices | None = None) -> MainWindow:
    made = MainWindow(kit, notices=notices or Notices(), frames=Frames(memory or Memory()))
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def test_the_window_comes_back_to_where_it_was_closed(kit: Kit, qtbot: QtBot) -> None:
    memory = Memory()
    first = window(kit, qtbot, memory)
    first.setGeometry(40, 50, 700, 500)
    first.close()
    again = window(kit, qtbot, memory).geometry()
    assert (again.x(), again.y(), again.width(), again.height()) == (40, 50, 700, 500)


def test_a_window_of_a_vanished_monitor_opens_on_one_that_is_there(kit: Kit, qtbot: QtBot) -> None:
    memory = Memory()
    Frames(memory).keep(Frame(Area(9000, 9000, 700, 500)))
    assert QGuiApplication.primaryScreen().availableGeometry().intersects(window(kit, qtbot, memory).geometry())


def test_closing_tells_that_the_user_left(kit: Kit, qtbot: QtBot) -> None:
    made = window(kit, qtbot)
    told: list[str] = []
    made.left.connect(lambda: told.append("left"))
    QTest.keyClick(made, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert (made.isVisible(), told) == (False, ["left"])


def test_a_window_that_keeps_running_is_hidden_and_can_be_raised_again(kit: Kit, qtbot: QtBot) -> None:
    made = window(kit, qtbot)
    made.keeps_running = True
    told: list[str] = []
    made.left.connect(lambda: told.append("left"))
    made.hidden.connect(lambda: told.append("hidden"))
    made.close()
    assert (made.isVisible(), told) == (False, ["hidden"])
    made.raise_up()
    assert made.isVisible()


def test_the_key_for_quitting_asks_for_the_end(kit: Kit, qtbot: QtBot) -> None:
    made = window(kit, qtbot)
    told: list[str] = []
    made.quit_wanted.connect(lambda: told.append("quit"))
    QTest.keyClick(made, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: told == ["quit"])


def test_new_content_takes_the_place_of_the_old_which_is_destroyed(kit: Kit, qtbot: QtBot) -> None:
    made = window(kit, qtbot)
    first, second, gone = QLabel("first"), QLabel("second"), list[str]()
    first.destroyed.connect(lambda: gone.append("first"))
    made.show_content(first)
    made.show_content(second)
    qtbot.waitUntil(lambda: gone == ["first"])
    assert made.content is second
    assert second.isVisible()


def test_a_failure_stands_above_the_content_with_its_code_and_its_details_can_be_copied(kit: Kit, qtbot: QtBot) -> None:
    notices = Notices()
    made = window(kit, qtbot, notices=notices)
    made.show_content(QWidget())
    notices.fail(NotochordError(Code.DISK_FULL, Fault.SYSTEM, "no space left on device"))
    (bar,) = made.findChildren(NoticeBar)
    assert "E_DISK_FULL" in bar.label.text()
    assert isinstance(bar.button, QPushButton)
    bar.button.click()
    assert QGuiApplication.clipboard().text().splitlines()[-1] == "no space left on device"
    notices.dismiss(notices.standing[0].id)
    assert not made.findChildren(NoticeBar) or not bar.isVisible()


def test_notices_cover_no_part_of_the_content_and_give_their_room_back(kit: Kit, qtbot: QtBot) -> None:
    notices = Notices()
    made = window(kit, qtbot, notices=notices)
    content = QWidget()
    made.show_content(content)
    qtbot.waitUntil(lambda: content.height() == made.height())
    notices.fail(NotochordError(Code.DISK_FULL, Fault.SYSTEM, "full"))
    notices.say("window.shell.title")
    qtbot.waitUntil(lambda: all(bar.isVisible() for bar in made.findChildren(NoticeBar)))
    qtbot.waitUntil(lambda: content.height() < made.height())
    for bar in made.findChildren(NoticeBar):
        place = QRect(bar.mapTo(made, QPoint()), bar.size())
        assert bar.isVisible()
        assert place.height() >= bar.label.heightForWidth(bar.label.width())
        assert not place.intersects(content.geometry())
    for notice in tuple(notices.standing):
        notices.dismiss(notice.id)
    qtbot.waitUntil(lambda: content.height() == made.height())


def test_what_only_informs_goes_away_by_itself_and_failures_stay(
    kit: Kit, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices_view, "STANDS", 1)
    notices = Notices()
    made = window(kit, qtbot, notices=notices)
    notices.fail(NotochordError(Code.DISK_FULL, Fault.SYSTEM, "full"))
    notices.say("window.shell.title")
    assert made.isVisible()
    qtbot.waitUntil(lambda: [notice.kind for notice in notices.standing] == [NoticeKind.ERROR])


def test_equal_failures_show_how_often(kit: Kit, qtbot: QtBot) -> None:
    notices = Notices()
    made = window(kit, qtbot, notices=notices)
    for _ in range(3):
        notices.fail(NotochordError(Code.DISK_FULL, Fault.SYSTEM, "full"))
    assert "(3 times)" in made.findChildren(NoticeBar)[-1].label.text()
