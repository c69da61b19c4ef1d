"""Carrying out one command line, here or in the process that holds the organization."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import Command, HomeCommand, HomeContext, OpenCommand
from notochord.headless.control import client, messages
from notochord.headless.control.channel import Channel
from notochord.headless.exchange import ReaderGone, report, tell
from notochord.headless.holding import FAILED, carry_out, hold
from notochord.headless.parser import Parsed
from notochord.headless.services import Surroundings
from notochord.headless.terminal import Terminal
from notochord.services.organizations.api import Organization

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM

PATIENCE = 50
BETWEEN_ATTEMPTS = 0.1
"""Seconds; together with PATIENCE: how long a command waits for another short one to let go of the organization."""

Surround = Callable[[], AbstractAsyncContextManager[Surroundings]]


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command line as it was given: its words, where, and what they mean."""

    words: tuple[str, ...]
    folder: Path
    parsed: Parsed


def run(invocation: Invocation, commands: Sequence[Command], terminal: Terminal, surround: Surround) -> int:
    """Carry the command out in a loop of its own and return the exit status; Ctrl-C gives 130, SIGTERM 143."""
    front = _Front(invocation, commands, terminal)
    return run_to_end(front.run(surround), terminal, answering=invocation.parsed.command.words == ("chat",))


def run_to_end(work: Coroutine[None, None, int], terminal: Terminal, *, answering: bool = False) -> int:
    """Run `work` in a new loop; an interrupt cancels it once, cleanly, is told of, and decides the exit status."""
    try:
        return asyncio.run(_until_terminated(work))
    except KeyboardInterrupt:
        with contextlib.suppress(ReaderGone, NotochordError):
            asyncio.run(_tell_interrupted(terminal, answering))
        return INTERRUPTED
    except ReaderGone:
        return FAILED


async def _tell_interrupted(terminal: Terminal, answering: bool) -> None:
    """Say on a line of its own what became of the work; the terminal shows ^C on the line before."""
    if answering and not terminal.json:
        await terminal.say("")
        await tell(terminal, "chat.stopped")
    else:
        await report(terminal, NotochordError(Code.CANCELLED, Fault.USER, "interrupted"))


async def _until_terminated(work: Coroutine[None, None, int]) -> int:
    task = asyncio.current_task()
    terminated = False

    def terminate() -> None:
        nonlocal terminated
        terminated = True
        if task:
            task.cancel()

    if sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, terminate)
    try:
        return await work
    except asyncio.CancelledError:
        if terminated:
            return TERMINATED
        raise


class _Front:
    def __init__(self, invocation: Invocation, commands: Sequence[Command], terminal: Terminal) -> None:
        self._invocation = invocation
        self._commands = commands
        self._terminal = terminal

    async def run(self, surround: Surround) -> int:
        try:
            async with surround() as surroundings:
                return await self._run(surroundings)
        except NotochordError as error:
            await report(self._terminal, error)
            return FAILED

    async def _run(self, surroundings: Surroundings) -> int:
        command, arguments = self._invocation.parsed.command, self._invocation.parsed.arguments
        if isinstance(command, HomeCommand):
            context = HomeContext(self._terminal, surroundings)
            return await carry_out(lambda: command.run(context, arguments), self._terminal)
        if isinstance(command, OpenCommand):
            organization = await surroundings.organizations.find(self._invocation.parsed.organization)
            self._terminal.speak(organization.language)
            return await self._run_open(command, organization, surroundings)
        raise TypeError(f"{' '.join(command.words)} belongs to the composition root")

    async def _run_open(self, command: OpenCommand, organization: Organization, surroundings: Surroundings) -> int:
        """Find who holds the organization, or hold it. Two short commands at once: one waits for the other."""
        refused: NotochordError | None = None
        for attempt in range(PATIENCE):
            if attempt:
                await surroundings.clock.sleep(BETWEEN_ATTEMPTS)
            channel = await _reach(organization, surroundings)
            if channel is not None:
                try:
                    return await client.command(channel, self._message(), self._terminal)
                except client.NotBegun:
                    continue
            try:
                return await self._run_here(command, organization, surroundings)
            except _HeldElsewhere as held:
                refused = held.error
        raise refused or NotochordError(Code.CONTROL_UNREACHABLE, Fault.SYSTEM, "the other process lets nobody in")

    async def _run_here(self, command: OpenCommand, organization: Organization, surroundings: Surroundings) -> int:
        async with AsyncExitStack() as stack:
            try:
                held = await stack.enter_async_context(
                    hold(surroundings, organization.id, self._commands, lasting=False)
                )
            except NotochordError as error:
                if error.code is Code.ORG_OPEN:
                    raise _HeldElsewhere(error) from error
                raise
            context = held.context(self._terminal)
            return await carry_out(lambda: command.run(context, self._invocation.parsed.arguments), self._terminal)

    def _message(self) -> messages.Command:
        return messages.Command(
            protocol=messages.PROTOCOL,
            words=list(self._invocation.words),
            folder=str(self._invocation.folder),
            language=self._terminal.sentences.language,
            json=self._terminal.json,
            interactive=self._terminal.interactive,
        )


class _HeldElsewhere(Exception):
    def __init__(self, error: NotochordError) -> None:
        super().__init__(str(error))
        self.error = error


async def _reach(organization: Organization, surroundings: Surroundings) -> Channel | None:
    try:
        return await surroundings.endpoint.connect(surroundings.home.organization(organization.id))
    except NotochordError as error:
        if error.code is Code.CONTROL_UNREACHABLE:
            return None
        raise
