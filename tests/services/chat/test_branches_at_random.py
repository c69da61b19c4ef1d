"""Whatever is sent, retried, edited, switched and deleted, each branch shows exactly what was said on it."""

import asyncio
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from notochord.core.clock import SystemClock
from notochord.services.chat.api import NewChat, Outgoing
from notochord.services.models.api import Role, Text
from support.conversations import Office, office_in
from support.memory_folders import memory
from support.message_rules import broken_rules
from support.scripted_models import call, say, use


class Branches(RuleBasedStateMachine):
    """The model: for each message the way that leads to it, and which way is the active one.

    A way is a tuple of (entry id, text). Each answer writes its own text into one note, so that the note must always
    hold what the last answer on the active way wrote, unless the user switched to another branch.
    """

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp(dir=memory()))
        self.opening = office_in(self.folder, clock=SystemClock())
        self.office: Office = self.loop.run_until_complete(self.opening.__aenter__())
        self.chat = ""
        self.ways: dict[str, tuple[tuple[str, str], ...]] = {}
        self.active: tuple[tuple[str, str], ...] = ()
        self.last_used: list[tuple[tuple[str, str], ...]] = []
        self.made = 0

    def teardown(self) -> None:
        self.loop.run_until_complete(self.opening.__aexit__(None, None, None))
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        shutil.rmtree(self.folder)

    @initialize()
    def begin(self) -> None:
        self.chat = self.loop.run_until_complete(self.office.chats.create(NewChat())).id

    def script(self, with_call: bool) -> str:
        self.made += 1
        text = f"answer {self.made}"
        first = [use(call("note.write", {"name": "note", "text": text}))] if with_call else []
        self.office.models.scripts["chat"] = [*first, say(text)]
        return text

    def record(self, before: tuple[tuple[str, str], ...]) -> None:
        """Take over the ids of what was added after `before`."""
        entries = self.loop.run_until_complete(self.office.chats.entries(self.chat))
        way = tuple((entry.id, _text(entry.message.parts)) for entry in entries)
        assert way[: len(before)] == before
        for length in range(len(before) + 1, len(way) + 1):
            self.ways[way[length - 1][0]] = way[:length]
        self.activate(way)

    def activate(self, way: tuple[tuple[str, str], ...]) -> None:
        self.active = way
        self.last_used = [used for used in self.last_used if used != way[: len(used)] and used != way] + [way]

    @rule(with_call=st.booleans())
    def send(self, with_call: bool) -> None:
        answer = self.script(with_call)
        message = f"message {self.made}"
        before = self.active
        self.loop.run_until_complete(self.office.chats.send(self.chat, Outgoing(message)))
        self.record(before)
        assert [text for _, text in self.active[len(before) :] if text] == [message, answer]

    @precondition(lambda self: self.active)
    @rule(data=st.data(), with_call=st.booleans())
    def retry(self, data: st.DataObject, with_call: bool) -> None:
        index = data.draw(st.sampled_from(self.users()))
        answer = self.script(with_call)
        before = self.active[: index + 1]
        self.loop.run_until_complete(self.office.chats.retry(self.chat, self.active[index][0]))
        self.record(before)
        assert [text for _, text in self.active[len(before) :] if text] == [answer]

    @precondition(lambda self: self.active)
    @rule(data=st.data(), with_call=st.booleans())
    def edit(self, data: st.DataObject, with_call: bool) -> None:
        index = data.draw(st.sampled_from(self.users()))
        answer = self.script(with_call)
        before, message = self.active[:index], f"edited {self.made}"
        self.loop.run_until_complete(self.office.chats.edit(self.chat, self.active[index][0], message))
        self.record(before)
        assert [text for _, text in self.active[len(before) :] if text] == [message, answer]

    @precondition(lambda self: self.ways)
    @rule(data=st.data())
    def switch(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(sorted(self.ways)))
        self.loop.run_until_complete(self.office.chats.switch_branch(self.chat, entry))
        through = self.ways[entry]
        self.activate(next(way for way in reversed(self.last_used) if way[: len(through)] == through))

    @rule()
    def reopen(self) -> None:
        notes = self.office.notes
        self.loop.run_until_complete(self.opening.__aexit__(None, None, None))
        self.opening = office_in(self.folder, clock=SystemClock(), notes=notes)
        self.office = self.loop.run_until_complete(self.opening.__aenter__())

    @invariant()
    def the_active_branch_is_what_was_said_on_it(self) -> None:
        if not self.active:
            return
        entries = self.loop.run_until_complete(self.office.chats.entries(self.chat))
        assert tuple((entry.id, _text(entry.message.parts)) for entry in entries) == self.active
        for entry in entries:
            alternatives = {
                other for other, way in self.ways.items() if len(way) > 1 and way[-2:-1] == self.ways[entry.id][-2:-1]
            }
            if entry.message.role is Role.USER and len(self.ways[entry.id]) > 1:
                assert set(entry.siblings) == alternatives
        assert not broken_rules(tuple(entry.message for entry in entries)[:-1])

    def users(self) -> list[int]:
        entries = self.loop.run_until_complete(self.office.chats.entries(self.chat))
        return [index for index, entry in enumerate(entries) if entry.message.role is Role.USER]


def _text(parts: tuple[object, ...]) -> str:
    return "".join(part.text for part in parts if isinstance(part, Text))


TestBranches = Branches.TestCase
TestBranches.settings = settings(max_examples=8, stateful_step_count=12, suppress_health_check=list(HealthCheck))
