"""Attention: what waits and what ended is told to a user who does not look, and to nobody else."""

from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.approvals.api import Approval, ApprovalQuestion
from notochord.services.chat.api import NewChat, Outgoing
from notochord.viewmodels.shell.attention import Occasion, Summons, WaitsFor
from notochord.viewmodels.shell.navigation import Page, Place
from notochord.viewmodels.shell.preferences import NOTIFY
from support.eventually import until
from support.scripted_models import say
from viewmodels.shell.conftest import Watch, watching

SECRET = "the patient is called Miller"


async def a_chat(watch: Watch) -> str:
    chat = await watch.office.chats.create(NewChat())
    await watch.office.chats.rename(chat.id, "Plans")
    return chat.id


async def answered(watch: Watch, chat: str) -> None:
    await watch.office.chats.send(chat, Outgoing(SECRET))


async def asked(watch: Watch, chat: str, kind: str = "gem") -> Approval:
    caller = Caller(Actor.AGENT, "chat", Cause(conversation=chat))
    question = ApprovalQuestion(kind, "sales-summary", SECRET, '{"file":"a.csv"}', caller, holds=True)
    approval = await watch.office.approvals.ask(question)
    await until(lambda: bool(watch.attention.waiting))
    return approval


async def test_an_answer_that_ends_out_of_sight_is_told_by_the_title_of_its_chat_alone(tmp_path: Path) -> None:
    async with watching(tmp_path, [say(SECRET)]) as watch:
        chat = await a_chat(watch)
        await answered(watch, chat)
        await until(lambda: bool(watch.summoned))
        assert watch.summoned == [Summons(Occasion.FINISHED, "Plans", Place(Page.CHAT, chat))]
        assert watch.attention.unread.value == {chat}


async def test_an_answer_that_ends_in_sight_is_not_told(tmp_path: Path) -> None:
    async with watching(tmp_path, [say("Yes."), say("Yes.")]) as watch:
        seen, unseen = await a_chat(watch), await a_chat(watch)
        watch.attention.window_active.set(True)
        watch.navigation.go(Page.CHAT, seen)
        await answered(watch, seen)
        await answered(watch, unseen)
        await until(lambda: bool(watch.summoned))
        assert ([one.place.subject for one in watch.summoned], watch.attention.unread.value) == (
            [unseen],
            frozenset({unseen}),
        )


async def test_looking_at_an_unread_chat_makes_it_read(tmp_path: Path) -> None:
    async with watching(tmp_path, [say("Yes.")]) as watch:
        chat = await a_chat(watch)
        await answered(watch, chat)
        await until(lambda: chat in watch.attention.unread.value)
        watch.navigation.go(Page.CHAT, chat)
        assert chat in watch.attention.unread.value
        watch.attention.window_active.set(True)
        assert not watch.attention.unread.value


async def test_what_is_unread_is_so_after_a_restart(tmp_path: Path) -> None:
    async with watching(tmp_path, [say("Yes.")]) as watch:
        chat = await a_chat(watch)
        await answered(watch, chat)
        await until(lambda: chat in watch.attention.unread.value)
    async with watching(tmp_path) as watch:
        assert watch.attention.unread.value == {chat}


async def test_a_failed_answer_waits_until_it_is_looked_at(tmp_path: Path) -> None:
    failure = NotochordError(Code.MODEL_KEY_REFUSED, Fault.USER, "no")
    async with watching(tmp_path, [failure]) as watch:
        chat = await a_chat(watch)
        with pytest.raises(NotochordError):
            await answered(watch, chat)
        await until(lambda: bool(watch.attention.waiting))
        assert [one.wants for one in watch.attention.waiting] == [WaitsFor.FAILURE]
        await until(lambda: bool(watch.summoned))
        assert watch.summoned[-1].occasion is Occasion.FAILED
        watch.attention.window_active.set(True)
        watch.navigation.go(Page.CHAT, chat)
        assert not watch.attention.waiting


async def test_a_question_waits_until_it_is_answered(tmp_path: Path) -> None:
    async with watching(tmp_path) as watch:
        chat = await a_chat(watch)
        approval = await asked(watch, chat)
        (waiting,) = watch.attention.waiting
        assert (waiting.wants, waiting.chat, waiting.subject) == (WaitsFor.APPROVAL, chat, "sales-summary")
        await until(lambda: bool(watch.summoned))
        assert SECRET not in repr(watch.summoned)
        await watch.office.approvals.decide(approval.id, approve=True, by="window")
        assert not watch.attention.waiting


async def test_a_question_that_was_asked_before_the_start_waits(tmp_path: Path) -> None:
    async with watching(tmp_path) as watch:
        await asked(watch, await a_chat(watch), "plan")
    async with watching(tmp_path) as watch:
        assert [(one.wants, one.title) for one in watch.attention.waiting] == [(WaitsFor.PLAN, "Plans")]


async def test_a_question_of_nobodys_chat_waits_on_home(tmp_path: Path) -> None:
    async with watching(tmp_path) as watch:
        await asked(watch, "")
        (waiting,) = watch.attention.waiting
        assert (waiting.chat, waiting.arguments) == ("", '{"file":"a.csv"}')


async def test_nothing_is_told_when_notifications_are_off(tmp_path: Path) -> None:
    async with watching(tmp_path, [say("Yes.")]) as watch:
        await watch.office.settings.change(NOTIFY, False)
        chat = await a_chat(watch)
        await answered(watch, chat)
        await until(lambda: chat in watch.attention.unread.value)
        assert not watch.summoned


async def test_a_deleted_chat_is_neither_unread_nor_waited_for(tmp_path: Path) -> None:
    async with watching(tmp_path, [say("Yes.")]) as watch:
        chat = await a_chat(watch)
        await answered(watch, chat)
        await until(lambda: chat in watch.attention.unread.value)
        await watch.office.chats.delete(chat)
        await until(lambda: not watch.attention.unread.value)
