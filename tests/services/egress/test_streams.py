"""An answer that is closed, refused or late while somebody reads it."""

import asyncio

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from support.egress import PUBLIC, Answer, Bench, MemoryIncoming, RecordingSender, bench, get, rules

NAMES = {"a.example": [PUBLIC]}


class Held(MemoryIncoming):
    """An answer whose pieces come when the test lets them."""

    def __init__(self) -> None:
        super().__init__(Answer())
        self.coming: asyncio.Queue[bytes] = asyncio.Queue()

    async def read(self) -> bytes:
        return await self.coming.get()


class HeldSender(RecordingSender):
    def __init__(self) -> None:
        super().__init__()
        self.incoming = Held()

    async def send(self, outgoing: object) -> MemoryIncoming:
        self.given.append(self.incoming)
        return self.incoming


async def held() -> tuple[Bench, Held]:
    sender = HeldSender()
    return await bench(sender, names=NAMES), sender.incoming


@pytest.mark.parametrize("close_first", [True, False])
async def test_closing_while_a_piece_arrives_neither_hangs_nor_loses_the_connection(close_first: bool) -> None:
    parts, incoming = await held()
    stream = await parts.egress.open(get("http://a.example/"))
    reader = asyncio.create_task(stream.read())
    await asyncio.sleep(0)
    if close_first:
        closer = asyncio.create_task(stream.close())
        await asyncio.sleep(0)
        incoming.coming.put_nowait(b"piece")
    else:
        incoming.coming.put_nowait(b"piece")
        closer = asyncio.create_task(stream.close())
    await closer
    (outcome,) = await asyncio.gather(reader, return_exceptions=True)
    assert outcome == b"piece" or (isinstance(outcome, NotochordError) and outcome.code is Code.CANCELLED)
    assert incoming.closed
    await parts.egress.close()


async def test_silence_ends_the_answer_even_while_the_rules_change() -> None:
    parts, incoming = await held()
    stream = await parts.egress.open(get("http://a.example/", timeout=0.1))
    reader = asyncio.create_task(stream.read())
    await asyncio.sleep(0.01)
    await parts.egress.change_rules(rules(blocked=["a.example"]))
    await parts.egress.change_rules(rules(blocked=["a.example"]))
    with pytest.raises(NotochordError) as caught:
        await reader
    assert caught.value.code in (Code.TIMEOUT, Code.NETWORK_BLOCKED)
    assert incoming.closed
    await parts.egress.close()


async def test_a_refused_host_tells_its_reader_nothing_more() -> None:
    parts, incoming = await held()
    stream = await parts.egress.open(get("http://a.example/"))
    incoming.coming.put_nowait(b"one")
    incoming.coming.put_nowait(b"two")
    assert await stream.read() == b"one"
    await parts.egress.change_rules(rules(mode="allow"))
    with pytest.raises(NotochordError) as caught:
        await stream.read()
    assert caught.value.code is Code.NETWORK_BLOCKED
    assert incoming.closed
    await parts.egress.close()


async def test_rules_that_change_before_the_headers_are_here_hold_for_the_answer_too() -> None:
    sender, asked, answer = HeldSender(), asyncio.Event(), asyncio.Event()

    class SlowSender(HeldSender):
        async def send(self, outgoing: object) -> MemoryIncoming:
            asked.set()
            await answer.wait()
            return await sender.send(outgoing)

    parts = await bench(SlowSender(), names=NAMES)
    sender.incoming.coming.put_nowait(b"told")
    sender.incoming.coming.put_nowait(b"")
    fetching = asyncio.create_task(parts.egress.fetch(get("http://a.example/")))
    await asked.wait()
    await parts.egress.change_rules(rules(blocked=["a.example"]))
    answer.set()
    with pytest.raises(NotochordError) as caught:
        await fetching
    assert caught.value.code is Code.NETWORK_BLOCKED
    assert sender.incoming.closed
    await parts.egress.close()


async def test_a_cancelled_reader_gives_the_connection_back() -> None:
    parts, incoming = await held()
    stream = await parts.egress.open(get("http://a.example/"))
    reader = asyncio.create_task(stream.read())
    await asyncio.sleep(0)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert incoming.closed
    await parts.egress.close()


async def test_an_answer_may_be_closed_twice_and_is_empty_then() -> None:
    parts, _ = await held()
    stream = await parts.egress.open(get("http://a.example/"))
    await stream.close()
    await stream.close()
    assert await stream.read() == b""
    await parts.egress.close()
