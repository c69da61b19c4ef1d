"""`notochord headless`: hold the organization and work for it, without a window, until told to stop."""

import asyncio
import os
from collections.abc import Sequence

from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, HomeCommand, HomeContext
from notochord.headless.exchange import done, tell
from notochord.headless.holding import hold

WORDS = ("headless",)


def headless_command(commands: Sequence[Command]) -> HomeCommand:
    """Return the command `headless`, which carries out `commands` for other processes."""

    async def headless(context: HomeContext, arguments: Arguments) -> None:
        organization = await context.surroundings.organizations.find(getattr(arguments, "org", ""))
        async with hold(context.surroundings, organization.id, commands, lasting=True):
            value: Json = {"ready": organization.id, "name": organization.name, "pid": os.getpid()}
            await done(context.exchange, value, "headless.ready", name=organization.name, pid=os.getpid())
            await _told_to_stop()
        await tell(context.exchange, "headless.stopped", name=organization.name)

    return HomeCommand(WORDS, headless)


async def _told_to_stop() -> None:
    """Wait, without polling, until Ctrl-C or SIGTERM cancels this task: that is how the command ends well."""
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        if task := asyncio.current_task():
            task.uncancel()
