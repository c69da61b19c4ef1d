"""Run as a process of its own: changes what is installed and is killed at a boundary."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from support.gems import platform
from support.vaults import FileVault


async def main(home: Path, action: str, subject: str, end: str) -> None:
    def boundary(name: str) -> None:
        if name == end:
            os.kill(os.getpid(), signal.SIGKILL)

    async with platform(home, vault=FileVault(home / "keys.json"), boundary=boundary) as notochord:
        if action == "install":
            await notochord.service.install(Path(subject))
        else:
            await notochord.service.remove(subject)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:5]))
