"""`notochord store`: what is published, and installing and updating from it."""

from collections.abc import Iterator

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.commands.gem_data import size_of
from notochord.headless.commands.gem_page import asked, contents
from notochord.headless.exchange import done, show, tell
from notochord.headless.printable import columns, printable
from notochord.headless.records import record
from notochord.services.gems.api import Gem, Standing
from notochord.services.store.api import SOURCE, ListedGem, Listing

USUAL = "default"
NOWHERE = "none"


async def list_all(context: OpenContext, arguments: Arguments) -> None:
    """List what is published; a list that cannot be fetched is told of, and what is known is shown."""
    said = context.exchange.sentences.sentence
    found = await _listing(context, arguments)
    rows = [
        (one.dossier.gem.id, one.dossier.gem.version, _standing(one, context.exchange.sentences), one.dossier.gem.name)
        for one in found.gems
    ]
    value: Json = {
        "gems": [_value(one) for one in found.gems],
        "source": found.source,
        "came_at": found.came_at,
        "left_out": found.left_out,
        "failure": str(found.failure.code) if found.failure else None,
    }
    await show(context.exchange, value, printable(columns(rows)) if rows else said("store.none"))


async def show_one(context: OpenContext, arguments: Arguments) -> None:
    """Tell who made a gem and what it can do, or print a document of its introduction."""
    store, sentences = context.services.store, context.exchange.sentences
    if arguments.document:
        text = await store.document(arguments.gem, arguments.document)
        await show(context.exchange, {"path": arguments.document, "text": text}, printable(text.rstrip("\n")))
        return
    found = await _one(context, arguments.gem)
    await show(context.exchange, _value(found), printable("\n".join(_lines(found, sentences))))


async def install(context: OpenContext, arguments: Arguments) -> None:
    found = await _one(context, arguments.gem)
    gem = await context.services.store.install(found.dossier.gem.id)
    await done(context.exchange, record(gem), "gem.installed", name=gem.name, version=gem.version)


async def update(context: OpenContext, arguments: Arguments) -> None:
    """Update what can be updated, one after the other; the first failure ends it."""
    found = await _listing(context, arguments)
    wanted = [
        one for one in found.gems if one.standing is Standing.UPDATE and arguments.gem in (None, one.dossier.gem.id)
    ]
    if arguments.gem is not None and not wanted:
        await context.services.gems.get(arguments.gem)
    said = context.exchange.sentences.sentence
    if arguments.check:
        lines = [_update_line(one, context.exchange.sentences) for one in wanted]
        value: Json = {"updates": [_value(one) for one in wanted]}
        await show(context.exchange, value, printable("\n".join(lines or [said("store.current")])))
        return
    gems: list[Gem] = []
    for one in wanted:
        gems.append(await context.services.store.install(one.dossier.gem.id))
        await tell(context.exchange, "store.updated", name=gems[-1].name, version=gems[-1].version)
    await show(context.exchange, {"updated": record(gems)}, "" if gems else said("store.current"))


async def source(context: OpenContext, arguments: Arguments) -> None:
    """Tell where the list comes from, after changing it if an address is given."""
    store = context.services.store
    if arguments.address is not None:
        words = {USUAL: SOURCE.default, NOWHERE: ""}
        await store.change_source(words.get(arguments.address, arguments.address))
    now = store.source()
    key = "store.source.is" if now else "store.source.none"
    await done(context.exchange, {"source": now}, key, source=now)


async def _listing(context: OpenContext, arguments: Arguments) -> Listing:
    store, exchange = context.services.store, context.exchange
    found = await store.known() if arguments.offline else await store.refresh()
    if found.failure is not None:
        await tell(exchange, "store.failed", failure=exchange.sentences.failure(found.failure))
    if found.left_out:
        await tell(exchange, "store.left_out", count=found.left_out)
    return found


async def _one(context: OpenContext, gem: str) -> ListedGem:
    """Return a listed gem; one that is not known yet may be in the list by now."""
    store = context.services.store
    try:
        return await store.get(gem)
    except NotochordError as error:
        if error.code is not Code.LISTING_UNKNOWN:
            raise
    if (failure := (await store.refresh()).failure) is not None:
        raise failure
    return await store.get(gem)


def _value(found: ListedGem) -> Json:
    """Return the gem with what else is known of it on the same level."""
    dossier = record(found.dossier)
    rest = {"standing": record(found.standing), "installed": found.installed, "download": found.size}
    rest["asks_more"] = found.asks_more
    if not isinstance(dossier, dict) or not isinstance(gem := dossier.pop("gem"), dict):
        return rest
    return {**gem, **dossier, **rest, "texts": record(dict(found.texts))}


def _update_line(found: ListedGem, sentences: Sentences) -> str:
    said, gem = sentences.sentence, found.dossier.gem
    line = said("store.update", name=gem.name, installed=found.installed, version=gem.version)
    return f"{line} {said('store.asks_more')}" if found.asks_more else line


def _standing(found: ListedGem, sentences: Sentences) -> str:
    return sentences.sentence(f"store.standing.{found.standing}", version=found.installed)


def _lines(found: ListedGem, sentences: Sentences) -> Iterator[str]:
    said, dossier, gem = sentences.sentence, found.dossier, found.dossier.gem
    yield f"{gem.name} {gem.version} ({gem.id})"
    yield gem.description
    yield said("gem.line.publisher", publisher=dossier.publisher)
    yield said("gem.line.trust", trust=said(f"gem.trust.{gem.trust}"))
    yield said("store.line.standing", standing=_standing(found, sentences))
    if found.asks_more:
        yield said("store.asks_more")
    yield said("store.line.size", size=size_of(found.size)) if found.size else said("store.line.bundled")
    yield from asked(dossier, sentences)
    for title, rows in contents(dossier):
        if rows:
            yield ""
            yield said(title)
            yield columns(rows)
    if dossier.documents:
        yield ""
        yield said("store.line.documents")
        yield columns([(one.language, one.path) for one in dossier.documents])


def _offline(declaration: Declaration) -> None:
    declaration.add("--offline", action="store_true")


def _one_gem(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM")


def _show(declaration: Declaration) -> None:
    _one_gem(declaration)
    declaration.add("--document", metavar="PATH", topic="store_document")


def _update(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM", nargs="?", topic="store_gem")
    declaration.add("--check", action="store_true")
    _offline(declaration)


def _source(declaration: Declaration) -> None:
    declaration.add("address", metavar="ADDRESS", nargs="?", topic="store_source")


COMMANDS: tuple[Command, ...] = (
    OpenCommand(("store", "list"), list_all, _offline),
    OpenCommand(("store", "show"), show_one, _show),
    OpenCommand(("store", "install"), install, _one_gem),
    OpenCommand(("store", "update"), update, _update),
    OpenCommand(("store", "source"), source, _source),
)
