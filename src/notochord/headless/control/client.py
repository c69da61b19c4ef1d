"""The side of the control endpoint that gives a command and shows what comes back."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import decode
from notochord.headless.control.channel import Channel
from notochord.headless.control.messages import (
    FROM_SERVER,
    PROTOCOL,
    Answer,
    Begun,
    Cancel,
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
from notochord.headless.exchange import Exchange


class NotBegun(Exception):
    """The other process let go before it took the command; it can be given again."""


async def command(channel: Channel, message: Command, exchange: Exchange) -> int:
    """Give a command, show its output, answer its questions, and return its exit status.

    Cancelling stops the command. Raises NotBegun; NotochordError: CONTROL_LOST (the other process ended; what was done
    is not known), CONTROL_PROTOCOL.
    """
    try:
        await _begin(channel, message)
        return await _follow(channel, exchange)
    except BaseException:
        await _stop(channel)
        raise
    finally:
        await channel.close()


async def _begin(channel: Channel, message: Command) -> None:
    try:
        await channel.send(pack(message))
        frame = await channel.receive()
    except NotochordError as error:
        if error.code is Code.CONTROL_LOST:
            raise NotBegun from error
        raise
    if frame is None:
        raise NotBegun
    if unpack(frame, (Begun,)).protocol != PROTOCOL:
        raise broken("the other process speaks another version of the protocol")


async def _follow(channel: Channel, exchange: Exchange) -> int:
    asking = _Asking(channel, exchange)
    try:
        async with contextlib.aclosing(_messages(channel, asking)) as incoming:
            async for message in incoming:
                if isinstance(message, Ended):
                    return message.status
                if isinstance(message, Question):
                    await asking.ask(message)
                else:
                    await _show(message, exchange)
    finally:
        await asking.drop()
    raise NotochordError(Code.CONTROL_LOST, Fault.SYSTEM, "the other process ended before the command did")


async def _messages(channel: Channel, asking: "_Asking") -> AsyncGenerator[Message]:
    """Yield what the server says, also while a question is open. Raises what answering it raises."""
    receiving: asyncio.Task[bytes | None] | None = None
    try:
        while True:
            receiving = receiving or asyncio.create_task(channel.receive(), name="control client/receive")
            await asyncio.wait({receiving, *asking.tasks}, return_when=asyncio.FIRST_COMPLETED)
            asking.check()
            if receiving.done():
                frame, receiving = receiving.result(), None
                if frame is None:
                    return
                yield unpack(frame, FROM_SERVER)
    finally:
        if receiving is not None:
            receiving.cancel()
            await asyncio.gather(receiving, return_exceptions=True)


class _Asking:
    """The question that is open now; a newer one takes its place."""

    def __init__(self, channel: Channel, exchange: Exchange) -> None:
        self._channel = channel
        self._exchange = exchange
        self.tasks: set[asyncio.Task[None]] = set()

    async def ask(self, question: Question) -> None:
        await self.drop()
        self.tasks = {asyncio.create_task(self._reply(question), name="control client/question")}

    def check(self) -> None:
        """Raise what an answer that came to its end raised."""
        for task in tuple(self.tasks):
            if task.done():
                self.tasks.discard(task)
                task.result()

    async def drop(self) -> None:
        """Ask no more."""
        tasks, self.tasks = self.tasks, set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _reply(self, question: Question) -> None:
        await self._channel.send(pack(await _answer(question, self._exchange)))


async def _show(message: Message, exchange: Exchange) -> None:
    if isinstance(message, Output):
        await exchange.write(message.text)
    elif isinstance(message, Note):
        await exchange.say(message.text)
    elif isinstance(message, Value):
        try:
            value = decode(message.text)
        except ValueError as error:
            raise broken("a value that is not JSON") from error
        await exchange.emit(value)
    else:
        raise broken("a message out of turn")


async def _answer(question: Question, exchange: Exchange) -> Answer:
    try:
        if question.kind == "hidden":
            return Answer(question.number, await exchange.ask_hidden(question.text), given=True)
        if question.kind == "all":
            return Answer(question.number, await exchange.read_all(), given=True)
        return Answer(question.number, await exchange.ask(question.text), given=True)
    except NotochordError as error:
        if error.code is not Code.ANSWER_NEEDED:
            raise
        return Answer(question.number, "", given=False)


async def _stop(channel: Channel) -> None:
    try:
        await channel.send(pack(Cancel()))
    except NotochordError:
        return  # the other side is gone, and with it the command
