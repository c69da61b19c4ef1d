"""Where attacks run: a gem, what it must not reach, and the same gem with barriers taken away."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
UNCAUGHT = """
export default async (input, ctx) => "reached: " + await (async () => { %s })();
"""
SECRET = "only-outside"
MODULE = "export default 'from-the-net';"


class Barriers(Enum):
    ALL = "all barriers"
    WALL = "the system's wall alone"
    NONE = "no barrier"


@dataclass(frozen=True)
class Attack:
    """Code that returns a text when it gets through. `wall` tells whether the system's wall alone holds it.

    One that is not `caught` leaves its error to the program, which sees nothing of some that are.
    """

    body: str
    wall: bool = False
    caught: bool = True

    @property
    def source(self) -> str:
        return (WRAPPER if self.caught else UNCAUGHT) % self.body


class Lines(logging.Handler):
    """Keeps what the program logs about guests."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())

    def taken(self) -> str:
        """Return what was logged since the last time."""
        lines, self.lines = self.lines, []
        return "\n".join(lines)


@contextmanager
def program_log(name: str = "notochord") -> Iterator[Lines]:
    """Listen to the program's log."""
    lines = Lines()
    logger = logging.getLogger(name)
    logger.addHandler(lines)
    try:
        yield lines
    finally:
        logger.removeHandler(lines)


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
    gem = make_gem(root, **{name: attack.source for name, attack in attacks.items()})
    gem.resources.mkdir()
    return gem, {
        "secret": str(root / "secret.txt"), "json": str(root / "secret.json"), "other": str(other.code),
        "gem": str(gem.code), "resources": str(gem.resources),
    }  # fmt: skip


@dataclass(frozen=True)
class Result:
    """What became of an attack, and what the program's log has of it."""

    outcome: str
    log: str


async def run_all(attacks: Mapping[str, Attack], barriers: Barriers, root: Path) -> dict[str, Result]:
    """Run every attack in one guest and return what became of each."""
    gem, places = _lay_out(root, attacks)
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    value: Json = {**places, "port": server.sockets[0].getsockname()[1]}
    launcher = None if barriers is Barriers.ALL else open_launcher(barriers)
    found: dict[str, Result] = {}
    with program_log() as log:
        async with real_sandbox(root, launcher=launcher) as sandbox:
            for name in attacks:
                call = guest_call(gem, value, module=f"{name}.ts", seconds=30)
                try:
                    outcome = str(await sandbox.call(call, MemoryHost()))
                except NotochordError as error:
                    outcome = f"blocked: {error}"
                found[name] = Result(outcome, log.taken())
    server.close()
    await server.wait_closed()
    return found
