"""The conversations as things that are made, listed, looked at, changed and deleted."""

import asyncio
from collections.abc import Collection
from pathlib import Path

from sqlalchemy import Connection

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.flat_text import flattened
from notochord.core.ids import IdMaker
from notochord.core.paths import OrganizationFolder
from notochord.persistence.atomic_files import write_atomically
from notochord.persistence.database import Database
from notochord.persistence.failures import translated
from notochord.persistence.folders import remove_folder
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.approvals.api import Approvals
from notochord.services.chat import chat_rows, entry_rows, exports, search, taken_back, views
from notochord.services.chat.api import (
    Chat,
    ChatChanged,
    Entry,
    ExportForm,
    ExportWords,
    Found,
    NewChat,
    Summary,
    TakenBack,
)
from notochord.services.chat.branches import END, add_branch
from notochord.services.chat.choices import current_choice
from notochord.services.chat.engagements import Engagements, is_of_gem, no_plans
from notochord.services.chat.openings import new_chat
from notochord.services.chat.records import ChatRecord, Leaf, TitleState
from notochord.services.chat.running import RunningAnswers
from notochord.services.files.api import Files
from notochord.services.models.api import ChosenBy, ModelChoice, Models
from notochord.services.settings.api import Settings

LONGEST_TITLE = 200
ENGLISH = ExportWords()


