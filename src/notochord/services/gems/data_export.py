"""Writes a collection of a gem's data into a file, line by line, keeping what was there until all is written."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing
from pathlib import Path

from notochord.core.tasks import finish
from notochord.persistence.atomic_files import UnfinishedFile
from notochord.services.gems.api import Exported

CHUNK_CHARACTERS = 256 * 1024


async def write_lines(lines: AsyncIterator[str], file: Path, progress: Exported | None) -> int:
    """Write each line and its end; return how many there were. Raises OSError, and as `lines` does."""
    async with AsyncExitStack() as stack:
        if isinstance(lines, AsyncGenerator):
            await stack.enter_async_context(aclosing(lines))
        part = UnfinishedFile(file)
        try:
            count = await _copy(lines, part, progress)
            await finish(asyncio.to_thread(part.keep))
        except BaseException:
            await finish(asyncio.to_thread(part.drop))
            raise
        return count


async def _copy(lines: AsyncIterator[str], part: UnfinishedFile, progress: Exported | None) -> int:
    count, waiting, size = 0, [], 0
    async for line in lines:
        waiting.append(line)
        count, size = count + 1, size + len(line)
        if size >= CHUNK_CHARACTERS:
            await finish(asyncio.to_thread(part.write, _bytes(waiting)))
            waiting, size = [], 0
            if progress:
                progress(count)
    await finish(asyncio.to_thread(part.write, _bytes(waiting)))
    if progress:
        progress(count)
    return count


def _bytes(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
