"""A state machine: whatever is asked, answered, withdrawn and reopened, the store of approvals agrees with a model."""

import asyncio
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule
from hypothesis.strategies import booleans, sampled_from

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.persistence.database import Database
from notochord.services.approvals.api import ApprovalQuestion, ApprovalState
from notochord.services.approvals.component import COMPONENT
from notochord.services.approvals.service import ApprovalService
from support.clocks import HandClock
from support.databases import KEY
from support.memory_folders import memory

Result = TypeVar("Result")
Key = tuple[str, str, str]


@dataclass
class Expected:
    key: Key
    holds: bool
    state: ApprovalState


class ApprovalStates(RuleBasedStateMachine):
    approvals_asked = Bundle("approvals_asked")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir=memory())
        self.runner = asyncio.Runner()
        self.clock = HandClock()
        self.ids = IdMaker(self.clock)
        self.expected: dict[str, Expected] = {}
        self.permissions: set[Key] = set()
        self.open()

    def open(self) -> None:
        self.database = self.run(Database.open(Path(self.folder.name) / "main.db", KEY, (COMPONENT,)))
        self.approvals = ApprovalService(database=self.database, clock=self.clock, ids=self.ids, events=EventBus())

    def run(self, work: Coroutine[object, object, Result]) -> Result:
        return self.runner.run(work)

    @rule(
        target=approvals_asked,
        conversation=sampled_from(["", "c", "d"]),
        subject=sampled_from(["x", "y"]),
        holds=booleans(),
    )
    def ask(self, conversation: str, subject: str, holds: bool) -> str:
        caller = Caller(Actor.AGENT, "chat", Cause(conversation=conversation))
        asked = self.run(self.approvals.ask(ApprovalQuestion("gem", subject, "title", "{}", caller, holds)))
        key = (conversation, "gem", subject)
        covered = holds and key in self.permissions
        expected = ApprovalState.APPROVED if covered else ApprovalState.PENDING
        assert asked.state is expected
        self.expected[asked.id] = Expected(key, holds and bool(conversation), expected)
        return asked.id

    @rule(approval=approvals_asked, approve=booleans())
    def decide(self, approval: str, approve: bool) -> None:
        expected = self.expected[approval]
        if expected.state is not ApprovalState.PENDING:
            with pytest.raises(NotochordError, match=Code.APPROVAL_DECIDED):
                self.run(self.approvals.decide(approval, approve=approve, by="test"))
            return
        self.run(self.approvals.decide(approval, approve=approve, by="test"))
        expected.state = ApprovalState.APPROVED if approve else ApprovalState.REJECTED
        if approve and expected.holds:
            self.permissions.add(expected.key)
            for other in self.expected.values():
                if other.key == expected.key and other.holds and other.state is ApprovalState.PENDING:
                    other.state = ApprovalState.APPROVED

    @rule(approval=approvals_asked)
    def withdraw(self, approval: str) -> None:
        self.run(self.approvals.withdraw(approval))
        if self.expected[approval].state is ApprovalState.PENDING:
            self.expected[approval].state = ApprovalState.WITHDRAWN

    @rule(conversation=sampled_from(["c", "d"]), subject=sampled_from(["x", "y"]))
    def permit(self, conversation: str, subject: str) -> None:
        self.run(self.approvals.permit(conversation, "gem", subject))
        self.permissions.add((conversation, "gem", subject))

    @rule()
    def reopen(self) -> None:
        self.run(self.database.close())
        self.open()

    @invariant()
    def the_store_agrees(self) -> None:
        pending = {approval.id for approval in self.run(self.approvals.pending())}
        assert pending == {name for name, each in self.expected.items() if each.state is ApprovalState.PENDING}

    @rule(approval=approvals_asked)
    def read(self, approval: str) -> None:
        assert self.run(self.approvals.get(approval)).state is self.expected[approval].state

    def teardown(self) -> None:
        self.run(self.database.close())
        self.runner.close()
        self.folder.cleanup()


TestApprovalStates = ApprovalStates.TestCase
TestApprovalStates.settings = settings(max_examples=10, stateful_step_count=20)
