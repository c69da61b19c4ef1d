"""Runs a draft's own tests in guests like those of an installed gem, but on empty storage and without network."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from notochord.core.caller import Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, encode
from notochord.core.tasks import finish
from notochord.services.egress.api import Egress, Leave, NetworkRules, Request, Response
from notochord.services.gem_authoring.api import DraftTest
from notochord.services.gems.api import Trust
from notochord.services.gems.calls import CallParts, CallPlace, ToolCalls, owner_of
from notochord.services.gems.draft_checks import check_draft
from notochord.services.gems.host_tools import GuestTools
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.manifest import RESERVED_PREFIX, Manifest, ToolRecord, read
from notochord.services.gems.package_folders import PackageFolders
from notochord.services.gems.packing import Assembled, assemble
from notochord.services.gems.ports import NoKnowledge, NoMail
from notochord.services.gems.problems import refusal
from notochord.services.gems.records import Record
from notochord.services.gems.work import Work, WorkKind
from notochord.services.models.api import ModelChoice, ModelEvent, ModelRequest
from notochord.services.tools.api import SideEffect

SECONDS = 30.0
"""How long one test may take."""

SUFFIXES = (".test.ts", ".test.js", ".test.mjs")

_RUNNERS = ".runners"
_RUNNER = """import * as tests from {module};

export default async function run(input, ctx) {{
  const names = Object.keys(tests).filter((name) => typeof tests[name] === "function");
  if (input.name === undefined) return names;
  await tests[input.name](ctx);
  return null;
}}
"""


class NoNetwork:
    """Takes the place of the gateway in tests: whatever is asked for is refused."""

    def __init__(self, egress: Egress) -> None:
        self._egress = egress

    async def fetch(self, request: Request) -> Response:
        raise NotochordError(Code.PERM_DENIED, Fault.GUEST, "tests have no network; give the tool a ctx of your own")

    def check(self, url: str, leave: Leave) -> None:
        self._egress.check(url, leave)

    def rules(self) -> NetworkRules:
        return self._egress.rules()

    def normal_entry(self, entry: str, *, local: bool) -> str:
        return self._egress.normal_entry(entry, local=local)

    async def change_rules(self, rules: NetworkRules) -> None:
        raise NotochordError(Code.PERM_DENIED, Fault.GUEST, "tests change no rules")


class NoModels:
    """Takes the place of the gateway to models in tests, which cost nobody money."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        raise _no_model()

    async def choose(self) -> ModelChoice:
        raise _no_model()


@dataclass(frozen=True, slots=True)
class _Trial:
    """A draft laid out to be run: its files and tests, with one runner beside its own tools for each file of tests."""

    gem: InstalledGem
    folder: Path
    files: Mapping[str, ToolRecord]
    tools: Mapping[str, ToolRecord]


