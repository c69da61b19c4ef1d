"""A gems service on real stores, with guests, files and network played by simple stand-ins, and gems to install."""

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nacl.signing import SigningKey

from notochord.adapters.extraction.worker import ExtractionChildren
from notochord.adapters.raw_databases.launcher import RawChildren
from notochord.core.caller import Cause
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.paths import OrganizationFolder
from notochord.core.strict_json import Json
from notochord.persistence.database import Database
from notochord.services.approvals.component import COMPONENT as APPROVALS
from notochord.services.approvals.service import ApprovalService
from notochord.services.data.service import DataService
from notochord.services.egress.api import Egress, Gateway, Leave, NetworkRules, OutsideMode, Request, Response, Stream
from notochord.services.extract.ports import Reader
from notochord.services.extract.service import ExtractService
from notochord.services.files.api import Entry, EntryType, Files, Root
from notochord.services.gem_logs.component import COMPONENT as LOGS
from notochord.services.gem_logs.service import StoredGemLogs
from notochord.services.gems.component import COMPONENT
from notochord.services.gems.grants.component import COMPONENT as GRANTS
from notochord.services.gems.packing import pack
from notochord.services.gems.ports import Knowledge, Mail
from notochord.services.gems.service import GemService
from notochord.services.gems.signatures import DeveloperKey, TrustedKeys, key_id
from notochord.services.raw_databases.service import RawDatabaseService
from notochord.services.sandbox.api import GuestCall, Host, HostRequest, ProcedureCall, Sandbox
from notochord.services.tools.registry import ToolRegistry
from notochord.services.vault.api import Grants
from support.accounts import MemoryGrants
from support.clocks import HandClock
from support.extraction import COMMAND as EXTRACTION
from support.raw_databases import COMMAND
from support.scripted_models import ScriptedModels
from support.settings import MemorySettings
from support.vaults import MemoryVault

KEY = bytes(range(32))
OFFICIAL = SigningKey(b"o" * 32)
DEVELOPER = SigningKey(b"d" * 32)
STRANGER = SigningKey(b"s" * 32)

Tool = Callable[[Json, Host], Awaitable[Json]]


def public(key: SigningKey) -> dict[str, bytes]:
    return {key_id(bytes(key.verify_key)): bytes(key.verify_key)}


def trusted_for(key: SigningKey, *publishers: str, prefix: str = "") -> dict[str, tuple[DeveloperKey, ...]]:
    """Return a developer's key as one that is trusted for these publishers."""
    raw = bytes(key.verify_key)
    return {key_id(raw): tuple(DeveloperKey(raw, publisher, prefix) for publisher in publishers)}


FAULTS = DataService(vault=MemoryVault(), clock=HandClock(), device="").faults
"""What is wrong with a `data` section."""

TRUSTED = TrustedKeys(official=public(OFFICIAL), developers=trusted_for(DEVELOPER, "anna", "eve"))


def tool(name: str = "greet", **changes: Any) -> dict[str, Any]:
    """Return an entry of `tools`."""
    schema = {"type": "object", "properties": {"who": {"type": "string"}}}
    plain = {"name": name, "entry": "tools/greet.ts", "description": f"Does {name}.", "inputSchema": schema}
    return {**plain, "expose": True, **changes}


def sop(name: str = "digest", **changes: Any) -> dict[str, Any]:
    """Return an entry of `workflows`, whose code is `SOP_FILE`."""
    plain = {
        "name": name,
        "entry": "workflows/digest.js",
        "description": f"Does {name}.",
        "inputSchema": {"type": "object"},
    }
    return {**plain, **changes}


SOP_FILE: Mapping[str, str] = {
    "workflows/digest.js": "export default async (input, ctx) => ctx.call('tool.greet', input);\n"
}


def manifest(**changes: Any) -> dict[str, Any]:
    """Return a manifest without its generated parts."""
    plain: dict[str, Any] = {
        "id": "greeter",
        "name": "Greeter",
        "version": "1.0.0",
        "author": {"name": "Anna", "publisherId": "anna"},
        "description": "Greets people.",
        "tools": [tool()],
    }
    return {**plain, **changes}


FILES: Mapping[str, str] = {"tools/greet.ts": "export default () => 1;\n"}


