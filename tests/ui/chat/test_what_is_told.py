"""What the page says is what is so: its buttons, its cards and its lines."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.approvals import rows
from notochord.services.chat.api import Outgoing
from notochord.ui.chat.cards.call_card import CallCard
from notochord.ui.chat.cards.plan_card import PlanCard
from notochord.ui.chat.cards.question import Answers, Question
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.samples import chat as samples
from support.chat_seats import ended, opened, seat_in, the_only
from support.scripted_models import Hold, call, say, use
from support.windows import until_seen

NO_ANSWERS = Answers(lambda *_: None, lambda *_: None, lambda *_: None)


async def test_the_button_tells_what_becomes_of_the_message(tmp_path: Path, kit: Kit) -> None:
    """While messages are held another one waits with them, so the button must not say that it sends."""
    async with seat_in(tmp_path, kit, say("one"), say("two"), say("three")) as seat:
        hold = seat.room.office.models.hold = Hold()
        chat = await opened(seat)
        outbox, composer = seat.room.desk.writing(chat).outbox, seat.open.composer

        def told() -> str:
            assert composer.button.text() in composer.button.toolTip()
            return composer.button.text()

        assert told() == kit.text("window.chat.send")
        outbox.post("first")
        outbox.post("second")
        await until_seen(lambda: told() == kit.text("window.chat.send_later"))
        await hold.reached.wait()
        await outbox.stop()
        await until_seen(lambda: told() == kit.text("window.chat.send_held"))
        await ended(seat, chat)
        await until_seen(lambda: told() == kit.text("window.chat.send_held"))
        composer.edit.setPlainText("third")
        composer.send()
        assert [message.text for message in outbox.queue] == ["second", "third"]
        hold.go.set()
        outbox.resume()
        await until_seen(lambda: not outbox.queue and told() == kit.text("window.chat.send"))


async def test_a_plan_that_was_refused_says_that_nobody_was_asked(tmp_path: Path, kit: Kit) -> None:
    bad = use(call("propose_plan", {"plan": "", "more": 1}, id="p1"))
    async with seat_in(tmp_path, kit, bad, say("I try again.")) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.set_plan_mode(chat, True)
        await seat.room.office.chats.send(chat, Outgoing("plan"))
        said = kit.text("window.chat.plan_refused")
        await until_seen(lambda: [c.state.text() for c in seat.shown(PlanCard) if isinstance(c, PlanCard)] == [said])
        card = await the_only(seat, PlanCard)
        assert not card.approve.isVisible()
        assert not await seat.room.office.approvals.pending()


@pytest.mark.parametrize(
    ("conversation", "kind", "told"), [("", "gem", "no_chat"), ("c", "file", "file"), ("c", "x", "other")]
)
def test_a_question_whose_yes_is_not_kept_says_so_and_why(
    kit: Kit, qtbot: QtBot, conversation: str, kind: str, told: str
) -> None:
    """Known fault U1."""
    asked = samples.asked(holds=False)
    caller = replace(asked.question.caller, cause=Cause(conversation))
    question = Question(kit, replace(asked, question=replace(asked.question, kind=kind, caller=caller)), NO_ANSWERS)
    qtbot.addWidget(question)
    assert [window for window in QApplication.topLevelWidgets() if window.isVisible()] == []
    assert question.allow.text() == kit.text("window.chat.allow_once")
    assert question.once.isVisibleTo(question)
    assert question.once.text() == kit.text(f"window.chat.once_{told}")
    assert question.once.text() in question.allow.accessibleDescription()


def test_a_question_whose_yes_is_kept_says_for_how_long(kit: Kit, qtbot: QtBot) -> None:
    question = Question(kit, samples.asked(), NO_ANSWERS)
    qtbot.addWidget(question)
    assert question.allow.text() == kit.text("window.chat.allow_chat")
    assert not question.once.isVisibleTo(question)


async def test_a_permission_that_could_not_be_saved_is_told_and_the_tool_is_asked_about_again(
    tmp_path: Path, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known fault U1: saving is denied, the tool allowed, and called again."""
    full = NotochordError(Code.DISK_FULL, Fault.SYSTEM, "no room")

    def refuse(*_: object) -> None:
        raise full

    asks = use(call("note.write", {"name": "a", "text": "b"}))
    async with seat_in(tmp_path, kit, asks, say("Done.")) as seat:
        seat.room.office.notes.asks = True
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("write")

        def allow() -> Button | None:
            asking = [c.question for c in seat.shown(CallCard) if isinstance(c, CallCard) and c.question]
            return asking[0].allow if asking and asking[0].allow.isEnabled() else None

        await until_seen(lambda: allow() is not None)
        with monkeypatch.context() as denied:
            denied.setattr(rows, "permit", refuse)
            click(allow())
            await until_seen(lambda: full in seat.presenter.failures)
        assert seat.room.office.notes.texts == {}
        assert not await seat.room.office.approvals.permitted(chat, "tool", "note.write")
        click(allow())
        await ended(seat, chat)
        assert seat.room.office.notes.texts == {"a": "b"}
        assert await seat.room.office.approvals.permitted(chat, "tool", "note.write")


def click(button: Button | None) -> None:
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
