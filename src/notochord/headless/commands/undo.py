"""`notochord undo`: takes back what a cause changed, or shows it."""

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import show
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.journal.api import Change

_PARTS = ("conversation", "branch", "turn", "run")
_STEP = "step"


async def undo(context: OpenContext, arguments: Arguments) -> None:
    """Take back what a cause changed, or only show it; what changed again since is skipped and named."""
    cause, said = cause_named(arguments.cause), context.exchange.sentences.sentence
    changes = await context.services.journal.changes(cause)
    if not changes:
        detail = f"nothing is recorded for {arguments.cause}"
        raise NotochordError(Code.NOT_FOUND, Fault.USER, detail, cause=arguments.cause, why="why.cause_unknown")
    if arguments.show:
        await show(context.exchange, record(changes), _lines(changes))
        return
    reverted = await context.services.journal.revert(cause)
    lines = [said("undo.undone", count=len(reverted.undone)), _lines(reverted.undone)]
    if reverted.skipped:
        lines += [said("undo.skipped", count=len(reverted.skipped)), _lines(reverted.skipped)]
    await show(context.exchange, record(reverted), "\n".join(line for line in lines if line))


def cause_named(text: str) -> Cause:
    """Read PART:ID, such as turn:… or conversation:…; a bare id is a turn's. Raises INPUT_INVALID.

    A step is written step:CONVERSATION/ID, since its id is the provider's own and may come again elsewhere.
    """
    part, colon, identifier = text.partition(":")
    conversation, slash, step = identifier.partition("/")
    if part == _STEP and conversation and slash and step:
        return Cause(conversation=conversation, step=step)
    if not colon:
        part, identifier = "turn", text
    if part not in _PARTS or not identifier:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "a cause is written PART:ID", what="CAUSE", why="why.cause_form"
        )
    return Cause(**{part: identifier})


def _lines(changes: tuple[Change, ...]) -> str:
    return columns([(change.store, change.subject, change.what) for change in changes]) if changes else ""


def _undo(declaration: Declaration) -> None:
    declaration.add("cause", metavar="CAUSE")
    declaration.add("--show", action="store_true")


COMMANDS: tuple[Command, ...] = (OpenCommand(("undo",), undo, _undo),)
