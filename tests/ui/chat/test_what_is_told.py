"""What the page says is what is so: its buttons, its cards and its lines."""

from pathlib import Path

from notochord.services.chat.api import Outgoing
from notochord.ui.chat.cards.plan_card import PlanCard
from notochord.ui.kit.kit import Kit
from support.chat_seats import ended, opened, seat_in
from support.scripted_models import Hold, call, say, use
from support.windows import until_seen


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
        assert told() == kit.text("window.chat.send_held")
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
        await until_seen(lambda: bool(seat.shown(PlanCard)))
        (card,) = seat.shown(PlanCard)
        assert isinstance(card, PlanCard)
        assert card.state.text() == kit.text("window.chat.plan_refused")
        assert not card.approve.isVisible()
        assert not await seat.room.office.approvals.pending()
