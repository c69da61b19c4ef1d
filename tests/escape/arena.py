"""Where attacks run: a gem, what it must not reach, and the same gem with barriers taken away."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from notochord.adapters.deno.walls import NoWall, wall_of_this_system
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.sandbox.api import GemInstance
from support.guests import MemoryHost, OpenLauncher, guest_call, make_gem, real_launcher, real_sandbox

WRAPPER = """
export default async (input, ctx) => {
  try { return "reached: " + await (async () => { %s })(); } catch (error) { return "blocked: " + error; }
};
"""
SECRET = "only-outside"
MODULE = "export default 'from-the-net';"


class Barriers(Enum):
    ALL = "all barriers"
    WALL = "the system's wall alone"
    NONE = "no barrier"


@dataclass(frozen=True)
class Attack:
    """Code that returns a text when it gets through. `wall` tells whether the system's wall alone holds it."""

    body: str
    wall: bool = False


def open_launcher(barriers: Barriers) -> OpenLauncher:
    wall = NoWall("taken away") if barriers is Barriers.NONE else wall_of_this_system()
    launcher = real_launcher(OpenLauncher, wall=wall)
    assert isinstance(launcher, OpenLauncher)
    return launcher


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(4096)
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/javascript\r\ncontent-length: {len(MODULE)}\r\nconnection: close\r\n"
    writer.write(f"{head}\r\n{MODULE}".encode())
    await writer.drain()
    writer.close()


def _lay_out(root: Path, attacks: Mapping[str, Attack]) -> tuple[GemInstance, dict[str, Json]]:
    (root / "secret.txt").write_text(SECRET)
    (root / "secret.json").write_text(f'"{SECRET}"')
    other = make_gem(root, "other", tool=f"export default '{SECRET}';")
    gem = make_gem(root, **{name: WRAPPER % attack.body for name, attack in attacks.items()})
    gem.resources.mkdir()
    return gem, {
        "secret": str(root / "secret.txt"), "json": str(root / "secret.json"), "other": str(other.code),
        "gem": str(gem.code), "resources": str(gem.resources),
    }  # fmt: skip


async def run_all(attacks: Mapping[str, Attack], barriers: Barriers, root: Path) -> dict[str, Json]:
    """Run every attack in one guest and return what became of each."""
    gem, places = _lay_out(root, attacks)
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    value: Json = {**places, "port": server.sockets[0].getsockname()[1]}
    launcher = None if barriers is Barriers.ALL else open_launcher(barriers)
    found: dict[str, Json] = {}
    async with real_sandbox(root, launcher=launcher) as sandbox:
        for name in attacks:
            try:
                found[name] = await sandbox.call(guest_call(gem, value, module=f"{name}.ts", seconds=30), MemoryHost())
            except NotochordError as error:
                found[name] = f"blocked: {error}"
    server.close()
    await server.wait_closed()
    return found
