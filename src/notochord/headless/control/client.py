"""The side of the control endpoint that gives a command and shows what comes back."""

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
    while (frame := await channel.receive()) is not None:
        message = unpack(frame, FROM_SERVER)
        if isinstance(message, Ended):
            return message.status
        await _show(message, channel, exchange)
    raise NotochordError(Code.CONTROL_LOST, Fault.SYSTEM, "the other process ended before the command did")


async def _show(message: Message, channel: Channel, exchange: Exchange) -> None:
    if isinstance(message, Output):
        await exchange.write(message.text)
    elif isinstance(message, Note):
        await exchange.say(message.text)
    elif isinstance(message, Value):
        try:
            value = decode(message.text)
        except ValueError as error:
            raise broken("a value that is no JSON") from error
        await exchange.emit(value)
    elif isinstance(message, Question):
        await channel.send(pack(await _answer(message, exchange)))
    else:
        raise broken("a message out of turn")


async def _answer(question: Question, exchange: Exchange) -> Answer:
    try:
        if question.kind == "hidden":
            return Answer(await exchange.ask_hidden(question.text), given=True)
        if question.kind == "all":
            return Answer(await exchange.read_all(), given=True)
        return Answer(await exchange.ask(question.text), given=True)
    except NotochordError as error:
        if error.code is not Code.ANSWER_NEEDED:
            raise
        return Answer("", given=False)


async def _stop(channel: Channel) -> None:
    try:
        await channel.send(pack(Cancel()))
    except NotochordError:
        return  # the other side is gone, and with it the command
