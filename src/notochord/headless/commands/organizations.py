"""`notochord org`: the organizations in this home."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import LANGUAGES
from notochord.headless.command import Arguments, Command, Declaration, HomeCommand, HomeContext
from notochord.headless.exchange import confirm, done, is_yes, show, tell
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.organizations.api import KeyPlace, Organization, Organizations


async def create(context: HomeContext, arguments: Arguments) -> None:
    exchange, organizations = context.exchange, context.surroundings.organizations
    if arguments.recovery_key is not None:
        await organizations.check_recovery_file(arguments.recovery_key)
    place = await _key_place(context, arguments)
    made = await organizations.create(arguments.name, place)
    await _save_recovery_key(context, made, arguments)
    first = len(await organizations.all()) == 1
    wanted = arguments.switch or first
    if not wanted and exchange.interactive:
        wanted = await confirm(exchange, "org.switch.ask", name=made.name)
    if wanted and not made.current:
        made = await organizations.make_current(made.id)
    await done(exchange, record(made), "org.created", name=made.name)
    await _tell_same_name(context, made)


async def _chosen(organizations: Organizations, arguments: Arguments) -> Organization:
    """Return the organization that NAME or --org says, else the current one; raises INPUT_INVALID if they differ."""
    option = getattr(arguments, "org", "")
    found = await organizations.find(arguments.name or option)
    if arguments.name and option and (await organizations.find(option)).id != found.id:
        raise NotochordError(
            Code.INPUT_INVALID,
            Fault.USER,
            "NAME and --org say different organizations",
            what="--org",
            why="why.two_organizations",
        )
    return found


async def _key_place(context: HomeContext, arguments: Arguments) -> KeyPlace:
    if arguments.no_encrypt and arguments.key == KeyPlace.KEYCHAIN:
        detail = "--key keychain encrypts, --no-encrypt does not"
        raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, what="--key", why="why.key_places")
    if arguments.no_encrypt:
        return KeyPlace.FILE
    if arguments.key:
        return KeyPlace(arguments.key)
    if not context.exchange.interactive:
        return KeyPlace.KEYCHAIN
    answer = await context.exchange.ask(context.exchange.sentences.sentence("org.encrypt.ask") + " [Y/n] ")
    return KeyPlace.KEYCHAIN if not answer.strip() or is_yes(answer) else KeyPlace.FILE


async def _save_recovery_key(context: HomeContext, made: Organization, arguments: Arguments) -> None:
    """The key in the keychain is lost with the computer: the file is the only other way in."""
    file = arguments.recovery_key
    if file is None:
        if made.key_place is KeyPlace.KEYCHAIN:
            await tell(context.exchange, "org.recovery.missing", id=made.id)
        return
    await context.surroundings.organizations.save_recovery_key(made.id, file)
    await tell(context.exchange, "org.recovery.saved", name=made.name, path=str(file))


async def _tell_same_name(context: HomeContext, named: Organization) -> None:
    """Equal names are allowed (OPEN-102), but then only the id says which organization is meant."""
    listed = await context.surroundings.organizations.all()
    if any(one.id != named.id and one.name.casefold() == named.name.casefold() for one in listed):
        await tell(context.exchange, "org.name.taken", name=named.name, id=named.id)


async def list_all(context: HomeContext, _: Arguments) -> None:
    said = context.exchange.sentences.sentence
    found = await context.surroundings.organizations.all()
    rows = [
        (one.name, one.id, said(f"org.key.{one.key_place}"), said("org.current") if one.current else "")
        for one in found
    ]
    await show(context.exchange, record(found), columns(rows) if rows else said("org.none"))


async def rename(context: HomeContext, arguments: Arguments) -> None:
    organizations = context.surroundings.organizations
    found = await _chosen(organizations, arguments)
    renamed = await organizations.rename(found.id, arguments.new_name)
    await done(context.exchange, record(renamed), "org.renamed", name=renamed.name)
    await _tell_same_name(context, renamed)


async def switch(context: HomeContext, arguments: Arguments) -> None:
    organizations = context.surroundings.organizations
    found = await _chosen(organizations, arguments)
    chosen = await organizations.make_current(found.id)
    await done(context.exchange, record(chosen), "org.switched", name=chosen.name)


async def language(context: HomeContext, arguments: Arguments) -> None:
    organizations = context.surroundings.organizations
    found = await _chosen(organizations, arguments)
    chosen = "" if arguments.language == "system" else arguments.language
    changed = await organizations.set_language(found.id, chosen)
    await done(context.exchange, record(changed), f"org.language.{arguments.language}", name=changed.name)


async def unlock(context: HomeContext, arguments: Arguments) -> None:
    """Prove that the organization opens, after its key was put back if a recovery key file is given."""
    organizations = context.surroundings.organizations
    found = await _chosen(organizations, arguments)
    if arguments.recovery_key is not None:
        await organizations.recover(found.id, arguments.recovery_key)
    unlocked = await organizations.unlock(found.id)
    await organizations.release(unlocked)
    await done(context.exchange, record(found), "org.unlocked", name=found.name)


async def delete(context: HomeContext, arguments: Arguments) -> None:
    exchange, organizations = context.exchange, context.surroundings.organizations
    found = await _chosen(organizations, arguments)
    await tell(exchange, "org.delete.warning", name=found.name)
    typed = await exchange.ask(exchange.sentences.sentence("org.delete.ask", name=found.name) + " ")
    if typed != found.name:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "the typed name is another", what="name", why="why.name_differs"
        )
    await organizations.delete(found.id, typed)
    await done(exchange, {"deleted": found.id}, "org.deleted", name=found.name)


async def recovery_key(context: HomeContext, arguments: Arguments) -> None:
    organizations = context.surroundings.organizations
    found = await _chosen(organizations, arguments)
    await organizations.save_recovery_key(found.id, arguments.file)
    saved = str(arguments.file)
    await done(context.exchange, {"saved": saved}, "org.recovery.saved", name=found.name, path=saved)


def _create(declaration: Declaration) -> None:
    declaration.add("name", metavar="NAME")
    declaration.add("--key", choices=(KeyPlace.KEYCHAIN.value, KeyPlace.FILE.value))
    declaration.add("--no-encrypt", action="store_true")
    declaration.add_path("--recovery-key", metavar="FILE")
    declaration.add("--switch", action="store_true")


def _named(declaration: Declaration) -> None:
    declaration.add("name", metavar="NAME")


def _rename(declaration: Declaration) -> None:
    declaration.add("name", metavar="NAME")
    declaration.add("new_name", metavar="NEW_NAME")


def _language(declaration: Declaration) -> None:
    declaration.add("language", choices=(*LANGUAGES, "system"))
    declaration.add("name", metavar="NAME", nargs="?", default="")


def _unlock(declaration: Declaration) -> None:
    declaration.add("name", metavar="NAME", nargs="?", default="")
    declaration.add_path("--recovery-key", metavar="FILE")


def _recovery_key(declaration: Declaration) -> None:
    declaration.add_path("file", metavar="FILE")
    declaration.add("name", metavar="NAME", nargs="?", default="")


COMMANDS: tuple[Command, ...] = (
    HomeCommand(("org", "create"), create, _create),
    HomeCommand(("org", "list"), list_all),
    HomeCommand(("org", "rename"), rename, _rename),
    HomeCommand(("org", "switch"), switch, _named),
    HomeCommand(("org", "language"), language, _language),
    HomeCommand(("org", "unlock"), unlock, _unlock),
    HomeCommand(("org", "delete"), delete, _named),
    HomeCommand(("org", "recovery-key"), recovery_key, _recovery_key),
)
