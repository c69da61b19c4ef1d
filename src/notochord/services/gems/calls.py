"""Runs a tool of an installed gem: arguments, files checked, a guest with the recorded rights, the run's folder."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakKeyDictionary

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker
from notochord.core.strict_json import Json, encode
from notochord.services.data.api import Data, Source
from notochord.services.egress.api import Egress, HostGrant
from notochord.services.extract.api import Extract
from notochord.services.files.api import Files
from notochord.services.gem_logs.api import GemLogs
from notochord.services.gems import wasm_tools
from notochord.services.gems.account_rights import AccountRights
from notochord.services.gems.console import CallConsole
from notochord.services.gems.db_declarations import script_of
from notochord.services.gems.failures import Failures
from notochord.services.gems.grants.store import GrantStore
from notochord.services.gems.host import GemHost, Part
from notochord.services.gems.host_email import GuestEmail
from notochord.services.gems.host_extract import GuestExtract
from notochord.services.gems.host_files import RunFiles
from notochord.services.gems.host_http import GuestHttp
from notochord.services.gems.host_knowledge import GuestKnowledge
from notochord.services.gems.host_llm import Answering, GuestLlm
from notochord.services.gems.host_resources import GuestResources
from notochord.services.gems.host_sql import GuestSql
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.manifest import ToolRecord
from notochord.services.gems.ports import Knowledge, Mail
from notochord.services.gems.records import Record, Records
from notochord.services.gems.resource_declarations import ResourceRecord, resources_of
from notochord.services.gems.resources import GemResources
from notochord.services.gems.work import Work
from notochord.services.raw_databases.api import RawDatabases, RawSource
from notochord.services.sandbox.api import GemInstance, GrantContext, GuestCall, ProcedureCall, Sandbox
from notochord.services.tools.api import ToolDefinition, Tools

StoreFolder = Callable[[str], Path]


def source_of(record: Record, folder: Path) -> Source:
    """Return a gem as the owner of its data; the folder of its files stamps each installation."""
    return Source(owner_of(record.id), folder, record.manifest.raw.get("data"), record.folder)


def raw_source_of(record: Record, folder: Path, code: Path) -> RawSource:
    """Return a gem as the owner of its raw database; `code` is where its package lies."""
    return RawSource(owner_of(record.id), folder, record.folder, script_of(record.manifest.files, code))


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Where a call belongs: its work, its folder, and what it is owed to; `seconds` limits it, 0 does not.

    Without a workspace `folder` is the gem's data folder, where the folders of such runs are (PERM-108, GEMOPEN-061).
    `run` is the path of a run's folder that the call shares with its caller; without one it gets its own. `more` are
    parts of `ctx` that only this call has.
    """

    work: Work
    folder: Path
    cause: Cause
    seconds: float = 0.0
    has_workspace: bool = True
    run: str = ""
    more: tuple[Part, ...] = ()


def owner_of(gem: str) -> str:
    """Return the name under which a gem's data and its key are kept."""
    return f"gem:{gem}"


@dataclass(frozen=True, slots=True)
class CallParts:
    """What calls of tools stand on. `store_folder` returns the data folder of a gem."""

    records: Records
    failures: Failures
    data: Data
    raw: RawDatabases
    files: Files
    egress: Egress
    models: Answering
    extract: Extract
    resources: GemResources
    sandbox: Sandbox
    tools: Tools
    logs: GemLogs
    clock: Clock
    ids: IdMaker
    store_folder: StoreFolder
    grants: GrantStore
    accounts: AccountRights
    mail: Mail
    knowledge: Knowledge


@dataclass(frozen=True, slots=True)
class _Standing:
    """A gem as installed, to those who keep its data and run its code."""

    source: Source
    raw: RawSource
    instance: GemInstance
    resources: tuple[ResourceRecord, ...]
    grants: dict[str, str]
    """The rights of each tool, in one text."""


