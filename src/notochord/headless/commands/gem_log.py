"""`notochord gem log`: what the tools of a gem wrote to their consoles, and how they failed."""

from datetime import UTC, datetime

from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import show
from notochord.headless.printable import columns
from notochord.headless.records import record

LINES = 200


async def log(context: OpenContext, arguments: Arguments) -> None:
    """Print the last lines, the oldest first."""
    lines = await context.services.gems.log(arguments.gem, max(1, arguments.lines))
    zone = context.services.clock.zone()
    rows = [
        (datetime.fromtimestamp(line.at / 1000, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S"), line.tool, text)
        for line in lines
        for text in line.text.split("\n")
    ]
    text = columns(rows) if rows else context.exchange.sentences.sentence("gem.log.none")
    await show(context.exchange, {"lines": record(lines)}, text)


def _declare(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM")
    declaration.add("--lines", metavar="NUMBER", type=int, default=LINES)


COMMANDS: tuple[Command, ...] = (OpenCommand(("gem", "log"), log, _declare),)