class ChatCatalog:
    """Everything about conversations but answering in them."""

    def __init__(
        self,
        *,
        database: Database,
        folder: OrganizationFolder,
        clock: Clock,
        ids: IdMaker,
        events: EventBus,
        settings: Settings,
        models: Models,
        approvals: Approvals,
        files: Files,
        running: RunningAnswers,
        engagements: Engagements,
    ) -> None:
        self._database = database
        self._folder = folder
        self._clock = clock
        self._ids = ids
        self._events = events
        self._settings = settings
        self._models = models
        self._approvals = approvals
        self._files = files
        self._running = running
        self._engagements = engagements

    async def create(self, new: NewChat) -> Chat:
        if new.role and new.plan_mode:
            raise no_plans()
        chat, branch = self._ids.new(), self._ids.new()
        choice = await self._choice(new, self._folder.chat(chat))
        if new.folder is None:
            folder = self._folder.chat(chat)
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        else:
            folder = await self._files.check_choice(new.folder)
        now = self._clock.milliseconds()
        record = new_chat(
            chat,
            branch,
            folder=folder,
            own_folder=new.folder is None,
            choice=choice,
            now=now,
            role=new.role,
            plan_mode=new.plan_mode,
        )

        def store(connection: Connection) -> None:
            chat_rows.add(connection, record)
            add_branch(connection, chat, branch, after=Leaf(), now=now)

        await self._database.write(store)
        self._events.publish(ChatChanged(chat))
        return views.chat_of(record, answering=False, waiting=False)

    async def all(self) -> tuple[Chat, ...]:
        records = await self._database.read(lambda connection: chat_rows.of_parent(connection, ""))
        return await self._shown(records)

    async def sub_agents(self, chat: str) -> tuple[Chat, ...]:
        def load(connection: Connection) -> tuple[ChatRecord, ...]:
            return chat_rows.of_parent(connection, chat_rows.get(connection, chat).id)

        return await self._shown(await self._database.read(load))

    async def get(self, chat: str) -> Chat:
        return (await self._shown((await self._record(chat),)))[0]

    async def entries(self, chat: str) -> tuple[Entry, ...]:
        def load(connection: Connection) -> tuple[Entry, ...]:
            record = chat_rows.get(connection, chat)
            return views.entries_of(entry_rows.whole(connection, record.branch), entry_rows.siblings(connection, chat))

        return await self._database.read(load)

    async def latest(self, chat: str, *, most: int, before: str = "") -> tuple[Entry, ...]:
        def load(connection: Connection) -> tuple[Entry, ...]:
            branch = chat_rows.get(connection, chat).branch
            depth = END
            if before:
                depth = entry_rows.get(connection, chat, before.removesuffix(views.RESULTS)).depth
            found = entry_rows.latest(connection, branch, max(1, most), depth)
            parents = {entry.parent for entry in found}
            return views.entries_of(found, entry_rows.siblings_of(connection, chat, parents))

        return await self._database.read(load)

    async def spent(self, chat: str) -> tuple[int, int]:
        def load(connection: Connection) -> tuple[int, int]:
            family = (chat_rows.get(connection, chat), *chat_rows.of_parent(connection, chat))
            return entry_rows.spent(connection, (record.id for record in family))

        return await self._database.read(load)

    async def written_out(self, chat: str, form: ExportForm, *, words: ExportWords = ENGLISH) -> bytes:
        def load(connection: Connection) -> bytes:
            if form is ExportForm.JSON:
                return exports.json(connection, chat)
            return exports.markdown(connection, chat, words)

        return await self._database.read(load)

    async def export(self, chat: str, target: Path, form: ExportForm, *, words: ExportWords = ENGLISH) -> None:
        content = await self.written_out(chat, form, words=words)
        await asyncio.to_thread(_write, target, content)

    async def summaries(self, chat: str) -> tuple[Summary, ...]:
        def load(connection: Connection) -> tuple[Summary, ...]:
            record = chat_rows.get(connection, chat)
            return tuple(map(views.summary_of, entry_rows.summaries(connection, record.branch)))

        return await self._database.read(load)

    async def taken_back(self, chat: str) -> tuple[TakenBack, ...]:
        return await self._database.read(
            lambda connection: taken_back.on_the_way(connection, chat_rows.get(connection, chat).branch)
        )

    async def search(self, words: str, *, most: int = 50) -> tuple[Found, ...]:
        return await self._database.read(lambda connection: search.find(connection, words, most))

    async def set_plan_mode(self, chat: str, plan_mode: bool) -> None:
        if plan_mode and is_of_gem((await self._record(chat)).role):
            raise no_plans()
        await self._change(chat, plan_mode=int(plan_mode))

    async def set_model(self, chat: str, model: str) -> None:
        choice = await self._models.choose(model)
        await self._change(chat, provider=choice.model.provider, model=choice.model.model, chosen_by=ChosenBy.USER)

    async def switch(self, chat: str, names: Collection[str], *, on: bool) -> None:
        def store(connection: Connection) -> None:
            chat_rows.get(connection, chat)
            chat_rows.switch(connection, chat, names, on=on)

        await self._database.write(store)
        self._events.publish(ChatChanged(chat))

    async def rename(self, chat: str, title: str) -> None:
        """Raises INPUT_INVALID for a title without a visible character; a long one is cut to 200 characters."""
        line = flattened(title, LONGEST_TITLE)
        if not line:
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, "a title needs a visible character", why="why.title_empty"
            )
        await self._change(chat, title=line, title_state=TitleState.FINAL)

    async def pin(self, chat: str, pinned: bool) -> None:
        await self._change(chat, pinned=int(pinned))

    async def delete(self, chat: str) -> None:
        record = await self._record(chat)
        await self._change(chat, deleted=1)
        await self._running.stop(chat)
        await self._remove(record)

    async def _remove(self, record: ChatRecord) -> None:
        """Remove a conversation that is marked as deleted; what does not get through is done at the next start."""
        await self._approvals.forget(record.id)
        await self._files.forget(record.id)
        if record.own_folder and not record.parent:
            await asyncio.to_thread(_remove_folder, self._folder.chat(record.id))
        await self._database.write(lambda connection: chat_rows.remove(connection, record.id))
        self._events.publish(ChatChanged(record.id))

    async def _choice(self, new: NewChat, folder: Path) -> ModelChoice:
        """Return the model that a new conversation is settled on (MODEL-047, MODEL-059, AGENT-041)."""
        setting = model_setting(BuiltInAgent.CHAT)
        if new.role:
            setting = (await self._engagements.named(new.role, folder)).model
        if new.model:
            choice = await self._models.choose(new.model)
            return ModelChoice(choice.model, ChosenBy.CONVERSATION)
        return await current_choice(self._models, self._settings.current(setting))

    async def _record(self, chat: str) -> ChatRecord:
        return await self._database.read(lambda connection: chat_rows.get(connection, chat))

    async def _change(self, chat: str, **values: str | int) -> None:
        def store(connection: Connection) -> None:
            chat_rows.get(connection, chat)
            chat_rows.change(connection, chat, **values)

        await self._database.write(store)
        self._events.publish(ChatChanged(chat))

    async def _shown(self, records: tuple[ChatRecord, ...]) -> tuple[Chat, ...]:
        """Show conversations as they are now; of sub-agents, those wait whose own call is asked about."""
        causes = [approval.question.caller.cause for approval in await self._approvals.pending()]
        steps = {cause.step for cause in causes if cause.step}
        asking = {cause.conversation for cause in causes}
        if steps and any(record.parent for record in records):
            running = await self._database.read(lambda connection: entry_rows.chats_running(connection, steps))
            asking |= {record.id for record in records if record.parent and record.id in running}
        return tuple(
            views.chat_of(record, answering=bool(record.answering), waiting=record.id in asking) for record in records
        )


def _write(target: Path, content: bytes) -> None:
    with translated(target):
        write_atomically(target, content)


def _remove_folder(folder: Path) -> None:
    with translated(folder):
        remove_folder(folder)
