"""Run as a process of its own: for each order on standard input, a copy of it changes what is installed and may die.

An order is a JSON list on one line: the organization's folder, "install" or "remove", the package or the gem, and the
boundary at which the copy is killed. The answer is how the copy ended, as `os.waitpid` gives it.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from support.gems import platform
from support.vaults import FileVault


async def change(home: Path, action: str, subject: str, end: str) -> None:
    def boundary(name: str) -> None:
        if name == end:
            os.kill(os.getpid(), signal.SIGKILL)

    async with platform(home, vault=FileVault(home / "keys.json"), boundary=boundary) as notochord:
        if action == "install":
            await notochord.service.install(Path(subject))
        else:
            await notochord.service.remove(subject)


def main() -> None:
    for line in sys.stdin:
        home, action, subject, end = json.loads(line)
        copy = os.fork()
        if copy == 0:
            asyncio.run(change(Path(home), action, subject, end))
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
