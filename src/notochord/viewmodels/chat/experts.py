"""The panel "Experts and tools": the sub-agents of a conversation with their models, and its tools, on or off."""

import asyncio

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.services.chat.api import Chat, ChatChanged, Chats, ChatTool, TurnBegun
from notochord.services.settings.api import SettingChanged
from notochord.viewmodels.chat.reconciling import reconcile

_TOOLS = "agents.tool."
"""What the settings of agents' tools begin with."""


class ExpertsModel:
    """`experts` are the sub-agents' conversations, oldest first (CHAT-026); `tools` what the agent has (CHAT-030)."""

    def __init__(self, chat: str, *, chats: Chats, events: EventBus) -> None:
        self.experts: ObservableList[Chat] = ObservableList()
        self.tools: ObservableList[ChatTool] = ObservableList()
        self.chosen: Observable[str] = Observable("")
        """The sub-agent whose work is looked at, "" for none."""
        self.loaded: Observable[bool] = Observable(False)
        self._chat = chat
        self._chats = chats
        self._lifetime = Lifetime(f"experts {chat}")
        self._stale = self._reading = False
        self._in_turn = asyncio.Lock()
        self._subscriptions: list[Unsubscribe] = [
            events.subscribe(ChatChanged, lambda event: self._hear(event.chat)),
            events.subscribe(TurnBegun, lambda event: self._hear(event.chat)),
            events.subscribe(SettingChanged, self._set),
        ]

    async def start(self) -> None:
        """Read both columns."""
        await self._read()
        self.loaded.set(True)

    async def close(self) -> None:
        """Hear no more."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        await self._lifetime.close()

    def choose(self, expert: str) -> None:
        """Look at the work of a sub-agent; "" goes back to the list."""
        self.chosen.set(expert)

    async def set_model(self, expert: str, model: str) -> None:
        """Give a sub-agent a role or a model, from its next step on (CHAT-028, CHAT-029). Raises MODEL_UNKNOWN."""
        await self._chats.set_model(expert, model)

    async def switch(self, tool: str, on: bool) -> None:
        """Switch a tool on or off for this conversation (CHAT-031)."""
        await self.switch_all((tool,), on)

    async def switch_all(self, names: tuple[str, ...], on: bool) -> None:
        """Switch several tools at once; what else is off stays off."""
        await self._chats.switch(self._chat, names, on=on)
        await self._read()

    def _hear(self, chat: str) -> None:
        if chat == self._chat or any(expert.id == chat for expert in self.experts):
            self._stale = True
            if not self._reading:
                self._reading = True
                _ = self._lifetime.start("read", self._keep_reading())

    def _set(self, event: SettingChanged) -> None:
        if event.name.startswith(_TOOLS):
            self._hear(self._chat)

    async def _keep_reading(self) -> None:
        try:
            while self._stale:
                self._stale = False
                await self._read()
        except NotochordError as error:
            if error.code is not Code.CHAT_UNKNOWN:
                raise
        finally:
            self._reading = False

    async def _read(self) -> None:
        async with self._in_turn:  # one after the other: what is read last is shown last
            experts, tools = await self._chats.sub_agents(self._chat), await self._chats.tools(self._chat)
            reconcile(self.experts, experts, lambda chat: chat.id)
            self.tools.reset(tools)
