"""`notochord usage` and `notochord undo`: what models cost, and taking back what a cause changed."""

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import show
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.journal.api import Change

_PARTS = ("conversation", "branch", "turn", "run", "step")


async def usage(context: OpenContext, arguments: Arguments) -> None:
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


async def undo(context: OpenContext, arguments: Arguments) -> None:
    """Take back what a cause changed, or only show it; what changed again since is skipped and named."""
    cause, said = cause_named(arguments.cause), context.exchange.sentences.sentence
    if arguments.show:
        changes = await context.services.journal.changes(cause)
        await show(context.exchange, record(changes), _lines(changes) or said("undo.nothing"))
        return
    reverted = await context.services.journal.revert(cause)
    lines = [said("undo.undone", count=len(reverted.undone)), _lines(reverted.undone)]
    if reverted.skipped:
        lines += [said("undo.skipped", count=len(reverted.skipped)), _lines(reverted.skipped)]
    await show(context.exchange, record(reverted), "\n".join(line for line in lines if line))


def cause_named(text: str) -> Cause:
    """Read PART:ID, such as turn:… or conversation:…; a bare id is a turn's. Raises INPUT_INVALID."""
    part, colon, identifier = text.partition(":")
    if not colon:
        part, identifier = "turn", text
    if part not in _PARTS or not identifier:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "a cause is written PART:ID", what="CAUSE", why="why.cause_form"
        )
    return Cause(**{part: identifier})


def _lines(changes: tuple[Change, ...]) -> str:
    return columns([(change.store, change.subject, change.what) for change in changes]) if changes else ""


def _usage(declaration: Declaration) -> None:
    declaration.add("--since", metavar="YYYY-MM-DD", default="")


def _undo(declaration: Declaration) -> None:
    declaration.add("cause", metavar="CAUSE")
    declaration.add("--show", action="store_true")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("usage",), usage, _usage),
    OpenCommand(("undo",), undo, _undo),
)
