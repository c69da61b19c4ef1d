"""The side of the control endpoint that holds the organization: runs a client's command and streams its output."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json, encode
from notochord.core.tasks import Lifetime
from notochord.headless.control.channel import Channel
from notochord.headless.control.messages import (
    FROM_CLIENT,
    LONGEST_TEXT,
    PROTOCOL,
    Answer,
    Begun,
    Command,
    Ended,
    Message,
    Note,
    Output,
    Question,
    Value,
    broken,
    pack,
    unpack,
)
from notochord.headless.exchange import Exchange, ReaderGone

RAISE = "raise"

_log = logging.getLogger(__name__)

Run = Callable[[Command, Exchange], Awaitable[int]]
"""Carries out a client's command and returns its exit status."""


class RemoteExchange:
    """Implements Exchange for a client beyond a channel."""

    def __init__(self, channel: Channel, command: Command) -> None:
        self._channel = channel
        self._asking = asyncio.Lock()
        self._number = 0
        self._awaited: asyncio.Future[Answer] | None = None
        self.sentences = Sentences.load(command.language)
        self.json = command.json
        self.interactive = command.interactive

    async def write(self, text: str) -> None:
        for start in range(0, len(text), LONGEST_TEXT):
            await self._send(Output(text[start : start + LONGEST_TEXT]))

    async def emit(self, value: Json) -> None:
        text = encode(value)
        if len(text) <= LONGEST_TEXT:
            await self._send(Value(text))
        else:
            await self.write(text + "\n")

    async def say(self, text: str) -> None:
        """Send the whole text, a long one in several notes: what a person is asked to allow must not lose its end."""
        for start in range(0, max(1, len(text)), LONGEST_TEXT):
            await self._send(Note(text[start : start + LONGEST_TEXT]))

    async def ask(self, question: str) -> str:
        return await self._question("line", question)

    async def ask_hidden(self, question: str) -> str:
        return await self._question("hidden", question)

    async def read_all(self) -> str:
        return await self._question("all", "")

    def answer(self, answer: Answer) -> None:
        """Take a client's answer. Raises CONTROL_PROTOCOL if that was never asked.

        An answer to a question that was given up meanwhile is dropped: it says nothing about the one asked now.
        """
        if not 1 <= answer.number <= self._number:
            raise broken("an answer without a question")
        if answer.number == self._number and self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(answer)

    async def _question(self, kind: str, text: str) -> str:
        async with self._asking:
            self._number += 1
            self._awaited = asyncio.get_running_loop().create_future()
            await self._send(Question(self._number, kind, text[:LONGEST_TEXT]))
            answer = await self._awaited
        if not answer.given:
            raise NotochordError(Code.ANSWER_NEEDED, Fault.USER, "the input ended", question=text.strip())
        return answer.text

    async def _send(self, message: Message) -> None:
        try:
            await self._channel.send(pack(message))
        except NotochordError as error:
            raise ReaderGone from error


class Server:
    """Serves the connections of one organization. `on_raise` brings the window to the front, where there is one."""

    def __init__(self, *, run: Run, on_raise: Callable[[], None] | None = None) -> None:
        self._run = run
        self._on_raise = on_raise
        self._running = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def serve(self, channel: Channel) -> None:
        """Answer one connection until its command has ended."""
        self._running += 1
        self._quiet.clear()
        try:
            await self._converse(channel)
        except NotochordError as error:
            _log.info("a control connection was ended: %s", error.detail)
        finally:
            self._running -= 1
            if not self._running:
                self._quiet.set()

    async def drain(self) -> None:
        """Wait until every command that clients gave has ended."""
        await self._quiet.wait()

    async def _converse(self, channel: Channel) -> None:
        frame = await channel.receive()
        if frame is None:
            return
        command = unpack(frame, (Command,))
        if command.protocol != PROTOCOL:
            await channel.send(pack(Begun(PROTOCOL)))
            raise broken(f"protocol {command.protocol}")
        await channel.send(pack(Begun(PROTOCOL)))
        if command.words == [RAISE]:
            status = self._raise()
        else:
            status = await self._carry_out(command, channel)
        await channel.send(pack(Ended(status)))

    def _raise(self) -> int:
        if self._on_raise is None:
            return 1
        self._on_raise()
        return 0

    async def _carry_out(self, command: Command, channel: Channel) -> int:
        exchange = RemoteExchange(channel, command)
        lifetime = Lifetime("control")
        work = lifetime.start("command", self._attempt(command, exchange))
        listening = lifetime.start("listen", self._listen(channel, exchange))
        try:
            await asyncio.wait((work, listening), return_when=asyncio.FIRST_COMPLETED)
            return work.result() if work.done() else 1
        finally:
            await lifetime.close()

    async def _attempt(self, command: Command, exchange: Exchange) -> int:
        try:
            return await self._run(command, exchange)
        except ReaderGone:
            return 1

    async def _listen(self, channel: Channel, exchange: RemoteExchange) -> None:
        """Return when the client is gone, wants to stop, or breaks the protocol: its command ends then."""
        while (frame := await channel.receive()) is not None:
            message = unpack(frame, FROM_CLIENT)
            if not isinstance(message, Answer):
                return
            exchange.answer(message)
