"""`ctx.tools`, which a draft's tests have: calls a tool of the draft as whoever uses the gem would."""

from collections.abc import Awaitable, Callable

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, decode, encode
from notochord.services.gems.guest_arguments import GuestArguments, refused
from notochord.services.sandbox.api import HostAnswer, HostRequest

CallTool = Callable[[str, Json], Awaitable[Json]]

_NAME = frozenset({"name"})
_LONGEST = 64


class GuestTools:
    """The tools of one draft; `call` runs one that is there, with its arguments checked and its own permissions."""

    namespace = "tools"

    def __init__(self, names: frozenset[str], call: CallTool) -> None:
        self._names = names
        self._call = call

    async def answer(self, request: HostRequest) -> HostAnswer | None:
        """Return the tool's value beside the answer. Raises NOT_FOUND, INPUT_INVALID, and whatever the tool raises."""
        if request.target != "tools.call":
            return None
        name = GuestArguments(request.target, request.arguments, _NAME).text("name", limit=_LONGEST)
        try:
            given = decode(request.attachment or b"{}")
        except ValueError as error:
            raise refused(f"{request.target}: no JSON: {error}") from error
        if name not in self._names:
            known = ", ".join(sorted(self._names))
            raise NotochordError(Code.NOT_FOUND, Fault.GUEST, f"the draft has no tool {name!r}; it has {known}")
        return HostAnswer(None, encode(await self._call(name, given)).encode("utf-8", "surrogatepass"))