def draft(folder: Path, content: dict[str, Any] | None = None, files: Mapping[str, str] = FILES) -> Path:
    """Write the folder of a gem."""
    for path, text in {"notochord.json": json.dumps(content or manifest()), **files}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def rezipped(package: bytes, change: Callable[[dict[str, bytes]], object]) -> bytes:
    """Return a package whose files were changed in a dictionary, with sound checksums of the zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(buffer, "w") as target:
        files = {name: source.read(name) for name in source.namelist()}
        change(files)
        for name, content in files.items():
            target.writestr(name, content)
    return buffer.getvalue()


@dataclass
class PackageMaker:
    """Makes packages below a folder."""

    folder: Path
    made: int = 0

    def make(
        self,
        content: dict[str, Any] | None = None,
        files: Mapping[str, str] = FILES,
        *,
        key: SigningKey | None = OFFICIAL,
    ) -> Path:
        self.made += 1
        source = draft(self.folder / f"draft{self.made}", content, files)
        return self.keep(pack(source, key=key))

    def keep(self, content: bytes) -> Path:
        self.made += 1
        package = self.folder / f"package{self.made}.gem"
        package.parent.mkdir(parents=True, exist_ok=True)
        package.write_bytes(content)
        return package


class ScriptedSandbox:
    """Plays guests: `tools` has what a module does."""

    def __init__(self) -> None:
        self.tools: dict[str, Tool] = {}
        self.calls: list[GuestCall] = []
        self.stopped: list[str] = []

    async def call(self, call: GuestCall, host: Host) -> Json:
        self.calls.append(call)
        if call.module not in self.tools:
            return {"input": call.input}
        return await self.tools[call.module](call.input, host)

    async def run_procedure(self, call: ProcedureCall, host: Host) -> Json:
        """Play a migration that notes in each record that it was there."""
        while (batch := await host.answer(HostRequest("migration.next", {}, None))).value:
            records = [line.split(" ", 1) for line in (batch.attachment or b"").decode().split("\n")]
            lines = [f"{name} {json.dumps({**json.loads(data), 'migrated': True})}" for name, data in records]
            await host.answer(HostRequest("migration.put", {}, "\n".join(lines).encode()))
        return None

    async def stop(self, instance: str) -> None:
        self.stopped.append(instance)

    async def close(self) -> None:
        return None

    def wall(self) -> str:
        return "none"


class DiskFiles:
    """Plays the files service on the disk, without a history."""

    def place(self, root: Root, path: str) -> Path:
        parts = path.split("/") if path else []
        if path.startswith("/") or ".." in parts:
            raise NotochordError(Code.PATH_OUTSIDE, Fault.GUEST, path)
        if root.hide_dots and any(part.startswith(".") for part in parts):
            raise NotochordError(Code.PATH_INVALID, Fault.GUEST, path)
        return root.folder / path

    async def list(self, root: Root, path: str = "") -> Sequence[Entry]:
        folder = self.place(root, path)
        if not folder.is_dir():
            raise NotochordError(Code.FILE_MISSING, Fault.GUEST, path)
        shown = [item for item in sorted(folder.iterdir()) if not (root.hide_dots and item.name.startswith("."))]
        return [self._entry(item) for item in shown]

    async def stat(self, root: Root, path: str) -> Entry | None:
        place = self.place(root, path)
        return self._entry(place) if place.exists() else None

    async def read(self, root: Root, path: str, *, max_bytes: int) -> bytes:
        place = self.place(root, path)
        if not place.is_file():
            raise NotochordError(Code.FILE_MISSING, Fault.GUEST, path)
        return place.read_bytes()[:max_bytes]

    async def write(self, root: Root, path: str, content: bytes, cause: Cause) -> None:
        place = self.place(root, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)

    async def make_folder(self, root: Root, path: str, cause: Cause | None = None) -> None:
        self.place(root, path).mkdir(parents=True, exist_ok=True)

    async def forget(self, conversation: str) -> None:
        return None

    async def move(self, source: Root, path: str, target: Root, to: str, cause: Cause) -> None:
        place = self.place(target, to)
        if place.exists():
            raise NotochordError(Code.FILE_EXISTS, Fault.GUEST, to)
        place.parent.mkdir(parents=True, exist_ok=True)
        self.place(source, path).rename(place)

    async def delete(self, root: Root, path: str, cause: Cause) -> None:
        self.place(root, path).unlink()

    async def take_in(self, root: Root, source: Path, cause: Cause) -> str:
        raise AssertionError("no gem takes files in")

    async def new_run_folder(self, root: Root, name: str) -> str:
        path = f"runs/{name}-20261130-090000"
        (root.folder / path).mkdir(parents=True)
        return path

    async def end_run_folder(self, root: Root, path: str, *, succeeded: bool) -> bool:
        folder = root.folder / path
        if succeeded and (folder / "tmp").exists():
            for item in (folder / "tmp").iterdir():
                item.unlink()
            (folder / "tmp").rmdir()
        if any(folder.iterdir()):
            return True
        folder.rmdir()
        return False

    async def check_choice(self, folder: Path) -> Path:
        if not await asyncio.to_thread(folder.is_dir):
            raise NotochordError(Code.FOLDER_REFUSED, Fault.POLICY, "", folder=str(folder), reason="missing")
        return folder

    def _entry(self, place: Path) -> Entry:
        kind = EntryType.FOLDER if place.is_dir() else EntryType.FILE
        return Entry(place.name, kind, place.stat().st_size, 1_000)


@dataclass
class RecordingEgress:
    """Plays the gateway: keeps the requests and gives one answer."""

    response: Response = field(default_factory=lambda: Response(200, "https://api.example.com/", (), b"{}"))
    requests: list[Request] = field(default_factory=list)

    async def fetch(self, request: Request) -> Response:
        self.requests.append(request)
        return self.response

    def check(self, url: str, leave: Leave) -> None:
        return None

    def rules(self) -> NetworkRules:
        return NetworkRules(OutsideMode.BLOCK, (), (), ())

    def normal_entry(self, entry: str, *, local: bool) -> str:
        return entry

    async def change_rules(self, rules: NetworkRules) -> None:
        return None


class NoDownloads:
    """Plays the gateway's other side, which answers nobody."""

    async def open(self, request: Request) -> Stream:
        raise NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK, "no network here", host="")