class ToolCalls:
    """Runs tools."""

    def __init__(self, *, library: Library, parts: CallParts) -> None:
        self._library = library
        self._parts = parts
        self._standings: WeakKeyDictionary[InstalledGem, _Standing] = WeakKeyDictionary()

    async def run(self, gem: InstalledGem, tool: ToolRecord, arguments: Json, place: CallPlace) -> Json:
        """Run a tool and return its value, with the run's folder if files are left there (PERM-080, PERM-082).

        Raises NotochordError: TOOL_ARGUMENTS, FILES_CHANGED, and as the sandbox and the gem's store do.
        """
        given = self._checked(gem, tool, arguments)
        await self._library.verify(gem)
        caller = Caller(Actor.GEM, gem.record.id, place.cause)
        console = CallConsole(self._parts.logs, self._parts.clock, gem=gem.record.id, tool=tool.name)
        if tool.entry.endswith(wasm_tools.SUFFIX):
            return await self._run_wasm(gem, tool, given, caller, console, place.seconds)
        host = await self._host(gem, tool, place, caller, console)
        call = GuestCall(
            context=self._context(gem, tool, place),
            module=tool.entry,
            input=given,
            namespaces=host.namespaces,
            idempotency_key=self._idempotency_key(place.cause),
            caller=caller,
            seconds=place.seconds,
        )
        if self._library.get(gem.record.id) is not gem:
            detail = "the gem was upgraded or removed just now; call again"
            raise NotochordError(Code.CANCELLED, Fault.USER, detail)
        try:
            value = await self._parts.sandbox.call(call, host)
        except BaseException as failure:
            await host.end(failure)
            await self._parts.failures.count(gem.record.id, gem.record.folder, tool.name, failure)
            raise
        folder = await host.end()
        return {"output": value, "folder": folder} if folder else value

    async def _host(
        self, gem: InstalledGem, tool: ToolRecord, place: CallPlace, caller: Caller, console: CallConsole
    ) -> GemHost:
        """Open what the gem has stored, and return what answers the code during the call."""
        standing = self._standing(gem)
        store = await self._parts.data.store(standing.source)
        await self._start(gem, standing.raw)
        files = RunFiles(
            self._parts.files,
            folder=place.folder,
            name=tool.name,
            cause=place.cause,
            shared=place.run,
            has_workspace=place.has_workspace,
        )
        return GemHost(
            files=files,
            store=store,
            sql=GuestSql(self._parts.raw, standing.raw),
            http=self._http(gem, tool, caller, place.work),
            llm=GuestLlm(self._parts.models, caller=caller) if tool.llm else None,
            console=console,
            extract=self._extracting(gem, tool, files, caller),
            resources=self._resources_of(gem),
            caller=caller,
            more=[*self._of_the_user(gem, tool), *place.more],
        )

    def _of_the_user(self, gem: InstalledGem, tool: ToolRecord) -> list[Part]:
        """Return the parts that reach what is the user's, for a tool with the switch (MAN-052, TOOL-086)."""
        manifest = gem.record.manifest
        parts: list[Part] = []
        if tool.knowledge:
            parts.append(GuestKnowledge(self._parts.grants, manifest, self._parts.knowledge))
        if tool.email:
            parts.append(GuestEmail(self._parts.mail, self._parts.grants, gem=manifest.id))
        return parts

    async def _run_wasm(
        self,
        gem: InstalledGem,
        tool: ToolRecord,
        given: Json,
        caller: Caller,
        console: CallConsole,
        seconds: float,
    ) -> Json:
        call = ProcedureCall(
            f"wasm {self._parts.ids.new()}", wasm_tools.PROCEDURE, given, caller, compiled=True, seconds=seconds
        )
        record = gem.record.files[tool.entry]
        try:
            return await wasm_tools.run_wasm(self._parts.sandbox, call, gem.folder / tool.entry, record)
        except NotochordError as failure:
            await console.keep(failure)
            await self._parts.failures.count(gem.record.id, gem.record.folder, tool.name, failure)
            raise

    def _standing(self, gem: InstalledGem) -> _Standing:
        """Return what is the same in all calls of a gem as installed now."""
        found = self._standings.get(gem)
        if found is None:
            store = self._parts.store_folder(gem.record.id)
            found = self._standings[gem] = _Standing(
                source_of(gem.record, store),
                raw_source_of(gem.record, store, gem.folder),
                GemInstance(
                    id=gem.record.instance, code=gem.folder, resources=self._parts.resources.folder(gem.record.id)
                ),
                resources_of(gem.record.manifest.raw),
                {tool.name: _canonical_grants(gem, tool) for tool in gem.record.manifest.tools},
            )
        return found

    async def _start(self, gem: InstalledGem, raw: RawSource) -> None:
        """Open the raw database of a gem that brings a script for it; without it the gem does not start (PKG-012)."""
        try:
            await self._parts.raw.start(raw)
        except NotochordError as error:
            if error.code is not Code.CANCELLED:
                gem.state = error.code.value
            raise

    def _checked(self, gem: InstalledGem, tool: ToolRecord, arguments: Json) -> dict[str, Json]:
        """Hold the arguments against the whole schema; models are shown less of it."""
        definition = ToolDefinition(tool.name, tool.description, gem.schema(tool.name), tool.side_effect)
        return self._parts.tools.check(definition, arguments)

    def _idempotency_key(self, cause: Cause) -> str:
        """Return the same text for the same step of a run, and a fresh one for every other call (TOOL-019, TOOL-020).

        What names the step of a conversation is the call's id, which providers choose and use again.
        """
        return f"{cause.run}/{cause.step}" if cause.run and cause.step else self._parts.ids.new()

    def _context(self, gem: InstalledGem, tool: ToolRecord, place: CallPlace) -> GrantContext:
        standing = self._standing(gem)
        return GrantContext(instance=standing.instance, grants=standing.grants[tool.name], scope=place.work.scope)

    def _http(self, gem: InstalledGem, tool: ToolRecord, caller: Caller, work: Work) -> GuestHttp | None:
        grant = _grant(gem, tool)
        if grant is None:
            return None
        manifest = gem.record.manifest
        return GuestHttp(
            self._parts.egress,
            grant=grant,
            caller=caller,
            connection_of=lambda slot: self._parts.accounts.account(manifest, slot, work),
        )

    def _extracting(self, gem: InstalledGem, tool: ToolRecord, files: RunFiles, caller: Caller) -> GuestExtract:
        return GuestExtract(
            self._parts.extract, files=files, egress=self._parts.egress, grant=_grant(gem, tool), caller=caller
        )

    def _resources_of(self, gem: InstalledGem) -> GuestResources | None:
        """Return the files of a gem that declares some (TOOL-114)."""
        declared = self._standing(gem).resources
        return GuestResources(self._parts.resources, gem=gem.record.id, declared=declared) if declared else None


def _grant(gem: InstalledGem, tool: ToolRecord) -> HostGrant | None:
    """Return which hosts a tool may reach by the record; None for one that asked for no network (GEMOPEN-026)."""
    network = gem.record.manifest.network
    return HostGrant(network.hosts, network.local) if tool.network and network is not None else None


def _canonical_grants(gem: InstalledGem, tool: ToolRecord) -> str:
    switches = {"llm": tool.llm, "knowledge": tool.knowledge, "email": tool.email}
    grants: dict[str, Json] = {name: True for name, on in switches.items() if on}
    if (grant := _grant(gem, tool)) is not None:
        hosts: list[Json] = list(sorted(set(grant.hosts)))
        grants["network"] = {"hosts": hosts, "local": grant.local}
    return encode(grants)
