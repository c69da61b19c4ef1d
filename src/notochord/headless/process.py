"""`notochord headless`: hold the organization and work for it, without a window, until told to stop."""

import asyncio
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, HomeCommand, HomeContext
from notochord.headless.exchange import done, tell
from notochord.headless.holding import hold


def headless_command(commands: Sequence[Command]) -> HomeCommand:
    """Return the command `headless`, which carries out `commands` for other processes."""

    async def headless(context: HomeContext, arguments: Arguments) -> None:
        organization = await context.surroundings.organizations.find(getattr(arguments, "org", ""))
        async with hold(context.surroundings, organization.id, commands, lasting=True):
            with _stop_signals() as stop:
                value: Json = {"ready": organization.id, "name": organization.name, "pid": os.getpid()}
                await done(context.exchange, value, "headless.ready", name=organization.name, pid=os.getpid())
                await stop.wait()
        await tell(context.exchange, "headless.stopped", name=organization.name)

    return HomeCommand(("headless",), headless)


@contextmanager
def _stop_signals() -> Iterator[asyncio.Event]:
    """Turn SIGINT and SIGTERM into an event: nothing runs, and nothing is polled, until one comes."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in signals}
    for number in signals:
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
