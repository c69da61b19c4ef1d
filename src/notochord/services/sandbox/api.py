"""The door to guests: processes of untrusted code with rights that belong to the process."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from notochord.core.caller import Caller
from notochord.core.strict_json import Json

MAX_RESULT_CHARACTERS = 1_048_576


@dataclass(frozen=True, slots=True)
class GemInstance:
    """Code that can be run, wherever it came from: an installed gem, a draft, a project's code.

    `id` is unique among instances; `code` is its folder, already checked; `resources` its folder of downloaded files.
    """

    id: str
    code: Path
    resources: Path


@dataclass(frozen=True, slots=True)
class GrantContext:
    """What a process may be used for: instances, rights or conversations that differ never share one.

    `grants` are the tool's permissions in one canonical text; `scope` is the conversation, run, project or draft test.
    """

    instance: GemInstance
    grants: str
    scope: str


@dataclass(frozen=True, slots=True)
class HostRequest:
    """What a guest asks for: `target` such as `files.read`; `attachment` are raw bytes beside the JSON."""

    target: str
    arguments: Json
    attachment: bytes | None


@dataclass(frozen=True, slots=True)
class HostAnswer:
    value: Json
    attachment: bytes | None = None


class Host(Protocol):
    """Answers a guest's requests; one object per call, made with that call's grants. Arguments are hostile."""

    async def answer(self, request: HostRequest) -> HostAnswer:
        """Do what is asked. A NotochordError goes back to the guest as an Error with its code and detail."""

    def log(self, text: str) -> None:
        """Take a line that the guest wrote to its console; capped and cleaned of control characters already."""


@dataclass(frozen=True, slots=True)
class GuestCall:
    """One call: `module` is a path in the instance's folder whose default export is run on (input, ctx).

    `namespaces` are the parts of `ctx` that the call's grants open (files, storage.kv, http …); `seconds` limits its
    time, 0 for no limit.
    """

    context: GrantContext
    module: str
    input: Json
    namespaces: tuple[str, ...]
    idempotency_key: str
    caller: Caller
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ProcedureCall:
    """A procedure of the guest's own program ("migration", "wasm"), which runs code that it asks its host for.

    It runs in a process of its own that can read nothing; unless it is `compiled`, nothing in it becomes machine code.
    `id` names the process; `name` is also the namespace in which it asks its host. `seconds` limits its time, 0 for no
    limit.
    """

    id: str
    name: str
    input: Json
    caller: Caller
    compiled: bool = False
    seconds: float = 0.0


class Sandbox(Protocol):
    """Starts, reuses, watches and ends guests."""

    async def call(self, call: GuestCall, host: Host) -> Json:
        """Run a call and return its value. Cancelling the task stops it, killing the process if it will not stop.

        Raises NotochordError: TOOL_FAILED (the code threw; `detail` has its message), GUEST_CRASHED, GUEST_MEMORY,
        GUEST_PROTOCOL, GUEST_START, TIMEOUT, PAYLOAD_TOO_LARGE (a value over MAX_RESULT_CHARACTERS).
        """

    async def run_procedure(self, call: ProcedureCall, host: Host) -> Json:
        """Run a procedure to its end, then end its process. Cancelling the task does too. Raises as `call` does."""

    async def stop(self, instance: str) -> None:
        """End every process of an instance (upgraded, removed, changed on disk)."""

    async def close(self) -> None:
        """End every guest."""

    def wall(self) -> str:
        """Say in one line how strong the second wall is on this system."""
