"""`notochord gem resources`: the files that Notochord downloads for a gem, how far they are, and getting them."""

import asyncio
from collections.abc import Callable

from notochord.core.errors import NotochordError
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.commands.gem_data import size_of
from notochord.headless.exchange import show, tell
from notochord.headless.printable import columns
from notochord.services.gems.api import GemResource, GemResourceChanged, ResourceState


async def resources(context: OpenContext, arguments: Arguments) -> None:
    """List the files; with --download, get those that are missing first and tell how far they are."""
    failure = await _download(context, arguments.gem) if arguments.download else None
    sentences = context.exchange.sentences
    found = await context.services.gems.resources(arguments.gem)
    rows = [(one.id, size_of(one.size), ", ".join(one.hosts), _state(one, sentences), one.description) for one in found]
    text = columns(rows) if rows else sentences.sentence("gem.resources.none")
    await show(context.exchange, {"resources": [_record(one, sentences) for one in found]}, text)
    if failure is not None:
        raise failure


async def _download(context: OpenContext, gem: str) -> NotochordError | None:
    """Get what is missing, one after the other; return the first failure after trying all."""
    first: NotochordError | None = None
    for one in await context.services.gems.resources(gem):
        if one.state is ResourceState.READY:
            continue
        try:
            await _with_progress(context, gem, one)
        except NotochordError as error:
            first = first or error
    return first


async def _with_progress(context: OpenContext, gem: str, resource: GemResource) -> None:
    changed = asyncio.Event()
    received = 0

    def heard(event: GemResourceChanged) -> None:
        nonlocal received
        if (event.gem, event.resource) == (gem, resource.id):
            received = event.received
            changed.set()

    forget = context.services.events.subscribe(GemResourceChanged, heard)
    download = asyncio.create_task(context.services.gems.download(gem, resource.id), name="gem resources")
    telling = asyncio.create_task(_tell(context, resource, changed, lambda: received), name="gem resources/progress")
    try:
        await asyncio.wait((download, telling), return_when=asyncio.FIRST_COMPLETED)
        await download
    finally:
        forget()
        for task in (telling, download):
            task.cancel()
        await asyncio.gather(telling, download, return_exceptions=True)


async def _tell(
    context: OpenContext, resource: GemResource, changed: asyncio.Event, received: Callable[[], int]
) -> None:
    """Say each tenth that has come."""
    told = 0
    while True:
        await changed.wait()
        changed.clear()
        share = _share(received(), resource.size)
        if share >= told + 10:
            told = share
            await tell(context.exchange, "gem.resources.progress", name=resource.id, share=share)


def _state(one: GemResource, sentences: Sentences) -> str:
    match one.state:
        case ResourceState.DOWNLOADING:
            return sentences.sentence("gem.resources.downloading", share=_share(one.received, one.size))
        case ResourceState.FAILED:
            reason = sentences.failure(one.failure) if one.failure is not None else ""
            return sentences.sentence("gem.resources.failed", reason=reason)
        case ResourceState.READY:
            return sentences.sentence("gem.resources.ready")
        case ResourceState.ABSENT:
            return sentences.sentence("gem.resources.required" if one.required else "gem.resources.absent")


def _record(one: GemResource, sentences: Sentences) -> Json:
    return {
        "id": one.id,
        "description": one.description,
        "size": one.size,
        "hosts": list(one.hosts),
        "required": one.required,
        "state": one.state.value,
        "received": one.received,
        "failure": None if one.failure is None else sentences.failure(one.failure),
    }


def _share(part: int, whole: int) -> int:
    return 100 * part // max(1, whole)


def _declare(declaration: Declaration) -> None:
    declaration.add("gem", metavar="GEM")
    declaration.add("--download", action="store_true")


COMMANDS: tuple[Command, ...] = (OpenCommand(("gem", "resources"), resources, _declare),)