@dataclass
class Platform:
    """The service and what it stands on."""

    service: GemService
    folder: OrganizationFolder
    vault: MemoryVault
    data: DataService
    raw: RawDatabaseService
    sandbox: ScriptedSandbox
    egress: RecordingEgress
    bus: EventBus
    models: ScriptedModels
    settings: MemorySettings


@asynccontextmanager
async def platform(
    home: Path,
    *,
    vault: MemoryVault | None = None,
    keys: TrustedKeys = TRUSTED,
    boundary: Callable[[str], None] = lambda name: None,
    guests: Sandbox | None = None,
    files: Files | None = None,
    gateway: Egress | None = None,
    downloads: Gateway | None = None,
    reader: Reader | None = None,
    mail: Mail | None = None,
    knowledge: Knowledge | None = None,
    account_grants: Grants | None = None,
) -> AsyncIterator[Platform]:
    """Open the service over the organization in `home`, new or as an earlier one left it.

    `guests`, `files`, `gateway` and `downloads` take the place of the stand-ins, `reader` that of the real child.
    """
    folder = OrganizationFolder(home)
    await asyncio.to_thread(home.mkdir, parents=True, exist_ok=True)
    vault = vault or MemoryVault()
    database = await Database.open(folder.main_database, KEY, (COMPONENT, GRANTS, APPROVALS, LOGS))
    data = DataService(vault=vault, clock=HandClock(), device="here", boundary=boundary)
    raw = RawDatabaseService(vault=vault, launcher=RawChildren(command=COMMAND), clock=SystemClock(), boundary=boundary)
    sandbox, egress, bus, models = ScriptedSandbox(), RecordingEgress(), EventBus(), ScriptedModels()
    clock, ids = HandClock(), IdMaker(HandClock())
    approvals = ApprovalService(database=database, clock=clock, ids=ids, events=bus)
    settings = MemorySettings()
    service = GemService(
        database=database,
        folder=folder,
        data=data,
        raw_databases=raw,
        files=files or DiskFiles(),
        egress=gateway or egress,
        downloads=downloads or NoDownloads(),
        extract=ExtractService(reader=reader or ExtractionChildren(command=EXTRACTION, folder=home)),
        models=models,
        sandbox=guests or sandbox,
        tools=ToolRegistry(approvals=approvals, clock=clock, ids=ids),
        approvals=approvals,
        settings=settings,
        logs=StoredGemLogs(database=database),
        account_grants=account_grants or MemoryGrants(),
        bus=bus,
        clock=clock,
        mail=mail,
        knowledge=knowledge,
        keys=keys,
        boundary=boundary,
    )
    try:
        await service.start()
        yield Platform(service, folder, vault, data, raw, sandbox, egress, bus, models, settings)
    finally:
        await service.close()
        await raw.close()
        await data.close()
        await database.close()
