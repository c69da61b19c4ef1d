"""Requests for consent: durable, answered once, and never yes by waiting."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.persistence.database import Database
from notochord.services.approvals import rows
from notochord.services.approvals.api import (
    Approval,
    ApprovalDecided,
    ApprovalQuestion,
    ApprovalRequested,
    ApprovalState,
)
from notochord.services.approvals.component import COMPONENT
from notochord.services.approvals.service import ApprovalService
from notochord.services.approvals.tables import METADATA
from support.clocks import HandClock
from support.databases import database_in
from support.schemas import assert_same_schema

GEM = ApprovalQuestion(
    "gem", "org.example.csv", "gem.org.example.csv.sum", '{"path":"a.csv"}', Caller(Actor.AGENT), True
)


def in_conversation(name: str, question: ApprovalQuestion = GEM) -> ApprovalQuestion:
    return replace(question, caller=replace(question.caller, cause=Cause(conversation=name, turn="t", step="s")))


def service_on(database: Database, clock: HandClock | None = None, events: EventBus | None = None) -> ApprovalService:
    clock = clock or HandClock()
    return ApprovalService(database=database, clock=clock, ids=IdMaker(clock), events=events or EventBus())


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with database_in(tmp_path, COMPONENT) as opened:
        yield opened


def test_the_tables_are_those_of_the_migrations() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


async def test_a_question_is_stored_whole_before_anybody_hears_of_it(database: Database) -> None:
    events = EventBus()
    heard: list[ApprovalRequested] = []
    events.subscribe(ApprovalRequested, heard.append)
    approvals = service_on(database, events=events)
    asked = await approvals.ask(in_conversation("c"))
    assert [event.approval for event in heard] == [asked]
    assert await approvals.get(asked.id) == asked
    assert await approvals.pending() == (asked,)
    assert (asked.state, asked.question) == (ApprovalState.PENDING, in_conversation("c"))


async def test_a_question_survives_a_restart_and_can_be_waited_for_again(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        asked = await service_on(database).ask(in_conversation("c"))
    async with database_in(tmp_path, COMPONENT) as database:
        approvals = service_on(database)
        waiting = asyncio.create_task(approvals.wait(asked.id))
        await approvals.decide(asked.id, approve=True, by="window", note="fine")
        answer = await waiting
    assert (answer.state, answer.decided_by, answer.note) == (ApprovalState.APPROVED, "window", "fine")


async def test_every_waiter_hears_the_answer(database: Database) -> None:
    events = EventBus()
    decided: list[ApprovalDecided] = []
    events.subscribe(ApprovalDecided, decided.append)
    approvals = service_on(database, events=events)
    asked = await approvals.ask(in_conversation("c"))
    waiting = [asyncio.create_task(approvals.wait(asked.id)) for _ in range(20)]
    await asyncio.sleep(0)
    await approvals.decide(asked.id, approve=False, by="terminal")
    assert {answer.state for answer in await asyncio.gather(*waiting)} == {ApprovalState.REJECTED}
    assert (await approvals.wait(asked.id)).state is ApprovalState.REJECTED
    assert len(decided) == 1


async def test_waiting_never_makes_a_yes(database: Database) -> None:
    clock = HandClock()
    approvals = service_on(database, clock)
    asked = await approvals.ask(in_conversation("c"))
    waiting = asyncio.create_task(approvals.wait(asked.id))
    await approvals.pending()
    clock.advance(10 * 365 * 24 * 3600)
    assert (await approvals.get(asked.id)).state is ApprovalState.PENDING
    assert not waiting.done()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await approvals.get(asked.id)).state is ApprovalState.PENDING


@pytest.mark.req("GEM-057", "CHAT-020")
async def test_a_yes_that_holds_answers_the_same_question_in_the_same_conversation(database: Database) -> None:
    approvals = service_on(database)
    await approvals.decide((await approvals.ask(in_conversation("c"))).id, approve=True, by="window")
    again = await approvals.ask(replace(in_conversation("c"), arguments='{"path":"b.csv"}'))
    assert (again.state, again.decided_by) == (ApprovalState.APPROVED, "permission")


@pytest.mark.req("GEM-058", "CHAT-021")
async def test_a_yes_covers_no_other_conversation_kind_or_subject(database: Database) -> None:
    approvals = service_on(database)
    await approvals.decide((await approvals.ask(in_conversation("c"))).id, approve=True, by="window")
    others = [
        in_conversation("d"),
        in_conversation(""),
        replace(in_conversation("c"), subject="org.example.other"),
        replace(in_conversation("c"), kind="host"),
    ]
    assert {(await approvals.ask(other)).state for other in others} == {ApprovalState.PENDING}


async def test_a_yes_without_a_conversation_holds_for_nothing(database: Database) -> None:
    """Known fault U1: nor does the question promise that it would."""
    approvals = service_on(database)
    asked = await approvals.ask(in_conversation(""))
    assert in_conversation("").holds
    assert not asked.question.holds
    assert asked == await approvals.get(asked.id)
    await approvals.decide(asked.id, approve=True, by="window")
    assert (await approvals.ask(in_conversation(""))).state is ApprovalState.PENDING
    with pytest.raises(NotochordError):
        await approvals.permit("", "gem", GEM.subject)


async def test_a_question_for_each_time_is_asked_although_a_permission_exists(database: Database) -> None:
    approvals = service_on(database)
    await approvals.permit("c", "gem", GEM.subject)
    each_time = replace(in_conversation("c"), holds=False)
    assert (await approvals.ask(in_conversation("c"))).state is ApprovalState.APPROVED
    assert (await approvals.ask(each_time)).state is ApprovalState.PENDING


async def test_a_yes_for_each_time_leaves_no_permission(database: Database) -> None:
    approvals = service_on(database)
    asked = await approvals.ask(replace(in_conversation("c"), holds=False))
    await approvals.decide(asked.id, approve=True, by="window")
    assert not await approvals.permitted("c", "gem", GEM.subject)


async def test_a_no_leaves_no_permission_and_the_next_question_is_asked(database: Database) -> None:
    approvals = service_on(database)
    await approvals.decide((await approvals.ask(in_conversation("c"))).id, approve=False, by="window")
    assert (await approvals.ask(in_conversation("c"))).state is ApprovalState.PENDING


@pytest.mark.req("GEM-056")
async def test_a_yes_that_holds_answers_the_questions_that_were_open_beside_it(database: Database) -> None:
    approvals = service_on(database)
    first, second = await approvals.ask(in_conversation("c")), await approvals.ask(in_conversation("c"))
    each_time = await approvals.ask(replace(in_conversation("c"), holds=False))
    elsewhere = await approvals.ask(in_conversation("d"))
    waiting = asyncio.create_task(approvals.wait(second.id))
    await approvals.decide(first.id, approve=True, by="window")
    assert (await waiting).state is ApprovalState.APPROVED
    assert {open_one.id for open_one in await approvals.pending()} == {each_time.id, elsewhere.id}


async def test_a_yes_whose_permission_cannot_be_stored_is_none_and_the_question_stays(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known fault U1: whoever allows for good hears that it was not kept, and is not asked anew in silence."""
    full = NotochordError(Code.DISK_FULL, Fault.SYSTEM, "no room")

    def refuse(*_: object) -> None:
        raise full

    approvals = service_on(database)
    asked = await approvals.ask(in_conversation("c"))
    with monkeypatch.context() as denied:
        denied.setattr(rows, "permit", refuse)
        with pytest.raises(NotochordError) as caught:
            await approvals.decide(asked.id, approve=True, by="window")
    assert caught.value is full
    assert (await approvals.get(asked.id)).state is ApprovalState.PENDING
    await approvals.decide(asked.id, approve=True, by="window")
    assert (await approvals.ask(in_conversation("c"))).state is ApprovalState.APPROVED


