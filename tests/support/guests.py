"""Gems made for one test, real guests to run them in, and hosts that answer from memory."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deno import find_deno_bin

from notochord.adapters.deno.launcher import DenoLauncher
from notochord.adapters.deno.walls import Wall, wall_of_this_system
from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock, SystemClock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import shipped
from notochord.core.strict_json import Json
from notochord.services.sandbox.api import GemInstance, GrantContext, GuestCall, HostAnswer, HostRequest
from notochord.services.sandbox.limits import GuestLimits
from notochord.services.sandbox.ports import GuestOrder
from notochord.services.sandbox.service import GuestSandbox

ALL_NAMESPACES = ("files", "storage.kv", "http", "llm")


@dataclass
class MemoryHost:
    """Keeps key-values and files in dictionaries and remembers what it was asked."""

    values: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    requests: list[HostRequest] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    wrote: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: HostRequest) -> HostAnswer:
        self.requests.append(request)
        assert isinstance(request.arguments, dict)
        match request.target, request.arguments:
            case "storage.kv.get", {"key": str(key)}:
                return HostAnswer(self.values.get(key))
            case "storage.kv.set", {"key": str(key), "value": str(value)}:
                self.values[key] = value
                return HostAnswer(None)
            case "files.read", {"path": str(path)}:
                if path not in self.files:
                    raise NotochordError(Code.FILE_MISSING, Fault.GUEST, "no such file")
                return HostAnswer(None, self.files[path])
            case "files.write", {"path": str(path)}:
                self.files[path] = request.attachment or b""
                return HostAnswer(None)
            case _:
                raise NotochordError(Code.INPUT_INVALID, Fault.GUEST, f"unknown request {request.target}")

    def log(self, text: str) -> None:
        self.lines.append(text)
        self.wrote.set()


def make_gem(folder: Path, name: str = "gem", /, **modules: str) -> GemInstance:
    """Write modules (`tool="export default …"`) into a gem of its own and return it."""
    code = folder / name / "code"
    code.mkdir(parents=True)
    for module, source in modules.items():
        (code / f"{module}.ts").write_text(source, encoding="utf-8")
    return GemInstance(f"{name}@1", code, folder / name / "resources")


def guest_call(
    gem: GemInstance,
    value: Json = None,
    *,
    module: str = "tool.ts",
    namespaces: tuple[str, ...] = ALL_NAMESPACES,
    scope: str = "chat-1",
    key: str = "key-1",
    seconds: float = 0.0,
) -> GuestCall:
    context = GrantContext(gem, "[]", scope)
    return GuestCall(context, module, value, namespaces, key, Caller(Actor.GEM, gem.id), seconds)


def real_launcher(kind: type[DenoLauncher] = DenoLauncher, *, wall: Wall | None = None) -> DenoLauncher:
    program = shipped("sandbox") / "main.ts"
    return kind(deno=Path(find_deno_bin()), program=program, wall=wall or wall_of_this_system())


class OpenLauncher(DenoLauncher):
    """The control of attacks: the runtime denies nothing."""

    def flags(self, order: GuestOrder) -> list[str]:
        return ["run", "--quiet", "--no-prompt", "--no-lock", "--no-check", "--node-modules-dir=none", "--allow-all"]


@asynccontextmanager
async def real_sandbox(
    state: Path,
    *,
    launcher: DenoLauncher | None = None,
    limits: GuestLimits | None = None,
    clock: Clock | None = None,
) -> AsyncIterator[GuestSandbox]:
    sandbox = GuestSandbox(
        launcher=launcher or real_launcher(), clock=clock or SystemClock(), state=state / "guests", limits=limits
    )
    try:
        yield sandbox
    finally:
        await sandbox.close()


async def run_tool(folder: Path, source: str, value: Json = None, options: Mapping[str, object] | None = None) -> Json:
    """Run one call of a gem with one module in a real guest."""
    async with real_sandbox(folder) as sandbox:
        return await sandbox.call(guest_call(make_gem(folder, tool=source), value), MemoryHost())
