"""`notochord approvals`: questions that wait for a person, and how one is shown and asked."""

from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import Exchange, done, show
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.approvals.api import Approval

BY = "control"


def titled(approval: Approval, exchange: Exchange) -> str:
    """Return what the question is called; a plan, which the program itself names, in the language of its reader."""
    question = approval.question
    return exchange.sentences.sentence("approval.plan") if question.kind == "plan" else question.title


def described(approval: Approval, exchange: Exchange) -> str:
    """Return everything that a person must see before the answer: the exact arguments above all."""
    question = approval.question
    said = exchange.sentences.sentence
    lines = [
        said("approval.title", title=titled(approval, exchange), id=approval.id),
        said("approval.subject", kind=question.kind, subject=question.subject),
        said("approval.caller", actor=str(question.caller.actor), name=question.caller.name),
        said("approval.arguments", arguments=question.arguments),
    ]
    if question.kind != "plan":
        lines.append(said("approval.holds" if question.holds else "approval.once"))
    return "\n".join(lines)


async def list_all(context: OpenContext, _: Arguments) -> None:
    pending = await context.services.approvals.pending()
    rows = [(one.id, one.question.kind, one.question.subject, titled(one, context.exchange)) for one in pending]
    text = columns(rows) if rows else context.exchange.sentences.sentence("approval.none")
    await show(context.exchange, record(pending), text)


async def show_one(context: OpenContext, arguments: Arguments) -> None:
    approval = await context.services.approvals.get(arguments.approval)
    state = context.exchange.sentences.sentence(f"approval.state.{approval.state}")
    await show(context.exchange, record(approval), f"{described(approval, context.exchange)}\n{state}")


async def approve(context: OpenContext, arguments: Arguments) -> None:
    await _decide(context, arguments, yes=True)


async def reject(context: OpenContext, arguments: Arguments) -> None:
    await _decide(context, arguments, yes=False)


async def _decide(context: OpenContext, arguments: Arguments, *, yes: bool) -> None:
    approvals = context.services.approvals
    decided = await approvals.decide(arguments.approval, approve=yes, by=BY, note=arguments.note)
    await done(context.exchange, record(decided), f"approval.state.{decided.state}")


def _one(declaration: Declaration) -> None:
    declaration.add("approval", metavar="ID")


def _answer(declaration: Declaration) -> None:
    declaration.add("approval", metavar="ID")
    declaration.add("--note", metavar="TEXT", default="")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("approvals", "list"), list_all),
    OpenCommand(("approvals", "show"), show_one, _one),
    OpenCommand(("approvals", "approve"), approve, _answer),
    OpenCommand(("approvals", "reject"), reject, _answer),
)
