"""Answers what the code of a gem asks for during one call, within the rights recorded at installation."""

from collections.abc import Sequence
from typing import Protocol

from notochord.core.caller import Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.data.api import OwnerStore
from notochord.services.gems.console import CallConsole
from notochord.services.gems.guest_arguments import GuestArguments
from notochord.services.gems.host_data import GuestData
from notochord.services.gems.host_extract import GuestExtract
from notochord.services.gems.host_files import RunFiles
from notochord.services.gems.host_http import GuestHttp
from notochord.services.gems.host_llm import GuestLlm
from notochord.services.gems.host_resources import GuestResources
from notochord.services.gems.host_sql import NAMESPACE as SQL
from notochord.services.gems.host_sql import GuestSql
from notochord.services.sandbox.api import HostAnswer, HostRequest

_KEY = frozenset({"key"})
_PAIR = frozenset({"key", "value"})
_MAX_VALUE_CHARACTERS = 2 * 1_048_576
"""Only a first bound: the store counts bytes."""


class Part(Protocol):
    """A part of `ctx` that a call has."""

    @property
    def namespace(self) -> str: ...

    async def answer(self, request: HostRequest) -> HostAnswer | None:
        """Do what is asked; None for a target that belongs to another part."""


class GemHost:
    """The host of one call. After `end` all is refused.

    `http` and `llm` are None for a tool without the permission, `resources` for one of a gem that declares none.
    `more` are the other parts that the call has.
    """

    def __init__(
        self,
        *,
        files: RunFiles,
        store: OwnerStore,
        sql: GuestSql,
        extract: GuestExtract,
        http: GuestHttp | None,
        llm: GuestLlm | None,
        resources: GuestResources | None,
        console: CallConsole,
        caller: Caller,
        more: Sequence[Part] = (),
    ) -> None:
        self._files = files
        self._store = store
        self._sql = sql
        self._http = http
        self._llm = llm
        self._console = console
        self._extract = extract
        self._resources = resources
        self._caller = caller
        self._data = GuestData(store, caller)
        self._more = more
        self._ended = False

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The parts of `ctx` that this call has."""
        granted = {"http": self._http, "llm": self._llm, "resources": self._resources}
        opened = (name for name, part in granted.items() if part is not None)
        own = ("files", "storage.kv", SQL, "data", "extract")
        return (*own, *opened, *(part.namespace for part in self._more))

    async def answer(self, request: HostRequest) -> HostAnswer:
        if self._ended:
            raise _denied("the call is over")
        if (answer := await self._own(request)) is not None:
            return answer
        for part in (self._files, self._data, self._sql, self._extract):
            if (answer := await part.answer(request)) is not None:
                return answer
        for other in self._more:
            if (answer := await other.answer(request)) is not None:
                return answer
        raise _denied(f"{request.target[:64]!r} is not open to this tool")

    async def _own(self, request: HostRequest) -> HostAnswer | None:
        """Do what no other part does: key-value pairs before all, which are asked for the most often."""
        match request.target:
            case "storage.kv.get":
                arguments = GuestArguments(request.target, request.arguments, _KEY)
                return HostAnswer(await self._store.kv_get(arguments.text("key")))
            case "storage.kv.set":
                arguments = GuestArguments(request.target, request.arguments, _PAIR)
                value = arguments.text("value", limit=_MAX_VALUE_CHARACTERS)
                await self._store.kv_set(arguments.text("key"), value, self._caller)
                return HostAnswer(None)
            case "http.fetch" if self._http is not None:
                return await self._http.fetch(request)
            case "llm.complete" if self._llm is not None:
                return await self._llm.complete(request)
            case "resources.path" if self._resources is not None:
                return await self._resources.path(request)
            case _:
                return None

    def log(self, text: str) -> None:
        self._console.write(text)

    async def end(self, failure: BaseException | None = None) -> str:
        """Refuse what is still to come, and clean up; return the run's folder if files are left in it."""
        self._ended = True
        try:
            return await self._files.end(succeeded=failure is None)
        finally:
            await self._console.keep(failure)


def _denied(detail: str) -> NotochordError:
    return NotochordError(Code.PERM_DENIED, Fault.GUEST, detail)
