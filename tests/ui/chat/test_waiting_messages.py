"""Messages that wait, files and notices: Tab comes to them where they are seen, and nobody loses the keyboard there."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.notices import FilesAreAsTheyWere
from support.chat_seats import Seat, ended, opened, seat_in
from support.scripted_models import Hold, say
from support.windows import focus_order, until_seen


async def with_waiting(seat: Seat) -> str:
    """Let three messages wait for an answer that is held."""
    hold = seat.room.office.models.hold = Hold()
    chat = await opened(seat)
    for text in ("first", "second", "third", "fourth"):
        seat.room.desk.writing(chat).outbox.post(text)
    await hold.reached.wait()
    await until_seen(lambda: len(seat.open.queue.lines) == 3)
    return chat


async def let_go(seat: Seat, chat: str) -> None:
    await seat.room.desk.writing(chat).outbox.stop()
    await ended(seat, chat)


async def test_tab_goes_through_notices_waiting_messages_and_files_to_the_message(tmp_path: Path, kit: Kit) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"x")
    async with seat_in(tmp_path, kit, say("one")) as seat:
        chat = await with_waiting(seat)
        view = seat.open
        view._conversation.notices.append(FilesAreAsTheyWere())
        await seat.room.desk.writing(chat).composer.attach([file])
        await until_seen(lambda: len(view.composer.attachments.chips) == 1)
        wanted: list[QWidget] = [view.pane.view]
        wanted += [button for line in view.queue.lines.values() for button in (line.edit, line.drop)]
        wanted += [view.composer.attachments.chips[0].remove, view.composer.edit]

        def walked() -> list[QWidget]:
            return [widget for widget in focus_order(seat.page.window()) if widget in wanted]

        await until_seen(lambda: walked() == wanted)
        order = focus_order(seat.page.window())
        (closing,) = [one for one in order if view.notices.isAncestorOf(one)]
        assert order.index(view.pane.view) < order.index(closing) < order.index(wanted[1])
        await let_go(seat, chat)


async def test_who_drops_a_waiting_message_by_keyboard_stays_with_the_next_and_then_goes_on_writing(
    tmp_path: Path, kit: Kit
) -> None:
    async with seat_in(tmp_path, kit, say("one")) as seat:
        chat = await with_waiting(seat)
        queue = seat.open.queue
        second = list(queue.lines)[1]
        queue.lines[second].drop.setFocus()
        for left in (2, 1):
            pressed = next(line.drop for line in queue.lines.values() if line.has_keyboard)
            QTest.keyClick(pressed, Qt.Key.Key_Return)
            assert len(queue.lines) == left
            assert [line.has_keyboard for line in queue.lines.values()][-1]
        QTest.keyClick(next(iter(queue.lines.values())).drop, Qt.Key.Key_Space)
        assert not queue.lines
        assert seat.open.composer.edit.hasFocus()
        await let_go(seat, chat)


async def test_a_waiting_message_that_is_taken_back_is_changed_at_once(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, say("one")) as seat:
        chat = await with_waiting(seat)
        line = list(seat.open.queue.lines.values())[-1]
        line.edit.setFocus()
        QTest.keyClick(line.edit, Qt.Key.Key_Return)
        assert seat.open.composer.edit.hasFocus()
        assert seat.open.composer.edit.toPlainText() == "fourth"
        await let_go(seat, chat)


async def test_who_lets_held_messages_go_on_goes_on_writing(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, say("one"), say("two"), say("three"), say("four")) as seat:
        chat = await with_waiting(seat)
        await let_go(seat, chat)
        resume = seat.open.queue.resume
        assert resume is not None
        resume.setFocus()
        seat.room.office.models.hold = None
        QTest.keyClick(resume, Qt.Key.Key_Return)
        assert seat.open.composer.edit.hasFocus()
        await until_seen(lambda: not seat.open.queue.lines)
        await ended(seat, chat)


async def test_a_notice_that_was_read_gives_the_keyboard_back_to_the_message(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit) as seat:
        await opened(seat)
        view = seat.open
        view._conversation.notices.append(FilesAreAsTheyWere())
        (closing,) = [one for one in focus_order(seat.page.window()) if view.notices.isAncestorOf(one)]
        closing.setFocus()
        QTest.keyClick(closing, Qt.Key.Key_Return)
        assert view.composer.edit.hasFocus()
