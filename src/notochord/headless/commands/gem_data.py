"""`notochord gem data`: what a gem has stored, for its owner."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo

from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.exchange import done, show
from notochord.headless.printable import columns
from notochord.headless.records import record
from notochord.services.data.api import ChangeOverview, CollectionOverview, Overview
from notochord.services.raw_databases.api import RawTable

LAST_CHANGES = 10
MOST_CHANGES = 1_000

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


async def data(context: OpenContext, arguments: Arguments) -> None:
    """List what is stored, or write a whole collection as JSON lines, to the output or into a file."""
    if arguments.export is not None and arguments.to is not None:
        count = await context.services.dossiers.export(arguments.gem, arguments.export, arguments.to)
        written: Json = {"written": count, "file": str(arguments.to)}
        await done(context.exchange, written, "gem.data.exported", count=count, file=str(arguments.to))
        return
    store = await context.services.gems.data(arguments.gem)
    if arguments.export is not None:
        async for line in store.records.export(arguments.export):
            await context.exchange.write(line + "\n")
        return
    found = await store.overview(changes=max(0, min(arguments.changes, MOST_CHANGES)))
    raw = await context.services.gems.raw_tables(arguments.gem)
    text = _described(found, raw, context.exchange.sentences, context.services.clock.zone())
    shown = record(found)
    assert isinstance(shown, dict)
    await show(context.exchange, {**shown, "raw_tables": record(raw)}, text)


def size_of(count: int) -> str:
    """Return a number of bytes for people, in the largest unit that leaves at least one."""
    size, unit = float(count), 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.0f} {_UNITS[unit]}" if unit == 0 else f"{size:.1f} {_UNITS[unit]}"


def _described(found: Overview, raw: Sequence[RawTable], sentences: Sentences, zone: tzinfo) -> str:
    said = sentences.sentence
    parts = []
    if found.collections:
        parts.append(columns([_row(one, sentences) for one in found.collections]))
    else:
        parts.append(said("gem.data.none"))
    parts.append(
        "\n".join(
            [
                said("gem.data.documents", count=found.documents),
                said("gem.data.blobs", count=found.blobs, size=size_of(found.blob_size)),
                said("gem.data.keys", count=found.keys),
                said("gem.data.folder", size=size_of(found.folder_size)),
            ]
        )
    )
    if raw:
        tables = [(table.name, said("gem.data.rows", count=table.rows)) for table in raw]
        parts.append(f"{said('gem.data.raw')}\n{columns(tables)}")
    if found.last_changes:
        rows = [_change(one, sentences, zone) for one in found.last_changes]
        parts.append(f"{said('gem.data.changes')}\n{columns(rows)}")
    return "\n\n".join(parts)


def _row(one: CollectionOverview, sentences: Sentences) -> tuple[str, ...]:
    said = sentences.sentence
    kind = said(f"gem.data.kind.{one.kind}")
    gone = "" if one.declared else said("gem.data.undeclared")
    return one.name, kind, said("gem.data.count", count=one.count), size_of(one.size), gone


def _change(one: ChangeOverview, sentences: Sentences, zone: tzinfo) -> tuple[str, ...]:
    moment = datetime.fromtimestamp(one.at / 1000, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
    what = sentences.sentence(f"gem.data.what.{one.what}")
    return moment, what, f"{one.kind} {one.subject}", f"{one.actor} {one.name}".strip()


def _declare(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM")
    declaration.add("--export", metavar="COLLECTION")
    declaration.add_path("--to", metavar="FILE")
    declaration.add("--changes", metavar="NUMBER", type=int, default=LAST_CHANGES)


COMMANDS: tuple[Command, ...] = (OpenCommand(("gem", "data"), data, _declare),)