@pytest.mark.parametrize("approve", [True, False])
async def test_an_answer_cannot_be_changed(database: Database, approve: bool) -> None:
    approvals = service_on(database)
    asked = await approvals.ask(in_conversation("c"))
    await approvals.decide(asked.id, approve=approve, by="window")
    with pytest.raises(NotochordError) as caught:
        await approvals.decide(asked.id, approve=not approve, by="control")
    assert caught.value.code is Code.APPROVAL_DECIDED
    await approvals.withdraw(asked.id)
    assert (await approvals.get(asked.id)).decided_by == "window"


async def test_a_withdrawn_question_can_be_answered_no_more(database: Database) -> None:
    approvals = service_on(database)
    asked = await approvals.ask(in_conversation("c"))
    waiting = asyncio.create_task(approvals.wait(asked.id))
    await approvals.withdraw(asked.id)
    assert (await waiting).state is ApprovalState.WITHDRAWN
    with pytest.raises(NotochordError) as caught:
        await approvals.decide(asked.id, approve=True, by="window")
    assert caught.value.code is Code.APPROVAL_DECIDED


async def test_a_deleted_conversation_leaves_no_question_and_no_permission(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    approvals, seen = service_on(database), asyncio.Event()
    await approvals.permit("c", "gem", GEM.subject)
    open_one = await approvals.ask(replace(in_conversation("c"), holds=False))
    kept = await approvals.ask(in_conversation("d"))
    read = approvals.get

    async def get(approval: str) -> Approval:
        found = await read(approval)
        seen.set()
        return found

    monkeypatch.setattr(approvals, "get", get)
    waiting = asyncio.create_task(approvals.wait(open_one.id))
    await seen.wait()
    await approvals.forget("c")
    assert (await waiting).state is ApprovalState.WITHDRAWN
    assert not await approvals.permitted("c", "gem", GEM.subject)
    assert await approvals.pending() == (kept,)


async def test_an_answer_reaches_the_waiter_although_who_gave_it_is_cancelled(database: Database) -> None:
    approvals = service_on(database)
    asked = await approvals.ask(in_conversation("c"))
    waiting = asyncio.create_task(approvals.wait(asked.id))
    await approvals.pending()
    deciding = asyncio.create_task(approvals.decide(asked.id, approve=True, by="control"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    deciding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await deciding
    assert (await waiting).state is ApprovalState.APPROVED


async def test_a_question_whose_asker_is_cancelled_while_asking_does_not_stay_open(database: Database) -> None:
    approvals = service_on(database)
    asking = asyncio.create_task(approvals.ask(in_conversation("c")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert await approvals.pending() == ()


@pytest.mark.parametrize("name", ["get", "wait", "withdraw"])
async def test_an_unknown_request_is_named_as_such(database: Database, name: str) -> None:
    with pytest.raises(NotochordError) as caught:
        await getattr(service_on(database), name)("no such id")
    assert caught.value.code is Code.APPROVAL_UNKNOWN
