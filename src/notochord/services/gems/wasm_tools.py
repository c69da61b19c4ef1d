"""Runs `.wasm` tools: the module's bytes go to a process of its own, which has no `ctx` and ends with the call."""

import asyncio
import hashlib
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.gems.integrity import changed
from notochord.services.gems.manifest import FileRecord
from notochord.services.sandbox.api import HostAnswer, HostRequest, ProcedureCall, Sandbox

PROCEDURE = "wasm"
SUFFIX = ".wasm"


class WasmHost:
    """Gives a process its module, and nothing else (TOOL-078)."""

    def __init__(self, code: bytes) -> None:
        self._code = code

    async def answer(self, request: HostRequest) -> HostAnswer:
        if request.target != "wasm.code":
            raise NotochordError(Code.PERM_DENIED, Fault.GUEST, f"{request.target[:64]!r} is not open to a .wasm tool")
        return HostAnswer(None, self._code)

    def log(self, text: str) -> None:
        return None


async def run_wasm(sandbox: Sandbox, call: ProcedureCall, file: Path, record: FileRecord) -> Json:
    """Run the module in `file`, which has to be as recorded. Raises FILES_CHANGED, and as the sandbox does."""
    return await sandbox.run_procedure(call, WasmHost(await asyncio.to_thread(_code, file, record)))


def _code(file: Path, record: FileRecord) -> bytes:
    code = file.read_bytes()
    if (len(code), hashlib.sha256(code).hexdigest()) != (record.size, record.sha256):
        raise changed(file.name, "has other content")
    return code
