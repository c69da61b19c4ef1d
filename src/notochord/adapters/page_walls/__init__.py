"""Whether the browser engine can put its own sandbox around the pages of gems on this computer."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence

_SECONDS = 20


async def can_wall_pages(child: Sequence[str]) -> bool:
    """Tell whether the engine's sandbox works here. Without it the engine would end the whole program.

    `child` is the command of this program that tries: elsewhere than in the program itself, which stays as it is.
    """
    if sys.platform != "linux":
        return True
    if os.geteuid() == 0:
        return False  # the engine refuses to wall in what the superuser starts
    process = await asyncio.create_subprocess_exec(*child, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        async with asyncio.timeout(_SECONDS):
            return await process.wait() == 0
    except TimeoutError:
        return False
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
