"""One conversation: its record from the end backwards, what is arriving, what waits for the user, and its commands."""

from collections.abc import Callable
from math import inf
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.services.agents.api import AgentEvent
from notochord.services.approvals.api import Approval
from notochord.services.chat.api import (
    Chat,
    ChatChanged,
    Chats,
    ChatState,
    ExportForm,
    ExportWords,
    FilesStayed,
    ModelReplaced,
)
from notochord.services.models.api import ReasoningDelta, Text, TextDelta
from notochord.viewmodels.chat.approvals import OpenQuestions
from notochord.viewmodels.chat.live import Activity, LiveAnswers, LiveStep
from notochord.viewmodels.chat.notices import Exported, FilesAreAsTheyWere, ModelWasReplaced, Notice
from notochord.viewmodels.chat.pieces import Piece, Said
from notochord.viewmodels.chat.transcript import TranscriptPieces

FIRST_PAGE = 40
"""Messages that are there when a conversation opens; what stands before follows without anybody waiting for it."""
PAGE = 120
AHEAD = 600
"""Messages that are fetched without anybody asking, and each time that the user comes near the first one here."""
BETWEEN_PAGES = 0.03

Chunk = Callable[[str, str], None]
"""Hears the key of a piece that streams, and what was added to it."""


class Conversation:
    """`pieces` is the transcript; text that arrives is told to the watchers of `watch_text` and is in `text_of`."""

    def __init__(
        self,
        chat: str,
        *,
        chats: Chats,
        live: LiveAnswers,
        questions: OpenQuestions,
        events: EventBus,
        clock: Clock,
        error_of: Callable[[str], NotochordError | None] = lambda _: None,
    ) -> None:
        self.id = chat
        self.chat: Observable[Chat | None] = Observable(None)
        self.activity: Observable[Activity] = Observable(Activity())
        self.usage: Observable[tuple[int, int]] = Observable((0, 0))
        self.notices: ObservableList[Notice] = ObservableList()
        self.complete: Observable[bool] = Observable(False)
        self.gone: Observable[bool] = Observable(False)
        self._chats = chats
        self._live = live
        self._questions = questions
        self._clock = clock
        self._error_of = error_of
        self._lifetime = Lifetime(f"conversation {chat}")
        self._transcript = TranscriptPieces(answer=lambda: live.of(chat), questions=self._asked)
        self._listeners: list[Chunk] = []
        self._refreshing = self._stale = self._reading_back = False
        self._wanted = float(AHEAD)
        self._subscriptions: list[Unsubscribe] = [
            events.subscribe(ChatChanged, lambda event: self._changed(event.chat)),
            events.subscribe(FilesStayed, self._files_stayed),
            events.subscribe(ModelReplaced, self._model_was_replaced),
            live.watch(chat, self._hear),
            questions.watch(self._show_end),
        ]

    @property
    def pieces(self) -> ObservableList[Piece]:
        return self._transcript.pieces

    async def start(self) -> None:
        """Show the end of the conversation; the rest comes by itself. Raises CHAT_UNKNOWN."""
        self._refreshing = self._stale = True
        try:
            await self._read_until_fresh()
        finally:
            self._refreshing = False

    async def close(self) -> None:
        """Stop listening and loading; answers go on."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        await self._lifetime.close()
        self._transcript.let_go()

    # -- what the view asks

    def watch_text(self, listener: Chunk) -> Unsubscribe:
        """Call `listener` with each text that is added to a piece that streams."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def text_of(self, piece: Said) -> str:
        """Return all that has come of a text so far."""
        for step in self._live.of(self.id).steps if piece.streaming else ():
            if piece.key == f"{step.prefix}/said0":
                return "".join(step.said)
            if piece.key == f"{step.prefix}/thought0":
                return "".join(step.thought)
        return piece.text

    def key_of(self, entry: str) -> str:
        """Return the key of the first piece of a message, "" if it is not here (yet)."""
        return self._transcript.key_of(entry)

    def source_of(self, entry: str) -> str:
        """Return the text of a message as it was written, for copying and editing; "" if it is not here."""
        block = self._transcript.block(entry)
        parts = block.entry.message.parts if block else ()
        return "\n\n".join(part.text for part in parts if isinstance(part, Text))

    def last_question(self) -> str:
        """Return the id of the user's last message, which is the one that a retry answers anew; "" without one."""
        return self._transcript.last_question()

    @property
    def answering(self) -> bool:
        """Whether an answer is under way."""
        chat = self.chat.value
        return chat is not None and chat.state in (ChatState.ANSWERING, ChatState.WAITING)

    def want_more(self) -> None:
        """Fetch some of what stands before the first message that is here."""
        if not self._reading_back:
            self._wanted = self._transcript.count + AHEAD
            self._read_back()

    def want_all(self) -> None:
        """Fetch the whole conversation, as when something is looked for in it; `complete` tells when it is here."""
        self._wanted = inf
        self._read_back()

    # -- commands

    async def rename(self, title: str) -> None:
        """Give the conversation a title. Raises INPUT_INVALID."""
        await self._chats.rename(self.id, title)

    async def show_sibling(self, entry: str, step: int) -> None:
        """Go to the alternative `step` places after (or before) a message. Raises CHAT_BUSY."""
        block = self._transcript.block(entry)
        siblings = block.entry.siblings if block else ()
        if entry in siblings and 0 <= (at := siblings.index(entry) + step) < len(siblings):
            await self._chats.switch_branch(self.id, siblings[at])

    async def stop_call(self, call: str) -> None:
        """Stop one tool call; the answer goes on."""
        await self._chats.stop_call(self.id, call)

    async def set_model(self, model: str) -> None:
        """Let another model, or the one of a role, answer from the next step on. Raises MODEL_UNKNOWN."""
        await self._chats.set_model(self.id, model)

    async def set_plan_mode(self, on: bool) -> None:
        """Switch plan mode."""
        await self._chats.set_plan_mode(self.id, on)

    async def export(self, target: Path, form: ExportForm, words: ExportWords) -> None:
        """Write the whole conversation to a file that the user chose, and say so. Raises DISK_FULL, DISK_IO."""
        await self._chats.export(self.id, target, form, words=words)
        for notice in [known for known in self.notices if isinstance(known, Exported)]:
            self.dismiss(notice)
        self.notices.append(Exported(target))

    def dismiss(self, notice: Notice) -> None:
        """Take away a notice that the user has read."""
        if notice in self.notices:
            self.notices.remove(self.notices.index(notice))

    # -- the record

    async def _load(self) -> None:
        """Read the end of the record. What is told while it is read makes it be read again afterwards."""
        number = self._live.of(self.id).number
        chat = await self._chats.get(self.id)
        entries = await self._chats.latest(self.id, most=FIRST_PAGE)
        summaries = await self._chats.summaries(self.id)
        went_back = await self._chats.taken_back(self.id)
        spent = await self._chats.spent(self.id)
        self.chat.set(chat)
        self._transcript.unplaced = not chat.parent
        self._transcript.error = self._error_of(self.id)
        continues = self._transcript.take_end(entries, summaries, went_back, number)
        if chat.state in (ChatState.IDLE, ChatState.FAILED) and self._live.of(self.id).number == number:
            self._live.over(self.id)
            self._transcript.show_end()
        self.usage.set(spent)
        self.activity.set(self._live.of(self.id).activity)
        self.complete.set(self._transcript.complete)
        if not continues:
            self._read_back()

    def _changed(self, chat: str) -> None:
        if chat != self.id:
            return
        self._stale = True
        if not self._refreshing and self.chat.value is not None:
            self._refreshing = True
            _ = self._lifetime.start("refresh", self._keep_fresh())

    async def _read_until_fresh(self) -> None:
        """Read the end again until nothing changed while it was read; there is one reader at a time."""
        while self._stale:
            self._stale = False
            await self._load()

    async def _keep_fresh(self) -> None:
        try:
            await self._read_until_fresh()
        except NotochordError as error:
            if error.code is not Code.CHAT_UNKNOWN:
                raise
            self.gone.set(True)
        finally:
            self._refreshing = False

    def _read_back(self) -> None:
        if not self._reading_back and not self.complete.value:
            self._reading_back = True
            _ = self._lifetime.start("earlier messages", self._load_earlier())

    async def _load_earlier(self) -> None:
        """Put what stands before in front, page by page, leaving time for everything else between."""
        try:
            while not self._transcript.complete and self._transcript.count < self._wanted:
                first = self._transcript.first
                page = await self._chats.latest(self.id, most=PAGE, before=first)
                if self._transcript.first == first:
                    self._transcript.take_earlier(page)
                await self._clock.sleep(BETWEEN_PAGES)
            self.complete.set(self._transcript.complete)
        finally:
            self._reading_back = False

    # -- what is arriving

    def _asked(self) -> tuple[Approval, ...]:
        """Return what waits for the user here; a sub-agent's questions are asked in its agent's conversation."""
        chat = self.chat.value
        return self._questions.of(chat.parent if chat and chat.parent else self.id)

    def _show_end(self) -> None:
        if self.chat.value is not None:
            self._transcript.show_end()

    def _hear(self, event: AgentEvent, step: LiveStep) -> None:
        self.activity.set(self._live.of(self.id).activity)
        match event:
            case TextDelta(text):
                self._add(f"{step.prefix}/said0", text)
            case ReasoningDelta(text):
                self._add(f"{step.prefix}/thought0", text)
            case _:
                self._show_end()

    def _add(self, key: str, text: str) -> None:
        """Tell of a text that goes on; one that begins becomes a piece first."""
        if any(piece.key == key for piece in reversed(self.pieces[-6:])):
            for listener in tuple(self._listeners):
                listener(key, text)
        else:
            self._show_end()

    def _files_stayed(self, event: FilesStayed) -> None:
        if event.chat == self.id and FilesAreAsTheyWere() not in self.notices:
            self.notices.append(FilesAreAsTheyWere())

    def _model_was_replaced(self, event: ModelReplaced) -> None:
        if event.chat == self.id:
            self.notices.append(ModelWasReplaced(str(event.before), str(event.after)))
