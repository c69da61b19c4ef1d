"""Runs a gem's migration functions in a guest that sees neither time nor chance, and can reach nothing."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from notochord.core.caller import Actor, Caller
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker
from notochord.core.strict_json import Json, decode
from notochord.services.data.api import Batches, Migrate, MigrationJob
from notochord.services.gems.guest_arguments import refused
from notochord.services.sandbox.api import HostAnswer, HostRequest, ProcedureCall, Sandbox

PROCEDURE = "migration"
MAX_SOURCE_BYTES = 4 * 1_048_576
MAX_BATCH_BYTES = 64 * 1_048_576

_CALLER = Caller(Actor.SYSTEM, "migration")


class GuestMigrations:
    """Makes what runs the migrations of the package in a folder."""

    def __init__(self, sandbox: Sandbox, clock: Clock) -> None:
        self._sandbox = sandbox
        self._ids = IdMaker(clock)

    def of(self, folder: Path) -> Migrate:
        async def migrate(job: MigrationJob, batches: Batches) -> None:
            source = await asyncio.to_thread(_source, folder / job.module)
            given: Json = {"source": source, "typed": job.module.endswith(".ts"), "steps": list(job.steps)}
            host = MigrationHost(batches)
            try:
                await self._sandbox.run_procedure(
                    ProcedureCall(f"migration {self._ids.new()}", PROCEDURE, given, _CALLER), host
                )
            except NotochordError as error:
                raise (host.failure or _schema_error(f"{job.module}: {error.detail}")) from error

        return migrate


class MigrationHost:
    """Gives a guest its batches and takes the results, in as many pieces as it likes; both are lines of JSON."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self._out = 0
        self._size = 0
        self._back: list[tuple[str, Json]] = []
        self.failure: NotochordError | None = None

    async def answer(self, request: HostRequest) -> HostAnswer:
        try:
            match request.target:
                case "migration.next":
                    return await self._next()
                case "migration.put":
                    await self._put(request.attachment or b"")
                    return HostAnswer(None)
                case _:
                    raise refused(f"{request.target[:64]!r} is not open to a migration")
        except NotochordError as error:
            self.failure = error
            raise

    def log(self, text: str) -> None:
        return None

    async def _next(self) -> HostAnswer:
        if self._back:
            raise refused("a batch is not finished")
        batch = await self._batches.next()
        self._out, self._size = len(batch), 0
        lines = [f"{identifier} {data}" for identifier, data in batch]
        return HostAnswer(len(batch), "\n".join(lines).encode())

    async def _put(self, content: bytes) -> None:
        self._size += len(content)
        if self._size > MAX_BATCH_BYTES:
            raise _schema_error(f"a batch gives more than {MAX_BATCH_BYTES} bytes")
        for line in content.splitlines():
            identifier, _, data = line.partition(b" ")
            self._back.append((identifier.decode("utf-8", "replace"), _decoded(data)))
        if len(self._back) >= self._out:
            back: Sequence[tuple[str, Json]] = self._back
            self._back = []
            await self._batches.put(back)


def _decoded(content: bytes) -> Json:
    try:
        return decode(content)
    except (ValueError, json.JSONDecodeError) as error:
        raise _schema_error(f"a step returned what is not JSON: {error}") from error


def _source(path: Path) -> str:
    try:
        content = path.read_bytes()
        if len(content) > MAX_SOURCE_BYTES:
            raise _schema_error(f"{path.name} is over {MAX_SOURCE_BYTES} bytes")
        return content.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise _schema_error(f"{path.name} cannot be read") from error


def _schema_error(detail: str) -> NotochordError:
    return NotochordError(Code.DATA_SCHEMA, Fault.USER, detail, reason=detail)
