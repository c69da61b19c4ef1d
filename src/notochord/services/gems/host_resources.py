"""`ctx.resources` on this side: where a declared file is, once it is there."""

from collections.abc import Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.gems.guest_arguments import GuestArguments
from notochord.services.gems.resource_declarations import ResourceRecord
from notochord.services.gems.resources import GemResources
from notochord.services.sandbox.api import HostAnswer, HostRequest

_ID = frozenset({"id"})
_LONGEST = 64


class GuestResources:
    """The files of one gem, as its record declares them; nothing that a tool says leads to another."""

    def __init__(self, resources: GemResources, *, gem: str, declared: Sequence[ResourceRecord]) -> None:
        self._resources = resources
        self._gem = gem
        self._declared = {resource.id: resource for resource in declared}

    async def path(self, request: HostRequest) -> HostAnswer:
        """Return the absolute path. Raises NOT_FOUND for an id that is not declared, and as `GemResources.path`."""
        identifier = GuestArguments(request.target, request.arguments, _ID).text("id", limit=_LONGEST)
        found = self._declared.get(identifier)
        if found is None:
            known = ", ".join(self._declared)
            detail = f"the manifest declares no resource {identifier!r}; it declares {known}"
            raise NotochordError(Code.NOT_FOUND, Fault.GUEST, detail)
        return HostAnswer(str((await self._resources.path(self._gem, found)).resolve()))
