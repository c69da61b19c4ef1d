"""`notochord gem`: installed gems and packages."""

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, decode, encode
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.commands.gem_authoring import require_sound
from notochord.headless.exchange import confirm, done, show
from notochord.headless.printable import columns, printable
from notochord.headless.records import record


async def install(context: OpenContext, arguments: Arguments) -> None:
    gem = await context.services.gems.install(arguments.package, allow_unsigned=arguments.unsigned)
    await done(context.exchange, record(gem), "gem.installed", name=gem.name, version=gem.version)


async def test(context: OpenContext, arguments: Arguments) -> None:
    """Run a draft's own tests; one that fails is a failure of the command."""
    await require_sound(context.exchange, context.services.workshop, arguments.draft)
    outcomes = await context.services.gems.test(arguments.draft)
    failed = [one for one in outcomes if one.code]
    said = context.exchange.sentences.sentence
    lines = [
        f"✗ {one.file} {one.name}: {one.code} {one.detail}" if one.code else f"✓ {one.file} {one.name}"
        for one in outcomes
    ]
    lines.append(said("gem.tests", passed=len(outcomes) - len(failed), failed=len(failed)))
    await show(context.exchange, {"tests": record(outcomes)}, printable("\n".join(lines)))
    if failed:
        raise NotochordError(Code.CHECKS_FAILED, Fault.USER, f"{len(failed)} tests failed", count=len(failed))


async def list_all(context: OpenContext, _: Arguments) -> None:
    said = context.exchange.sentences.sentence
    found = await context.services.gems.all()
    rows = [(one.id, one.version, said(f"gem.trust.{one.trust}"), one.state, one.name) for one in found]
    await show(context.exchange, record(found), columns(rows) if rows else said("gem.none"))


async def remove(context: OpenContext, arguments: Arguments) -> None:
    gem = await context.services.gems.get(arguments.gem)
    if not arguments.yes and not await confirm(context.exchange, "gem.remove.ask", name=gem.name, id=gem.id):
        await done(context.exchange, {"removed": None}, "gem.kept")
        return
    await context.services.gems.remove(arguments.gem)
    await done(context.exchange, {"removed": arguments.gem}, "gem.removed", id=arguments.gem)


async def call(context: OpenContext, arguments: Arguments) -> None:
    """Call a tool as the gem's owner would, about a folder that a chat could be held about; the result is JSON."""
    text = await context.exchange.read_all() if arguments.arguments == "-" else arguments.arguments
    given = _json(text)
    folder = await context.services.files.check_choice(arguments.folder)
    value = await context.services.gems.call(arguments.gem, arguments.tool, given, folder, Cause())
    await show(context.exchange, value, encode(value))


async def allow(context: OpenContext, arguments: Arguments) -> None:
    """Let a conversation use a gem without being asked."""
    gem = await context.services.gems.get(arguments.gem)
    chat = await context.services.chats.get(arguments.chat)
    await context.services.approvals.permit(chat.id, "gem", gem.id)
    await done(context.exchange, {"allowed": gem.id, "chat": chat.id}, "gem.allowed", name=gem.name)


def _json(text: str) -> Json:
    try:
        return decode(text)
    except ValueError as error:
        raise NotochordError(
            Code.TOOL_ARGUMENTS, Fault.USER, "the arguments are not JSON", problem=str(error), why="why.no_json"
        ) from error


def _test(declaration: Declaration) -> None:
    declaration.add_path("draft", metavar="DRAFT")


def _install(declaration: Declaration) -> None:
    declaration.add_path("package", metavar="FILE")
    declaration.add("--unsigned", action="store_true")


def _one(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM")


def _remove(declaration: Declaration) -> None:
    _one(declaration)
    declaration.add("--yes", action="store_true")


def _call(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM")
    declaration.add("tool", metavar="TOOL")
    declaration.add("arguments", metavar="JSON", nargs="?", default="{}")
    declaration.add_path("--folder", metavar="DIR", default=".")


def _allow(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM")
    declaration.add("--chat", metavar="ID", required=True)


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("gem", "install"), install, _install),
    OpenCommand(("gem", "test"), test, _test),
    OpenCommand(("gem", "list"), list_all),
    OpenCommand(("gem", "remove"), remove, _remove),
    OpenCommand(("gem", "call"), call, _call),
    OpenCommand(("gem", "allow"), allow, _allow),
)
