"""What is written and pasted is what is sent: compositions, and texts so long that they go as files."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notochord.services.models.api import Text
from notochord.ui.chat.cards.plan_card import MOST_OF_A_WISH, WishEdit
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.composer import LONG_PASTE
from support.chat_seats import Seat, ended, opened, seat_in
from support.scripted_models import say
from support.windows import until_seen

SYLLABLES = [
    "zhe",
    "shi",
    "yi",
    "ge",
    "fei",
    "chang",
    "chang",
    "de",
    "meiyou",
    "yisi",
    "de",
    "juzi",
    "wo",
    "bu",
    "zhidao",
    "ta",
    "xiang",
    "shuo",
    "shenme",
] * 4
FIVE_MEGABYTES = 5_000_000


def compose(seat: Seat, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(seat.open.composer.edit, event)


@pytest.mark.parametrize("committed", ["".join(SYLLABLES), "这是一个非常长的没有意思的句子"])
async def test_what_was_committed_is_sent_and_not_what_was_composed(tmp_path: Path, kit: Kit, committed: str) -> None:
    """Known fault D5: long nonsense in pinyin, shown with spaces between its syllables; Enter ends it, Enter sends."""
    async with seat_in(tmp_path, kit, say("Done.")) as seat:
        chat = await opened(seat)
        edit, composer = seat.open.composer.edit, seat.room.desk.writing(chat).composer
        for count in range(1, len(SYLLABLES) + 1):
            compose(seat, " ".join(SYLLABLES[:count]))
        assert composer.text.value == ""
        QTest.keyClick(edit, Qt.Key.Key_Return)
        compose(seat, "", committed)
        QTest.keyClick(edit, Qt.Key.Key_Return)
        assert (edit.toPlainText(), composer.text.value) == (committed, committed)
        await until_seen(lambda: not edit._composing)
        QTest.keyClick(edit, Qt.Key.Key_Return)
        await until_seen(lambda: bool(seat.room.office.models.requests))
        await ended(seat, chat)
        question = (await seat.room.office.chats.entries(chat))[0]
        assert question.message.parts == (Text(committed),)
        await until_seen(lambda: seat.texts()[:1] == [committed])


async def test_a_button_that_is_pressed_while_something_is_composed_sends_what_was_committed(
    tmp_path: Path, kit: Kit
) -> None:
    async with seat_in(tmp_path, kit, say("Done.")) as seat:
        chat = await opened(seat)
        compose(seat, "", "你好")
        compose(seat, "shi jie")
        QTest.mouseClick(seat.open.composer.button, Qt.MouseButton.LeftButton)
        await until_seen(lambda: bool(seat.room.office.models.requests))
        await ended(seat, chat)
        question = (await seat.room.office.chats.entries(chat))[0]
        assert question.message.parts == (Text("你好"),)


LONG = {
    "one line of 5 MB": "x" * FIVE_MEGABYTES,
    "5 MB of 80 columns": ("y" * 79 + "\n") * (FIVE_MEGABYTES // 80),
    "20,000 lines of code": "".join(f"    value_{n} = compute({n}, name='item {n}')\n" for n in range(20_000)),
}


@pytest.mark.parametrize("name", LONG)
async def test_a_very_long_paste_becomes_a_file_with_all_of_it_and_the_field_stays_empty(
    tmp_path: Path, kit: Kit, name: str
) -> None:
    """Known faults E1 and E2: what is never laid out cannot make the window stand still."""
    text = LONG[name]
    async with seat_in(tmp_path, kit, say("Read.")) as seat:
        chat = await opened(seat)
        field, attachments = seat.open.composer, seat.room.desk.writing(chat).composer.attachments
        seen: list[int] = []
        field.edit.document().contentsChange.connect(lambda _, __, added: seen.append(added))
        data = QMimeData()
        data.setText(text)
        field.edit.insertFromMimeData(data)
        await until_seen(lambda: len(attachments) == 1 and len(field.attachments.chips) == 1)
        assert (field.edit.toPlainText(), seen) == ("", [])
        (pasted,) = attachments
        assert pasted.path.read_text() == text
        assert field.button.isEnabled()
        field.send()
        await until_seen(lambda: bool(seat.room.office.models.requests))
        await ended(seat, chat)
        entry = (await seat.room.office.chats.entries(chat))[0]
        assert entry.attachments == (pasted.name,)
        assert ((await seat.room.office.chats.get(chat)).folder / pasted.name).read_text() == text


def test_a_remark_takes_of_a_paste_what_there_is_room_for(qtbot: QtBot) -> None:
    """Known fault E1, in the other field of the page that takes more than a line."""
    edit, data = WishEdit(), QMimeData()
    qtbot.addWidget(edit)
    data.setText("x" * FIVE_MEGABYTES)
    QTest.keyClicks(edit, "ab")
    edit.insertFromMimeData(data)
    assert len(edit.toPlainText()) == MOST_OF_A_WISH
    edit.selectAll()
    edit.insertFromMimeData(data)
    assert edit.toPlainText() == "x" * MOST_OF_A_WISH


@pytest.mark.parametrize(("length", "as_file"), [(LONG_PASTE - 1, False), (LONG_PASTE, True)])
async def test_only_a_paste_over_the_limit_becomes_a_file(tmp_path: Path, kit: Kit, length: int, as_file: bool) -> None:
    async with seat_in(tmp_path, kit) as seat:
        chat = await opened(seat)
        data = QMimeData()
        data.setText("x" * length)
        seat.open.composer.edit.insertFromMimeData(data)
        attachments = seat.room.desk.writing(chat).composer.attachments
        await until_seen(lambda: bool(attachments) is as_file)
        assert bool(seat.open.composer.edit.toPlainText()) is not as_file
