"""Holding an organization: its services are open, and other processes' commands for it are carried out here."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import Command, OpenCommand, OpenContext
from notochord.headless.control import messages
from notochord.headless.control.channel import Listener
from notochord.headless.control.server import Server
from notochord.headless.exchange import Exchange, ReaderGone, report
from notochord.headless.parser import BadUsage, HelpWanted, parse
from notochord.headless.services import Services, Surroundings

DONE = 0
FAILED = 1
BAD_USAGE = 2

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Held:
    """An organization that this process holds."""

    services: Services
    lasting: bool
    changing: asyncio.Lock

    def context(self, exchange: Exchange) -> OpenContext:
        """Return what a command works with that was given over this exchange."""
        return OpenContext(exchange, self.services, self.lasting, self.changing)


@asynccontextmanager
async def hold(
    surroundings: Surroundings,
    organization: str,
    commands: Sequence[Command],
    *,
    lasting: bool,
    on_raise: Callable[[], None] | None = None,
) -> AsyncIterator[Held]:
    """Open the organization with this id and answer for it until the block ends.

    When a process that is not `lasting` leaves the block, commands that others gave meanwhile are finished first; an
    exception or a cancelled block stops them. Raises what `Opener.open` raises.
    """
    async with surroundings.opener.open(organization) as services:
        held = Held(services, lasting, asyncio.Lock())
        server = Server(run=_Carrier(held, commands).run, on_raise=on_raise)
        listener = await _listen(surroundings, services, server)
        try:
            yield held
            if not lasting:
                await server.drain()
        finally:
            if listener is not None:
                await listener.close()


async def _listen(surroundings: Surroundings, services: Services, server: Server) -> Listener | None:
    """Open the endpoint; where the system has none, the organization is held without one."""
    try:
        return await surroundings.endpoint.listen(services.unlocked.folder, server.serve)
    except NotochordError as error:
        _log.warning("other commands cannot be answered meanwhile: %s", error.detail)
        return None


class _Carrier:
    """Carries out the commands of other processes."""

    def __init__(self, held: Held, commands: Sequence[Command]) -> None:
        self._held = held
        self._commands = [command for command in commands if isinstance(command, OpenCommand)]

    async def run(self, given: messages.Command, exchange: Exchange) -> int:
        try:
            parsed = parse(given.words, self._commands, exchange.sentences, Path(given.folder))
        except (BadUsage, HelpWanted) as error:
            if exchange.json and isinstance(error, BadUsage):
                await exchange.emit(error.as_json())
            await exchange.say(str(error))
            return BAD_USAGE
        command = parsed.command
        if not isinstance(command, OpenCommand):
            return BAD_USAGE
        context = self._held.context(exchange)
        return await carry_out(lambda: command.run(context, parsed.arguments), exchange)


async def carry_out(work: Callable[[], Awaitable[None]], exchange: Exchange) -> int:
    """Do the work of a command and return its exit status, with a failure told. Raises ReaderGone, CancelledError."""
    try:
        await work()
    except NotochordError as error:
        await report(exchange, error)
        return FAILED
    except ReaderGone:
        raise
    except Exception:
        _log.exception("a command failed in a way that nobody foresaw")
        await report(exchange, NotochordError(Code.INTERNAL, Fault.BUG, "an unforeseen failure"))
        return FAILED
    return DONE
