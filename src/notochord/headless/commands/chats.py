"""`notochord chats`: the conversations that there are."""

from datetime import UTC, datetime

from notochord.core.strict_json import Json, decode
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import confirm, done, show
from notochord.headless.printable import columns, one_line
from notochord.headless.records import record
from notochord.services.chat.api import Entry, ExportForm, ExportWords
from notochord.services.models.api import Part, Role, Text, ToolCall, ToolResult

_LONGEST_CARD = 200


async def list_all(context: OpenContext, _: Arguments) -> None:
    found = await context.services.chats.all()
    zone = context.services.clock.zone()
    rows = [
        (
            one.id,
            datetime.fromtimestamp(one.changed_at / 1000, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M"),
            context.exchange.sentences.sentence(f"chat.state.{one.state}"),
            one.title,
        )
        for one in found
    ]
    text = columns(rows) if rows else context.exchange.sentences.sentence("chat.none")
    await show(context.exchange, record(found), text)


async def show_one(context: OpenContext, arguments: Arguments) -> None:
    await show(context.exchange, await _whole(context, arguments.chat), await _record_text(context, arguments.chat))


async def export(context: OpenContext, arguments: Arguments) -> None:
    """Give what the window writes to a file: Markdown of the active branch, or with --json all of the record."""
    exchange, chats = context.exchange, context.services.chats
    if exchange.json:
        await exchange.emit(decode(await chats.written_out(arguments.chat, ExportForm.JSON)))
        return
    words = ExportWords.of(exchange.sentences.sentence)
    await exchange.write((await chats.written_out(arguments.chat, ExportForm.MARKDOWN, words=words)).decode())


async def rename(context: OpenContext, arguments: Arguments) -> None:
    await context.services.chats.rename(arguments.chat, arguments.title)
    await done(context.exchange, {"renamed": arguments.chat}, "chat.renamed", title=arguments.title)


async def delete(context: OpenContext, arguments: Arguments) -> None:
    chat = await context.services.chats.get(arguments.chat)
    if not arguments.yes and not await confirm(context.exchange, "chat.delete.ask", title=chat.title or chat.id):
        await done(context.exchange, {"deleted": None}, "chat.kept")
        return
    await context.services.chats.delete(chat.id)
    await done(context.exchange, {"deleted": chat.id}, "chat.deleted")


async def _whole(context: OpenContext, chat: str) -> Json:
    chats = context.services.chats
    return {
        "chat": record(await chats.get(chat)),
        "entries": record(await chats.entries(chat)),
        "summaries": record(await chats.summaries(chat)),
    }


async def _record_text(context: OpenContext, chat: str) -> str:
    found = await context.services.chats.get(chat)
    entries = await context.services.chats.entries(chat)
    where = context.exchange.sentences.sentence("chat.folder", path=str(found.folder))
    return "\n\n".join([f"# {found.title}", where, *(_entry_text(entry, context) for entry in entries)])


def _entry_text(entry: Entry, context: OpenContext) -> str:
    said = context.exchange.sentences.sentence
    parts = [text for part in entry.message.parts if (text := _part_text(part))]
    attached = [said("chat.attached", path=path) for path in entry.attachments]
    state = [] if entry.state == "done" else [said(f"entry.state.{entry.state}")]
    head = [] if entry.message.role is Role.TOOL else [f"## {said(f'chat.role.{entry.message.role}')}"]
    return "\n".join([*head, *parts, *attached, *state])


def _part_text(part: Part) -> str:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, ToolCall):
        return f"> {part.name} {one_line(part.arguments, _LONGEST_CARD)}"
    if isinstance(part, ToolResult):
        return f"> = {one_line(part.text, _LONGEST_CARD)}"
    return ""


def _one(declaration: Declaration) -> None:
    declaration.add("chat", metavar="ID")


def _rename(declaration: Declaration) -> None:
    declaration.add("chat", metavar="ID")
    declaration.add("title", metavar="TITLE")


def _delete(declaration: Declaration) -> None:
    declaration.add("chat", metavar="ID")
    declaration.add("--yes", action="store_true")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("chats", "list"), list_all),
    OpenCommand(("chats", "show"), show_one, _one),
    OpenCommand(("chats", "export"), export, _one),
    OpenCommand(("chats", "rename"), rename, _rename),
    OpenCommand(("chats", "delete"), delete, _delete),
)
