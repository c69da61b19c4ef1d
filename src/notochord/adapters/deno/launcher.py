"""Starts guests as Deno processes with no right but to read their own two folders."""

import asyncio
import os
from pathlib import Path

from notochord.adapters.deno.pipes import wide_input
from notochord.adapters.deno.process import DenoProcess
from notochord.adapters.deno.walls import Wall
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.sandbox.ports import GuestOrder, GuestProcess

_BUFFER = 1024 * 1024
_HEAP = 256

# --no-npm and --cached-only both: without them an npm: import opens connections in spite of --deny-net.
RUNTIME = (
    "run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--no-remote", "--no-npm", "--cached-only",
    "--no-check", "--node-modules-dir=none",
)  # fmt: skip
ENGINE = f"--v8-flags=--max-old-space-size={_HEAP},--wasm-max-mem-pages=4096"
REFUSALS = (
    "--deny-write", "--deny-net", "--deny-env", "--deny-sys", "--deny-run", "--deny-ffi", "--deny-import",
)  # fmt: skip


class DenoLauncher:
    """Starts guests. `program` is the main module of the guest's own program; its folder is open to the guest."""

    def __init__(self, *, deno: Path, program: Path, wall: Wall) -> None:
        self._deno = deno.resolve()
        self._program = program.resolve()
        self._wall = wall

    async def start(self, order: GuestOrder) -> GuestProcess:
        try:
            await asyncio.to_thread(_prepare, order.state)
            async with wide_input() as (reading, writer):
                process = await asyncio.create_subprocess_exec(
                    *self._command(order),
                    stdin=reading,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    env=_environment(order.state),
                    cwd=order.code,
                    limit=_BUFFER,
                    start_new_session=True,
                )
        except OSError as error:
            reason = error.strerror or "the system refused"
            raise NotochordError(Code.GUEST_START, Fault.SYSTEM, reason, reason=reason) from error
        return DenoProcess(process, writer or process.stdin)

    def wall(self) -> str:
        return self._wall.describe()

    def flags(self, order: GuestOrder) -> list[str]:
        """Return how the runtime is started: what it may read, and all that it may not do."""
        folders = [_listed(order.code, order.code), _listed(order.resources, order.code)]
        engine = f"{ENGINE},--jitless" if order.jitless else ENGINE
        return [*RUNTIME, engine, *REFUSALS, f"--allow-read={','.join(folders)}"]

    def _command(self, order: GuestOrder) -> list[str]:
        command = [str(self._deno), *self.flags(order), str(self._program)]
        readable = [str(self._program.parent), str(order.code), str(order.resources)]
        return self._wall.around(command, readable=readable, writable=[str(order.state / "deno")])


def _listed(folder: Path, start: Path) -> str:
    """Return how a folder is written in the runtime's comma-separated list, which knows no escape. Raises GUEST_START.

    A folder with a comma in its path is written from `start`, where the process begins.
    """
    text = str(folder)
    if "," in text:
        text = os.path.relpath(folder, start)
    if "," in text:
        reason = "the name of its folder has a comma"
        raise NotochordError(Code.GUEST_START, Fault.USER, f"the code is not run: {reason}", reason=reason)
    return text


def _prepare(state: Path) -> None:
    for folder in (state / "deno", state / "empty"):
        folder.mkdir(parents=True, exist_ok=True)
    # A file where the runtime wants a folder: no localStorage, no caches, both of which it would keep on the disk.
    (state / "deno" / "location_data").touch()


def _environment(state: Path) -> dict[str, str]:
    environment = {
        "DENO_DIR": str(state / "deno"),
        "HOME": str(state / "empty"),
        "DENO_NO_UPDATE_CHECK": "1",
        "DENO_NO_PACKAGE_JSON": "1",
        "DENO_NO_PROMPT": "1",
        "DENO_WEBGPU_BACKEND": "none",
        "NO_COLOR": "1",
        "TZ": "UTC",
        "LANG": "C.UTF-8",
    }
    if os.name == "nt":
        environment["SystemRoot"] = os.environ["SYSTEMROOT"]
    return environment
