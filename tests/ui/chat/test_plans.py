"""Plans on their cards, over the real chat service: sent back, approved, rejected, formatted."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from notochord.ui.chat.cards.plan_card import PlanCard
from notochord.ui.kit.kit import Kit
from support.chat_seats import ended, opened, seat_in, the_only
from support.scripted_models import call, say, use
from support.windows import until_seen


async def test_a_plan_is_sent_back_with_a_wish_and_then_approved(tmp_path: Path, kit: Kit) -> None:
    plans = [use(call("propose_plan", {"plan": f"Plan {n}"}, id=f"p{n}")) for n in (1, 2)]
    async with seat_in(tmp_path, kit, *plans, say("Carried out.")) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.set_plan_mode(chat, True)
        seat.room.desk.writing(chat).outbox.post("plan")

        def waiting(plan: str) -> list[PlanCard]:
            cards = [c for c in seat.shown(PlanCard) if c.approve.isVisible()]
            return [c for c in cards if c.plan.text() == plan]

        await until_seen(lambda: len(waiting("Plan 1")) == 1)
        (card,) = waiting("Plan 1")
        QTest.mouseClick(card.change, Qt.MouseButton.LeftButton)
        assert len(await seat.room.office.approvals.pending()) == 1
        QTest.keyClicks(card.wish, "shorter")
        QTest.mouseClick(card.change, Qt.MouseButton.LeftButton)
        await until_seen(lambda: len(waiting("Plan 2")) == 1)
        QTest.mouseClick(waiting("Plan 2")[0].approve, Qt.MouseButton.LeftButton)
        await ended(seat, chat)
        assert not (await seat.room.office.chats.get(chat)).plan_mode
        results = [entry for entry in await seat.room.office.chats.entries(chat) if entry.message.role == "tool"]
        assert "shorter" in str(results[0].message)


async def test_what_was_written_beside_a_plan_goes_along_with_its_rejection(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, use(call("propose_plan", {"plan": "Plan 1"}, id="p1")), say("I see.")) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.set_plan_mode(chat, True)
        seat.room.desk.writing(chat).outbox.post("plan")

        def waiting() -> list[PlanCard]:
            return [c for c in seat.shown(PlanCard) if c.approve.isVisible()]

        await until_seen(lambda: len(waiting()) == 1)
        (card,) = waiting()
        QTest.keyClicks(card.wish, "too dear")
        QTest.mouseClick(card.reject, Qt.MouseButton.LeftButton)
        assert seat.open.composer.edit.hasFocus()
        await ended(seat, chat)
        results = [entry for entry in await seat.room.office.chats.entries(chat) if entry.message.role == "tool"]
        told = str(results[0].message)
        assert "too dear" in told
        assert "do not propose it again" in told
        assert "Revise" not in told
        card = await the_only(seat, PlanCard)
        await until_seen(lambda: card.state.text() == kit.text("window.chat.plan_rejected"))
        assert card.note.text() == kit.text("window.chat.plan_note", note="too dear")


async def test_a_plan_rejected_without_a_reason_puts_no_words_into_the_users_mouth(tmp_path: Path, kit: Kit) -> None:
    async with seat_in(tmp_path, kit, use(call("propose_plan", {"plan": "Plan 1"}, id="p1")), say("I see.")) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.set_plan_mode(chat, True)
        seat.room.desk.writing(chat).outbox.post("plan")
        await until_seen(lambda: any(c.reject.isVisible() for c in seat.shown(PlanCard)))
        card = await the_only(seat, PlanCard)
        QTest.mouseClick(card.reject, Qt.MouseButton.LeftButton)
        await ended(seat, chat)
        card = await the_only(seat, PlanCard)
        await until_seen(lambda: not card.note.isVisible())
        results = [entry for entry in await seat.room.office.chats.entries(chat) if entry.message.role == "tool"]
        assert "user_note" not in str(results[0].message)


async def test_a_plan_is_formatted_as_an_answer_is(tmp_path: Path, kit: Kit) -> None:
    plan = "# Plan\n\n1. **Read** the file.\n2. Write `a.txt`.\n\n" + "Another line.\n\n" * 90
    async with seat_in(tmp_path, kit, use(call("propose_plan", {"plan": plan}, id="p1")), say("I see.")) as seat:
        chat = await opened(seat)
        await seat.room.office.chats.set_plan_mode(chat, True)
        seat.room.desk.writing(chat).outbox.post("plan")
        await until_seen(lambda: any(c.reject.isVisible() for c in seat.shown(PlanCard)))
        card = await the_only(seat, PlanCard)
        card.plan.select_all()
        shown = card.plan.selected_text()
        assert "**" not in shown
        assert "Read the file." in shown
        assert card.plan.verticalScrollBar().maximum() > 0
        assert card.plan.verticalScrollBar().value() == 0
        QTest.mouseClick(card.approve, Qt.MouseButton.LeftButton)
        await ended(seat, chat)
