"""The two sides of the control endpoint, joined in memory."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.headless.control import client, messages
from notochord.headless.control.messages import FROM_SERVER, PROTOCOL, pack, unpack
from notochord.headless.control.server import RAISE, Run, Server
from notochord.headless.exchange import Exchange
from support.channels import MemoryChannel
from support.exchanges import KeptExchange

COMMAND = messages.Command(PROTOCOL, ["do", "it"], "/here", "zh_CN", json=False, interactive=True)


async def together(run: Run, exchange: KeptExchange, *, on_raise: Callable[[], None] | None = None) -> int:
    """Give COMMAND to a server that carries it out with `run`."""
    near, far = MemoryChannel.pair()
    server = asyncio.create_task(Server(run=run, on_raise=on_raise).serve(far))
    try:
        return await client.command(near, COMMAND, exchange)
    finally:
        await server


async def test_output_messages_and_values_arrive_in_order_with_the_status() -> None:
    async def run(command: messages.Command, exchange: Exchange) -> int:
        assert (command, exchange.sentences.language, exchange.interactive) == (COMMAND, "zh_CN", True)
        await exchange.write("one")
        await exchange.write(" two")
        await exchange.say("note")
        await exchange.emit({"a": [1, None]})
        return 7

    exchange = KeptExchange()
    assert await together(run, exchange) == 7
    assert (exchange.out, exchange.said, exchange.values) == ("one two", ["note"], [{"a": [1, None]}])


async def test_questions_are_answered_by_the_client() -> None:
    async def run(_: messages.Command, exchange: Exchange) -> int:
        answers = [await exchange.ask("who?"), await exchange.ask_hidden("key?"), await exchange.read_all()]
        await exchange.write("|".join(str(len(answer)) for answer in answers))
        return 0

    exchange = KeptExchange("me", "sk-12", given="stdin")
    assert await together(run, exchange) == 0
    assert (exchange.questions, exchange.hidden, exchange.out) == (["who?"], ["key?"], "2|5|5")


async def test_the_end_of_the_clients_input_is_told_to_the_command() -> None:
    async def run(_: messages.Command, exchange: Exchange) -> int:
        with pytest.raises(NotochordError) as failure:
            await exchange.ask("who?")
        return 0 if failure.value.code is Code.ANSWER_NEEDED else 1

    assert await together(run, KeptExchange()) == 0


async def test_a_long_text_is_sent_in_parts() -> None:
    async def run(_: messages.Command, exchange: Exchange) -> int:
        await exchange.write("é" * 600_000)
        return 0

    exchange = KeptExchange()
    await together(run, exchange)
    assert exchange.out == "é" * 600_000


async def test_a_long_message_keeps_its_end() -> None:
    """An approval is shown in one message: an end that is cut off would be allowed unseen."""

    async def run(_: messages.Command, exchange: Exchange) -> int:
        await exchange.say("a" * (2 * messages.LONGEST_TEXT) + "the end")
        await exchange.say("")
        return 0

    exchange = KeptExchange()
    await together(run, exchange)
    assert "".join(exchange.said).endswith("a" * (2 * messages.LONGEST_TEXT) + "the end")
    assert exchange.said[-1] == ""


class SlowExchange(KeptExchange):
    """Somebody who answers when `answers` has something."""

    def __init__(self) -> None:
        super().__init__(interactive=True)
        self.answers: asyncio.Queue[str] = asyncio.Queue()
        self.asked = asyncio.Event()
        self.shown = asyncio.Event()

    async def write(self, text: str) -> None:
        await super().write(text)
        self.shown.set()

    async def ask(self, question: str) -> str:
        self.questions.append(question)
        self.asked.set()
        return await self.answers.get()


async def test_the_answer_to_a_question_that_was_given_up_is_no_answer_to_the_next() -> None:
    exchange = SlowExchange()

    async def run(_: messages.Command, remote: Exchange) -> int:
        first = asyncio.create_task(remote.ask("allow the harmless one?"))
        await exchange.asked.wait()
        exchange.asked.clear()
        first.cancel()  # somebody else answered it meanwhile
        second = asyncio.create_task(remote.ask("allow the other one?"))
        await remote.say("what the second question is about")
        await exchange.asked.wait()
        exchange.answers.put_nowait("n")
        await remote.write(await second)
        return 0

    await together(run, exchange)
    assert exchange.questions == ["allow the harmless one?", "allow the other one?"]
    assert (exchange.said, exchange.out) == (["what the second question is about"], "n")


async def test_a_late_answer_counts_for_the_question_it_was_given_to() -> None:
    """A client that does not know yet that its question was given up, and answers that one."""
    near, far = MemoryChannel.pair()
    answers: list[str] = []

    async def run(_: messages.Command, remote: Exchange) -> int:
        first = asyncio.create_task(remote.ask("first?"))
        await asyncio.sleep(0)
        first.cancel()
        answers.append(await remote.ask("second?"))
        return 0

    serving = asyncio.create_task(Server(run=run).serve(far))
    await near.send(pack(COMMAND))
    asked = [unpack(await near.receive() or b"", FROM_SERVER) for _ in range(3)]
    numbers = [message.number for message in asked if isinstance(message, messages.Question)]
    await near.send(pack(messages.Answer(numbers[0], "y", given=True)))
    await near.send(pack(messages.Answer(numbers[1], "n", given=True)))
    await serving
    assert answers == ["n"]


async def test_output_is_shown_while_a_question_is_open() -> None:
    exchange = SlowExchange()

    async def run(_: messages.Command, remote: Exchange) -> int:
        asking = asyncio.create_task(remote.ask("who?"))
        await exchange.asked.wait()
        await remote.write("meanwhile")
        await exchange.shown.wait()
        exchange.answers.put_nowait("me")
        return len(await asking)

    assert await together(run, exchange) == 2


async def test_a_client_that_stops_ends_its_command() -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def run(_: messages.Command, exchange: Exchange) -> int:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return 0

    work = asyncio.create_task(together(run, KeptExchange()))
    await started.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert stopped.is_set()


async def test_a_client_that_is_gone_ends_its_command() -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def run(_: messages.Command, exchange: Exchange) -> int:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return 0

    near, far = MemoryChannel.pair()
    server = asyncio.create_task(Server(run=run).serve(far))
    await near.send(pack(COMMAND))
    await started.wait()
    await near.close()
    await server
    assert stopped.is_set()


async def test_another_version_of_the_protocol_is_told_and_nothing_runs() -> None:
    async def run(_: messages.Command, exchange: Exchange) -> int:
        raise AssertionError

    near, far = MemoryChannel.pair()
    server = asyncio.create_task(Server(run=run).serve(far))
    await near.send(pack(replace(COMMAND, protocol=PROTOCOL + 1)))
    begun = unpack(await near.receive() or b"", FROM_SERVER)
    await server
    assert begun == messages.Begun(PROTOCOL)


async def test_a_client_refuses_a_server_of_another_version() -> None:
    near, far = MemoryChannel.pair()
    await far.send(pack(messages.Begun(PROTOCOL + 1)))
    with pytest.raises(NotochordError) as failure:
        await client.command(near, COMMAND, KeptExchange())
    assert failure.value.code is Code.CONTROL_PROTOCOL


@pytest.mark.parametrize(
    "frame",
    [b"", b"{}", b"\xff", pack(messages.Ended(0)), pack(messages.Cancel()), pack(messages.Answer(1, "x", given=True))],
)
async def test_a_connection_that_begins_with_anything_else_is_ended(frame: bytes) -> None:
    async def run(_: messages.Command, exchange: Exchange) -> int:
        raise AssertionError

    near, far = MemoryChannel.pair()
    await near.send(frame)
    await Server(run=run).serve(far)


async def test_an_answer_that_was_not_asked_for_ends_the_command() -> None:
    stopped = asyncio.Event()

    async def run(_: messages.Command, exchange: Exchange) -> int:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return 0

    near, far = MemoryChannel.pair()
    await near.send(pack(COMMAND))
    await near.send(pack(messages.Answer(1, "x", given=True)))
    await Server(run=run).serve(far)
    assert stopped.is_set()


async def test_a_server_that_lets_go_before_it_began_can_be_asked_again() -> None:
    near, far = MemoryChannel.pair()
    await far.close()
    with pytest.raises(client.NotBegun):
        await client.command(near, COMMAND, KeptExchange())


async def test_a_server_that_ends_amid_a_command_is_told_as_lost() -> None:
    near, far = MemoryChannel.pair()
    await far.send(pack(messages.Begun(PROTOCOL)))
    await far.send(pack(messages.Output("half")))
    await far.close()
    near._other = near  # what the client sends goes nowhere
    exchange = KeptExchange()
    with pytest.raises(NotochordError) as failure:
        await client.command(near, COMMAND, exchange)
    assert failure.value.code is Code.CONTROL_LOST
    assert exchange.out == "half"


@pytest.mark.parametrize(("window", "status"), [(True, 0), (False, 1)])
async def test_raise_brings_the_window_where_there_is_one(window: bool, status: int) -> None:
    raised: list[bool] = []

    async def run(_: messages.Command, exchange: Exchange) -> int:
        raise AssertionError

    near, far = MemoryChannel.pair()
    server = Server(run=run, on_raise=(lambda: raised.append(True)) if window else None)
    serving = asyncio.create_task(server.serve(far))
    assert await client.command(near, replace(COMMAND, words=[RAISE]), KeptExchange()) == status
    await serving
    assert bool(raised) is window


async def test_draining_waits_for_the_commands_under_way() -> None:
    started, go_on = asyncio.Event(), asyncio.Event()

    async def run(_: messages.Command, exchange: Exchange) -> int:
        started.set()
        await go_on.wait()
        return 0

    near, far = MemoryChannel.pair()
    server = Server(run=run)
    await server.drain()
    serving = asyncio.create_task(server.serve(far))
    asking = asyncio.create_task(client.command(near, COMMAND, KeptExchange()))
    await started.wait()
    draining = asyncio.create_task(server.drain())
    await asyncio.sleep(0)
    assert not draining.done()
    go_on.set()
    await asyncio.gather(draining, serving, asking)