class DraftTests:
    """Runs tests. What an interrupted run leaves is cleared away at the next start, as for a removed gem."""

    def __init__(self, *, parts: CallParts, folders: PackageFolders, clock: Clock) -> None:
        self._records = parts.records
        self._data = parts.data
        self._raw = parts.raw
        self._logs = parts.logs
        self._files = parts.files
        self._sandbox = parts.sandbox
        self._ids = parts.ids
        self._store_folder = parts.store_folder
        self._folders = folders
        self._clock = clock
        self._library = Library(parts.sandbox)
        # Apart from the store, which is emptied after each test: guests keep their hold on this very folder.
        self._resources = parts.resources.elsewhere(folders.scratch)
        shut = replace(
            parts,
            egress=NoNetwork(parts.egress),
            models=NoModels(),
            mail=NoMail(),
            knowledge=NoKnowledge(),
            resources=self._resources,
        )
        self._calls = ToolCalls(library=self._library, parts=shut)

    async def run(self, draft: Path) -> tuple[DraftTest, ...]:
        """See `Gems.test`."""
        if problems := await asyncio.to_thread(check_draft, draft, self._data.faults):
            raise refusal(problems)
        assembled = await asyncio.to_thread(assemble, draft)
        if not any(path.endswith(SUFFIXES) for path in assembled.tests):
            raise NotochordError(Code.NOT_FOUND, Fault.USER, "the draft has no tests", why="why.gem_no_tests")
        async with self._laid_out(assembled) as trial:
            outcomes = [one for file in trial.files for one in await self._run_file(trial, file)]
        return tuple(outcomes)

    async def _run_file(self, trial: _Trial, file: str) -> list[DraftTest]:
        try:
            names = await self._call(trial, file, {})
        except NotochordError as error:
            return [DraftTest(file, "", error.code, error.detail)]
        if isinstance(names, dict):  # the module wrote files while it was loaded
            names = names.get("output")
        shown = [str(name) for name in names] if isinstance(names, list) else []
        return [await self._run_one(trial, file, name) for name in shown]

    async def _run_one(self, trial: _Trial, file: str, name: str) -> DraftTest:
        try:
            await self._call(trial, file, {"name": name})
        except NotochordError as error:
            return DraftTest(file, name, error.code, error.detail)
        return DraftTest(file, name)

    async def _call(self, trial: _Trial, file: str, arguments: Json) -> Json:
        """Run a runner in an empty conversation folder and on an empty store."""
        gem = trial.gem.record.id
        folder = trial.folder / self._ids.new()
        await asyncio.to_thread(folder.mkdir, parents=True)
        place = CallPlace(Work(WorkKind.DRAFT_TEST, gem), folder, Cause(conversation=gem), SECONDS)

        async def call(name: str, given: Json) -> Json:
            return await self._calls.run(trial.gem, trial.tools[name], given, place)

        runner = replace(place, more=(GuestTools(frozenset(trial.tools), call),))
        try:
            return await self._calls.run(trial.gem, trial.files[file], arguments, runner)
        finally:
            await finish(self._forget(gem))

    @asynccontextmanager
    async def _laid_out(self, assembled: Assembled) -> AsyncIterator[_Trial]:
        identifier = f"{RESERVED_PREFIX}{self._ids.new()}"
        scratch = self._folders.new_scratch()
        await self._records.begin(identifier)
        try:
            trial = await asyncio.to_thread(self._lay_out, assembled, identifier, scratch)
            self._library.put(trial.gem)
            yield trial
        finally:
            await finish(self._clear(identifier, scratch))

    async def _clear(self, identifier: str, scratch: Path) -> None:
        gem = self._library.get(identifier)
        self._library.drop(identifier)
        if gem is not None:
            await self._sandbox.stop(gem.record.instance)
        await self._resources.halt(identifier)
        await asyncio.to_thread(self._folders.delete, self._folders.scratch(identifier))
        await self._forget(identifier)
        await self._files.forget(identifier)
        await asyncio.to_thread(self._folders.delete, scratch)
        await self._records.finish(identifier)

    async def _forget(self, gem: str) -> None:
        """Destroy what was stored."""
        await self._logs.forget(gem)
        await self._raw.remove(owner_of(gem))
        await self._data.remove(owner_of(gem), self._store_folder(gem))

    def _lay_out(self, assembled: Assembled, identifier: str, scratch: Path) -> _Trial:
        code = scratch / "code"
        tests = sorted(path for path in assembled.tests if path.endswith(SUFFIXES))
        runners = {test: f"{_RUNNERS}/{number}.js" for number, test in enumerate(tests)}
        written = {**assembled.files, **assembled.tests}
        written |= {runner: _RUNNER.format(module=encode(f"../{test}")).encode() for test, runner in runners.items()}
        for path, content in written.items():
            (code / path).parent.mkdir(parents=True, exist_ok=True)
            (code / path).write_bytes(content)
        self._folders.seal(code)
        manifest = read(assembled.manifest)
        files = {test: _as_tool(number, runners[test], manifest) for number, test in enumerate(tests)}
        record = Record(
            manifest=replace(manifest, id=identifier, tools=(*manifest.tools, *files.values())),
            trust=Trust.UNSIGNED,
            folder=scratch.name,
            files=self._folders.files_in(code, written),
            installed_at=self._clock.milliseconds(),
        )
        tools = {tool.name: tool for tool in manifest.tools}
        return _Trial(InstalledGem(record, code), scratch / "conversations", files, tools)


def _no_model() -> NotochordError:
    return NotochordError(Code.PERM_DENIED, Fault.GUEST, "tests ask no model; give the tool a ctx of your own")


def _as_tool(number: int, runner: str, manifest: Manifest) -> ToolRecord:
    """Return a runner as a tool with all that the gem may do; requests are refused when they are made.

    No tool of a draft can have its name.
    """
    return ToolRecord(
        name=f"tests-{number}",
        entry=runner,
        description="Runs tests.",
        schema={"type": "object"},
        side_effect=SideEffect.WRITE,
        exposed=False,
        network=manifest.network is not None,
        llm=manifest.llm,
        knowledge=bool(manifest.knowledge),
        email=manifest.email,
    )
