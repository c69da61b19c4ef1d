"""`notochord gem rights`, `knowledge` and `folder`: what the user allows a gem of knowledge, mail and files."""

from notochord.core.flat_text import flattened
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import done, show, tell
from notochord.headless.printable import columns, printable
from notochord.headless.records import record


async def rights(context: OpenContext, arguments: Arguments) -> None:
    """Show each permission on the knowledge base, whether it is on and for which folders, and the mailboxes."""
    grants, said = context.services.gems.grants, context.exchange.sentences.sentence
    found = await grants.rights(arguments.gem)
    names = {folder.id: flattened(folder.name) for folder in await grants.folders()}
    rows = [
        (one.permission, said(f"gem.rights.{'on' if one.allowed else 'off'}"),
         ", ".join(names.get(folder, folder) for folder in one.collections) or "–")
        for one in found.knowledge
    ]  # fmt: skip
    rows += [(one.predicate, said("gem.rights.added"), flattened(one.description)) for one in found.predicates]
    if found.reads_mail:
        mailboxes = said("gem.rights.every_mailbox") if found.every_mailbox else ", ".join(found.mailboxes)
        rows.append(("email", said(f"gem.rights.{'on' if mailboxes else 'off'}"), mailboxes or "–"))
    if found.works_alone:
        rows.append(("workspace", said(f"gem.rights.{'on' if found.working_folder else 'off'}"),
                     found.working_folder or "–"))  # fmt: skip
    await show(context.exchange, record(found), columns(rows) if rows else said("gem.rights.none"))


async def knowledge(context: OpenContext, arguments: Arguments) -> None:
    """Turn a permission on or off; with folders, make these the chosen ones. Raises NOT_FOUND."""
    grants, gem, permission = context.services.gems.grants, arguments.gem, arguments.permission
    if arguments.folder:
        await grants.choose_collections(gem, permission, () if arguments.folder == ["none"] else arguments.folder)
    elif arguments.on and permission.endswith(":user-selected") and not await grants.folders():
        await tell(context.exchange, "gem.rights.no_folder")
    await grants.allow_knowledge(gem, permission, allowed=arguments.on)
    state = "on" if arguments.on else "off"
    value = {"gem": gem, "permission": permission, "allowed": arguments.on}
    await done(context.exchange, {**value}, f"gem.rights.now_{state}", permission=permission, gem=gem)


async def folder(context: OpenContext, arguments: Arguments) -> None:
    """Show the folder that SOPs work in which start by themselves; choose it, or take it back with `--off`."""
    grants, gem = context.services.gems.grants, arguments.gem
    if arguments.on and arguments.folder is None:
        await _show_folder(context, gem)
        return
    await grants.choose_working_folder(gem, arguments.folder if arguments.on else None)
    chosen = (await grants.rights(gem)).working_folder
    said = "gem.folder.chosen" if chosen else "gem.folder.taken_back"
    await done(context.exchange, {"gem": gem, "working_folder": chosen}, said, gem=gem, folder=chosen)


async def _show_folder(context: OpenContext, gem: str) -> None:
    grants, said = context.services.gems.grants, context.exchange.sentences.sentence
    found = await grants.rights(gem)
    lost = await grants.working_folder_lost(gem)
    value = {"gem": gem, "works_alone": found.works_alone, "working_folder": found.working_folder, "lost": lost}
    told = printable(found.working_folder) or said("gem.folder.none" if found.works_alone else "gem.folder.needless")
    await show(context.exchange, record(value), told)
    if lost:
        await tell(context.exchange, "gem.folder.lost")


def _rights(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM")


def _knowledge(declaration: Declaration) -> None:
    _rights(declaration)
    declaration.add("permission", metavar="PERMISSION")
    declaration.add("--off", dest="on", action="store_false", default=True)
    declaration.add("--folder", metavar="ID", action="append", default=[], topic="knowledge.folder")


def _folder(declaration: Declaration) -> None:
    _rights(declaration)
    declaration.add_path("folder", metavar="DIR", nargs="?", topic="gem_folder")
    declaration.add("--off", dest="on", action="store_false", default=True)


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("gem", "rights"), rights, _rights),
    OpenCommand(("gem", "knowledge"), knowledge, _knowledge),
    OpenCommand(("gem", "folder"), folder, _folder),
)
