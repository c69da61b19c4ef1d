"""A child that was taken over by its document reaches nothing; without the confinement it would."""

import asyncio
import sys
from pathlib import Path

import pytest

from support.extraction import SOURCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the barriers of Linux")

ATTACKS = {
    "the network": "import socket; socket.socket()",
    "another process": "import os; os._exit(0) if os.fork() == 0 else os.wait()",
    "a program": "import os; os.posix_spawn('/bin/true', ['true'], {{}})",
    "a file to write": "open({folder!r} + '/taken', 'wb').write(b'x' * 10_000)",
    "a file to read": "open({folder!r} + '/letter').read()",
    "the list of a folder": "import os; os.listdir({folder!r})",
    "the system's files": "open('/etc/passwd').read()",
    "its parent": "import os; open(f'/proc/{{os.getppid()}}/maps').read()",
    "much memory": "import mmap; mmap.mmap(-1, 2 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)",
    "many files": "[open('/dev/null') for _ in range(100)]",
}
OF_LANDLOCK = {"a file to read", "the list of a folder", "the system's files", "its parent"}


async def attack(folder: Path, deed: str, *, confined: bool) -> int:
    """Return the exit status of a process that does the deed, behind the confinement or without it."""
    lines = [
        f"import signal, sys; sys.path.insert(0, {str(SOURCE)!r})",
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)",
    ]
    lines += ["from notochord.adapters.extraction.child import confine; confine()"] if confined else []
    script = "\n".join([*lines, f"files = {deed}" if deed.startswith("[") else deed.format(folder=str(folder))])
    null = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(sys.executable, "-I", "-c", script, stderr=null, cwd=folder)
    return await process.wait()


@pytest.mark.parametrize("name", ATTACKS)
async def test_a_confined_child_cannot_reach(tmp_path: Path, name: str) -> None:
    from notochord.adapters.deno.wall import landlock

    if name in OF_LANDLOCK and not landlock.version():
        pytest.skip("this kernel has no Landlock")
    (tmp_path / "letter").write_bytes(b"secret")
    assert await attack(tmp_path, ATTACKS[name], confined=False) == 0
    assert await attack(tmp_path, ATTACKS[name], confined=True) != 0
