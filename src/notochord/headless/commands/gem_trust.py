"""`notochord gem trust` and `gem distrust`: developers' keys that count, each for a publisher; `gem key` shows one."""

from datetime import UTC, datetime

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import (
    Arguments,
    Command,
    Declaration,
    HomeCommand,
    HomeContext,
    OpenCommand,
    OpenContext,
)
from notochord.headless.exchange import done, show
from notochord.headless.printable import columns
from notochord.headless.records import record


async def trust(context: OpenContext, arguments: Arguments) -> None:
    """Trust a key for a publisher; without a key, list those that are trusted."""
    if not arguments.key:
        await _list(context)
        return
    if not arguments.publisher:
        detail = "say for which publisher the key counts"
        raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, what="--publisher", why="why.developer_whose")
    made = await context.services.developers.add(arguments.key, arguments.publisher, arguments.gems)
    said = "gem.trusted_some" if made.prefix else "gem.trusted"
    await done(context.exchange, record(made), said, key=made.key, publisher=made.publisher, prefix=made.prefix)


async def distrust(context: OpenContext, arguments: Arguments) -> None:
    """Trust a key no more; what is installed stays."""
    await context.services.developers.remove(arguments.key_id, arguments.publisher)
    await done(context.exchange, {"distrusted": arguments.key_id}, "gem.distrusted", key=arguments.key_id)


async def key(context: HomeContext, arguments: Arguments) -> None:
    """Show the public half of a key file, which its developer gives to those who shall trust it."""
    identifier, public = await context.surroundings.workshop().public_key(arguments.file)
    await show(context.exchange, {"key": identifier, "public_key": public}, f"{public}\n{identifier}")


async def _list(context: OpenContext) -> None:
    zone = context.services.clock.zone()
    found = await context.services.developers.all()
    rows = [
        (one.key, one.publisher, f"{one.prefix}…" if one.prefix else "–",
         datetime.fromtimestamp(one.added_at / 1000, UTC).astimezone(zone).strftime("%Y-%m-%d"))
        for one in found
    ]  # fmt: skip
    none = context.exchange.sentences.sentence("gem.trusted_none")
    await show(context.exchange, record(found), columns(rows) if rows else none)


def _trust(declaration: Declaration) -> None:
    declaration.add("key", metavar="KEY", nargs="?", default="", topic="trust.key")
    declaration.add("--publisher", metavar="ID", default="", topic="trust.publisher")
    declaration.add("--gems", metavar="BEGINNING", default="", topic="trust.gems")


def _distrust(declaration: Declaration) -> None:
    declaration.add("key_id", metavar="KEY-ID", topic="trust.key_id")
    declaration.add("--publisher", metavar="ID", default="", topic="distrust.publisher")


def _key(declaration: Declaration) -> None:
    declaration.add_path("file", metavar="FILE", topic="gem_key")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("gem", "trust"), trust, _trust),
    OpenCommand(("gem", "distrust"), distrust, _distrust),
    HomeCommand(("gem", "key"), key, _key),
)
