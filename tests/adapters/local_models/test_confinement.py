"""A local-model child that was taken over by its model file reaches nothing; without the confinement it would."""

import asyncio
import sys
from pathlib import Path

import pytest

from support.local_models import SOURCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the barriers of Linux")

ATTACKS = {
    "the network": "import socket; socket.socket()",
    "another process": "import os; os._exit(0) if os.fork() == 0 else os.wait()",
    "a file to write": "open({folder!r} + '/taken', 'wb').write(b'x')",
}


async def attack(folder: Path, deed: str, *, confined: bool) -> int:
    """Return the exit status of a process that does the deed, behind the confinement or without it."""
    confine = f"from notochord.adapters.local_models.confinement import confine; confine(Path({str(folder / 'm')!r}))"
    lines = [f"import signal, sys; sys.path.insert(0, {str(SOURCE)!r})", "from pathlib import Path"]
    lines += ["signal.signal(signal.SIGXFSZ, signal.SIG_IGN)"]
    lines += [confine] if confined else []
    script = "\n".join([*lines, deed.format(folder=str(folder))])
    null = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(sys.executable, "-I", "-c", script, stderr=null)
    return await process.wait()


@pytest.mark.parametrize("deed", ATTACKS.values(), ids=ATTACKS)
async def test_a_confined_child_cannot_reach(tmp_path: Path, deed: str) -> None:
    (tmp_path / "m").write_bytes(b"model")
    assert await attack(tmp_path, deed, confined=False) == 0
    assert await attack(tmp_path, deed, confined=True) != 0


async def test_a_confined_child_reads_its_model_and_no_other_file(tmp_path: Path) -> None:
    from notochord.adapters.deno.wall import landlock

    if not landlock.version():
        pytest.skip("this kernel has no Landlock")
    (tmp_path / "m").write_bytes(b"model")
    (tmp_path / "letter").write_bytes(b"secret")
    assert await attack(tmp_path, "open({folder!r} + '/m').read()", confined=True) == 0
    assert await attack(tmp_path, "open({folder!r} + '/letter').read()", confined=False) == 0
    assert await attack(tmp_path, "open({folder!r} + '/letter').read()", confined=True) != 0
