"""`notochord gem show`: what the page of a gem tells, for a terminal or a script."""

from collections.abc import Iterator
from datetime import UTC, datetime

from notochord.core.codes import Code
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.commands.gem_data import size_of
from notochord.headless.exchange import show
from notochord.headless.printable import columns, printable
from notochord.headless.records import record
from notochord.services.gems.api import Dossier

READY = "ready"


async def show_one(context: OpenContext, arguments: Arguments) -> None:
    """Tell everything that is known of an installed gem; with `--verify`, after reading every file of it."""
    services, exchange = context.services, context.exchange
    dossiers = services.dossiers
    found = await (dossiers.verify if arguments.verify else dossiers.get)(arguments.gem)
    zone = services.clock.zone()
    day = datetime.fromtimestamp(found.installed_at / 1000, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M")
    await show(exchange, flat(found), printable("\n".join(_lines(found, exchange.sentences, day))))


def flat(found: Dossier) -> Json:
    """Return the gem with what else is known of it on the same level."""
    whole = record(found)
    gem = whole.pop("gem") if isinstance(whole, dict) else None
    return {**gem, **whole} if isinstance(gem, dict) and isinstance(whole, dict) else whole


def _lines(found: Dossier, sentences: Sentences, day: str) -> Iterator[str]:
    said, gem = sentences.sentence, found.gem
    yield f"{gem.name} {gem.version} ({gem.id})"
    yield gem.description
    yield said("gem.line.trust", trust=said(f"gem.trust.{gem.trust}"))
    yield said("gem.line.publisher", publisher=found.publisher)
    yield said("gem.line.installed", day=day, size=size_of(found.size))
    state = said("gem.line.changed", path=found.changed_file) if gem.state == Code.FILES_CHANGED else gem.state
    yield said("gem.line.state", state=state)
    yield said("gem.line.hosts", hosts=", ".join(gem.hosts) or "–")
    if found.local_network:
        yield said("gem.line.local")
    if gem.uses_model:
        yield said("gem.line.model")
    yield from _granted(found, sentences)
    for title, rows in contents(found):
        if rows:
            yield ""
            yield said(title)
            yield columns(rows)


def _granted(found: Dossier, sentences: Sentences) -> Iterator[str]:
    said, rights = sentences.sentence, found.rights
    for account in found.accounts:
        yield said("gem.line.account", slot=account.slot, account=account.account or "–")
    if rights.reads_mail:
        boxes = said("gem.line.every_mailbox") if rights.every_mailbox else ", ".join(rights.mailboxes) or "–"
        yield said("gem.line.mailboxes", mailboxes=boxes)
    for right in rights.knowledge:
        yield said(f"gem.line.knowledge.{'on' if right.allowed else 'off'}", permission=right.permission)
    if rights.works_alone:
        yield said("gem.line.folder", folder=rights.working_folder or "–")


def asked(found: Dossier, sentences: Sentences) -> Iterator[str]:
    """Return what a gem asks for, before anything is granted."""
    said, gem = sentences.sentence, found.gem
    yield said("gem.line.hosts", hosts=", ".join(gem.hosts) or "–")
    if found.local_network:
        yield said("gem.line.local")
    if gem.uses_model:
        yield said("gem.line.model")
    if gem.reads_mail:
        yield said("gem.line.mail")
    if gem.knowledge:
        yield said("gem.line.knowledge", permissions=", ".join(gem.knowledge))


def contents(found: Dossier) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Return what a gem contains: the key of a heading, and the rows below it."""
    gem = found.gem
    yield "gem.line.tools", [(tool.name, tool.side_effect, tool.description) for tool in gem.tools]
    yield "gem.line.agents", [(one.name, ", ".join(one.requires), one.description) for one in gem.agents]
    yield (
        "gem.line.procedures",
        [
            (one.name, f"{one.trigger} {one.when}".strip(), ", ".join(one.calls), one.description)
            for one in found.procedures
        ],
    )
    yield "gem.line.files", [(one.description, size_of(one.size), ", ".join(one.hosts)) for one in found.files]
    yield "gem.line.problems", [(one.place, one.code, str(one.count)) for one in found.failures]


def _declare(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM")
    declaration.add("--verify", action="store_true")


COMMANDS: tuple[Command, ...] = (OpenCommand(("gem", "show"), show_one, _declare),)
