"""`notochord usage`: how many tokens the models used, by day and for what."""

from datetime import date

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import show
from notochord.headless.printable import columns
from notochord.headless.records import record


async def usage(context: OpenContext, arguments: Arguments) -> None:
    _require_day(arguments.since)
    totals = await context.services.usage.totals(since_day=arguments.since)
    said = context.exchange.sentences.sentence
    head = tuple(said(f"usage.{name}") for name in ("day", "feature", "model", "calls", "input", "output"))
    rows = [
        (
            one.day,
            one.feature,
            f"{one.provider}/{one.model}",
            str(one.calls),
            str(one.input_tokens),
            str(one.output_tokens),
        )
        for one in totals
    ]
    await show(context.exchange, record(totals), columns([head, *rows]) if rows else said("usage.none"))


def _require_day(text: str) -> None:
    """Raise INPUT_INVALID for what is no day of the calendar, such as 2026-02-30."""
    try:
        right = not text or date.fromisoformat(text).isoformat() == text
    except ValueError:
        right = False
    if not right:
        raise NotochordError(Code.INPUT_INVALID, Fault.USER, "no such day", what="--since", day=text, why="why.day")


def _usage(declaration: Declaration) -> None:
    declaration.add("--since", metavar="YYYY-MM-DD", default="")


COMMANDS: tuple[Command, ...] = (OpenCommand(("usage",), usage, _usage),)
