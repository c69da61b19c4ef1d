"""Where the keyboard is in a chat: seen by who works with it, and back where messages are written in the end."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from notochord.services.chat.api import Outgoing
from notochord.ui.chat.cards.call_card import CallCard
from notochord.ui.chat.cards.plan_card import PlanCard
from notochord.ui.chat.composer_view import ComposerView
from notochord.ui.chat.experts_panel import ExpertsPanel
from notochord.ui.chat.message_actions import MessageActions
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.transcript.view import Transcript
from support.chat_seats import Seat, ended, opened, seat_in, the_only
from support.scripted_models import call, say, use
from support.windows import until_seen

PLAN = use(call("propose_plan", {"plan": "One step."}, id="p1"))


async def with_plan(seat: Seat) -> tuple[str, PlanCard]:
    chat = await opened(seat)
    await seat.room.office.chats.set_plan_mode(chat, True)
    seat.room.desk.writing(chat).outbox.post("plan")
    await until_seen(lambda: any(card.reject.isVisible() for card in seat.shown(PlanCard)))
    return chat, await the_only(seat, PlanCard)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
@pytest.mark.parametrize("answer", ["approve", "change", "reject"])
async def test_whoever_answers_a_plan_goes_on_writing(tmp_path: Path, kit: Kit, key: Qt.Key, answer: str) -> None:
    async with seat_in(tmp_path, kit, PLAN, say("I see.")) as seat:
        chat, card = await with_plan(seat)
        card.wish.setFocus()
        QTest.keyClicks(card.wish, "shorter")
        button: QWidget = getattr(card, answer)
        button.setFocus()
        QTest.keyClick(button, key)
        assert seat.open.composer.edit.hasFocus()
        await ended(seat, chat)
        assert seat.open.composer.edit.hasFocus()


@pytest.mark.parametrize("place", ["wish", "approve", "reject"])
async def test_a_plan_that_is_rejected_elsewhere_gives_the_keyboard_back(tmp_path: Path, kit: Kit, place: str) -> None:
    async with seat_in(tmp_path, kit, PLAN, say("I see.")) as seat:
        chat, card = await with_plan(seat)
        getattr(card, place).setFocus()
        (pending,) = await seat.room.office.approvals.pending()
        await seat.room.office.approvals.decide(pending.id, approve=False, by="terminal")
        await until_seen(lambda: not card.reject.isVisible())
        await ended(seat, chat)
        assert seat.open.composer.edit.hasFocus()


async def test_a_question_that_is_answered_elsewhere_gives_the_keyboard_back(tmp_path: Path, kit: Kit) -> None:
    both = use(*(call("note.write", {"name": name, "text": "x"}, id=name) for name in ("c1", "c2")))
    async with seat_in(tmp_path, kit, both, say("Done.")) as seat:
        seat.room.office.notes.asks = True
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("write")
        await until_seen(lambda: len([card for card in seat.shown(CallCard) if card.question]) == 2)
        first = min(seat.shown(CallCard), key=lambda card: card.mapToGlobal(QPoint(0, 0)).y())
        assert first.question is not None
        first.question.reason.setFocus()
        asked = first.question.approval.id
        await seat.room.office.approvals.decide(asked, approve=False, by="terminal")
        await until_seen(seat.open.composer.edit.hasFocus)
        await seat.room.office.chats.stop(chat)
        await ended(seat, chat)


async def test_the_conversation_shows_the_keyboard_to_who_came_with_it(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, say("Yes.")) as seat:
        await opened(seat)
        view = seat.open.pane.view

        def seen(reason: Qt.FocusReason) -> QImage:
            seat.open.composer.edit.setFocus()
            view.setFocus(reason)
            return view.grab().toImage()

        seat.open.composer.edit.setFocus()
        without = view.grab().toImage()
        assert seen(Qt.FocusReason.MouseFocusReason) == without
        assert seen(Qt.FocusReason.TabFocusReason) != without
        assert seen(Qt.FocusReason.BacktabFocusReason) != without


async def test_a_plan_is_told_by_its_name_and_not_as_the_conversation(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, PLAN, say("I see.")) as seat:
        chat, card = await with_plan(seat)
        assert name_of(card.plan) == kit.text("window.chat.plan")
        assert name_of(seat.open.pane.view) != name_of(card.plan)
        await seat.room.office.chats.stop(chat)
        await ended(seat, chat)


def name_of(view: Transcript) -> str:
    return QAccessible.queryAccessibleInterface(view).text(QAccessible.Text.Name)


async def test_a_press_beside_the_text_goes_on_writing(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit) as seat:
        await opened(seat)
        composer: ComposerView = seat.open.composer
        seat.open.pane.view.setFocus()
        beside = QPoint(composer._frame.width() // 2, composer.button.y() + 2)
        QTest.mouseClick(composer._frame, Qt.MouseButton.LeftButton, pos=beside)
        assert composer.edit.hasFocus()


async def test_the_way_back_from_an_experts_work_ends_at_that_expert(tmp_path: Path, kit: Kit) -> None:
    both = use(*(call("agent.delegate", {"task": task}, id=task) for task in ("one", "two")))
    async with seat_in(tmp_path, kit, both, say("Done."), sub_agent=[say("a"), say("b")]) as seat:
        chat = await opened(seat)
        seat.room.desk.writing(chat).outbox.post("go")
        await ended(seat, chat)
        seat.open.toggle_experts()
        panel = seat.open.panel
        assert isinstance(panel, ExpertsPanel)
        await until_seen(lambda: len(panel.cards) == 2)
        seat.page.activateWindow()
        await until_seen(seat.page.isActiveWindow)
        expert = list(panel.cards)[1]
        panel.cards[expert].title.setFocus()
        QTest.keyClick(panel.cards[expert].title, Qt.Key.Key_Return)
        await until_seen(lambda: panel.back.hasFocus() and bool(panel._working and panel._working.pieces))
        QTest.keyClick(panel.back, Qt.Key.Key_Escape)
        await until_seen(lambda: panel.cards[expert].title.hasFocus())
        await asyncio.sleep(0)


async def test_who_goes_through_versions_by_keyboard_stays_at_them(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, say("one."), say("two."), say("three.")) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.send(chat, Outgoing("first"))
        for text in ("second", "third"):
            (question, *_) = await seat.room.office.chats.entries(chat)
            await seat.room.office.chats.edit(chat, question.id, text)
        await until_seen(lambda: seat.texts() == ["third", "three."])
        await ended(seat, chat)
        view = seat.open.pane.view
        view.setFocus()
        view.go_to_message(-1)
        view.go_to_message(-1)
        await until_seen(lambda: any(hasattr(strip, "previous") for strip in seat.shown(MessageActions)))
        (strip,) = seat.shown(MessageActions)
        strip.previous.setFocus()
        QTest.keyClick(strip.previous, Qt.Key.Key_Space)
        await until_seen(lambda: seat.texts()[:1] == ["second"])
        await until_seen(lambda: any(strip.previous.hasFocus() for strip in seat.shown(MessageActions)))
        (strip,) = seat.shown(MessageActions)
        QTest.keyClick(strip.previous, Qt.Key.Key_Return)
        await until_seen(lambda: seat.texts()[:1] == ["first"])
        await until_seen(view.hasFocus)
        (strip,) = seat.shown(MessageActions)
        assert not strip.previous.isEnabled()
        await ended(seat, chat)
