"""`notochord gem new`, `pack` and `sign`: what an author does before a gem is installed, in any folder."""

import getpass
import re
from collections.abc import Sequence
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, Declaration, HomeCommand, HomeContext
from notochord.headless.exchange import Exchange, done, show
from notochord.headless.printable import printable
from notochord.headless.records import record
from notochord.services.gem_authoring.api import Advice, DraftIdentity, PackedGem, Problem, Workshop

TEMPLATES = ("tool", "agent", "download", "files", "skill", "sop")


async def new(context: HomeContext, arguments: Arguments) -> None:
    """Make a draft; what is not given is made from the folder's name and the user's."""
    folder: Path = arguments.folder
    workshop = context.surroundings.workshop()
    if arguments.package is not None:
        files = await workshop.open_package(arguments.package, folder)
        opened: Json = {"folder": str(folder), "files": list(files)}
        await done(context.exchange, opened, "gem.opened", folder=str(folder), count=len(files))
        return
    identifier = arguments.id or _identifier(folder.name)
    publisher = arguments.publisher or _identifier(_user())
    name = arguments.name or folder.name.replace("-", " ").replace("_", " ").strip().capitalize()
    identity = DraftIdentity(identifier, name or identifier, publisher)
    files = await workshop.new(folder, arguments.template, identity)
    value: Json = {"folder": str(folder), "id": identifier, "files": list(files)}
    await done(context.exchange, value, "gem.made", id=identifier, folder=str(folder), count=len(files))


async def pack(context: HomeContext, arguments: Arguments) -> None:
    workshop = context.surroundings.workshop()
    await require_sound(context.exchange, workshop, arguments.draft)
    packed = await workshop.pack(arguments.draft, arguments.out, key=arguments.key)
    for line in _advised(context.exchange, await workshop.advise(arguments.draft)):
        await context.exchange.say(line)
    await _told(context.exchange, packed)


async def sign(context: HomeContext, arguments: Arguments) -> None:
    """Sign a package; with --new-key the key file is made first, and must not be there yet."""
    workshop = context.surroundings.workshop()
    if arguments.new_key:
        key = await workshop.make_key(arguments.key)
        said = context.exchange.sentences.sentence("gem.key_made", file=str(arguments.key), key=key)
        await context.exchange.say(said)
    await _told(context.exchange, await workshop.sign(arguments.package, key=arguments.key))


async def check_draft(exchange: Exchange, workshop: Workshop, draft: Path) -> None:
    """Show every problem of a draft, or that there is none, and what it should have. Raises CHECKS_FAILED for one."""
    await require_sound(exchange, workshop, draft)
    advice = await workshop.advise(draft)
    lines = _advised(exchange, advice)
    told: list[Json] = [
        {"path": one.path, "kind": one.kind, "message": exchange.sentences.sentence(f"advice.{one.kind}")}
        for one in advice
    ]
    text = "\n".join([exchange.sentences.sentence("gem.draft_sound"), *lines])
    await show(exchange, {"problems": [], "advice": told}, text)


async def require_sound(exchange: Exchange, workshop: Workshop, draft: Path) -> None:
    """Show every problem of a draft with what to do. Raises CHECKS_FAILED if there is one."""
    if problems := await workshop.check(draft):
        raise await _failed(exchange, problems)


async def _failed(exchange: Exchange, problems: Sequence[Problem]) -> NotochordError:
    """Show problems, each with its code, its place and what to do, and return the error to end with."""
    told = [(one, exchange.sentences.sentence(f"problem.{one.kind}", **one.parameters)) for one in problems]
    value: list[Json] = [
        {"code": str(one.code), "path": one.path, "kind": one.kind, "message": text} for one, text in told
    ]
    lines = (printable(" ".join(("✗", one.code, one.path or "–", text))) for one, text in told)
    await show(exchange, {"problems": value}, "\n".join(lines))
    count = len(problems)
    return NotochordError(Code.CHECKS_FAILED, Fault.USER, f"{count} problems", count=count)


def _advised(exchange: Exchange, advice: Sequence[Advice]) -> list[str]:
    return [printable(f"! {one.path} {exchange.sentences.sentence(f'advice.{one.kind}')}") for one in advice]


async def _told(exchange: Exchange, packed: PackedGem) -> None:
    key = "gem.packed_signed" if packed.key else "gem.packed"
    parameters = {"id": packed.id, "version": packed.version, "package": str(packed.package), "key": packed.key}
    await done(exchange, record(packed), key, files=packed.files, **parameters)


def _identifier(text: str) -> str:
    """Return a name as an id: lower case, with hyphens for all else; what has no letters gives a fixed one."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:128] or "me"


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def _new(declaration: Declaration) -> None:
    declaration.add_path("folder", metavar="DIR", topic="draft_folder")
    declaration.add("--template", choices=TEMPLATES, default=TEMPLATES[0], topic="gem_template")
    declaration.add_path("--from", dest="package", metavar="FILE", topic="gem_from")
    declaration.add("--id", metavar="ID", default="", topic="gem_id")
    declaration.add("--name", metavar="NAME", default="", topic="gem_name")
    declaration.add("--publisher", metavar="ID", default="", topic="gem_publisher")


def _pack(declaration: Declaration) -> None:
    declaration.add_path("draft", metavar="DRAFT")
    declaration.add_path("out", metavar="OUT", nargs="?", topic="package_out")
    declaration.add_path("--key", metavar="FILE", topic="gem_key")


def _sign(declaration: Declaration) -> None:
    declaration.add_path("package", metavar="FILE")
    declaration.add_path("--key", metavar="FILE", required=True, topic="gem_key")
    declaration.add("--new-key", action="store_true")


COMMANDS: tuple[Command, ...] = (
    HomeCommand(("gem", "new"), new, _new),
    HomeCommand(("gem", "pack"), pack, _pack),
    HomeCommand(("gem", "sign"), sign, _sign),
)
