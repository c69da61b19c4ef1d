"""Whatever one cause does to files, in whatever order: taking it back gives the folder as it was."""

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis.strategies import binary, lists, sampled_from, tuples

from notochord.core.caller import Cause
from notochord.core.errors import NotochordError
from support.file_services import Workshop, workshop_in

CAUSE = Cause(conversation="c", turn="t")
OTHER = Cause(conversation="c", turn="u")
PATHS = sampled_from(["a", "b", "d", "d/a", "d/e", "d/e/a", "f/g/h"])
STEPS = lists(
    tuples(sampled_from(["write", "delete", "move", "make_folder"]), PATHS, PATHS, binary(max_size=3)), max_size=12
)
Snapshot = dict[str, tuple[bytes, int] | None]


def snapshot(folder: Path) -> Snapshot:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) if path.is_file() else None
        for path in folder.rglob("*")
    }


async def change(shop: Workshop, step: tuple[str, str, str, bytes], cause: Cause) -> None:
    """Do one step; one that is refused changes nothing."""
    kind, path, to, content = step
    before = snapshot(shop.folder)
    try:
        match kind:
            case "write":
                await shop.files.write(shop.root, path, content, cause)
            case "delete":
                await shop.files.delete(shop.root, path, cause)
            case "move":
                await shop.files.move(shop.root, path, shop.root, to, cause)
            case _:
                await shop.files.make_folder(shop.root, path, cause)
    except NotochordError:
        assert snapshot(shop.folder) == before


@settings(max_examples=25)
@given(STEPS)
def test_taking_everything_back_gives_the_folder_as_it_was(steps: list[tuple[str, str, str, bytes]]) -> None:
    async def run() -> None:
        with tempfile.TemporaryDirectory() as place:
            async with workshop_in(Path(place)) as shop:
                shop.put("a", "first")
                shop.put("d/e/a", "second")
                before = snapshot(shop.folder)
                for step in steps:
                    await change(shop, step, CAUSE)
                reverted = await shop.journal.revert(CAUSE)
                assert reverted.skipped == ()
                assert snapshot(shop.folder) == before
                assert await shop.journal.changes(CAUSE) == ()

    asyncio.run(run())


@settings(max_examples=25)
@given(STEPS, STEPS)
def test_taking_back_never_touches_a_file_that_something_else_wrote_last(
    steps: list[tuple[str, str, str, bytes]], later: list[tuple[str, str, str, bytes]]
) -> None:
    async def run() -> None:
        with tempfile.TemporaryDirectory() as place:
            async with workshop_in(Path(place)) as shop:
                shop.put("a", "first")
                for step in steps:
                    await change(shop, step, CAUSE)
                await change_by_hand(shop, later)
                theirs = {path: text for path, text in contents(shop).items() if text.startswith(b"theirs")}
                await shop.journal.revert(CAUSE)
                assert theirs.items() <= contents(shop).items()

    asyncio.run(run())


def contents(shop: Workshop) -> dict[str, bytes]:
    return {path: found[0] for path, found in snapshot(shop.folder).items() if found is not None}


async def change_by_hand(shop: Workshop, steps: list[tuple[str, str, str, bytes]]) -> None:
    """Write files as the user would."""
    for _, path, _, content in steps:
        try:
            shop.put(path, f"theirs {content.hex()}")
        except OSError:
            continue
