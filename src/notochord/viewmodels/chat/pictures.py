"""Gets the pictures that messages show, once the user asks for one: from the net, or from the conversation's folder."""

from urllib.parse import unquote, urlsplit

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.chat.api import Chat
from notochord.services.egress.api import Egress, Leave, Request
from notochord.services.files.api import Files, Root

MOST_BYTES = 20_000_000
TIMEOUT = 30.0


class Pictures:
    """No cookies and no other headers go along; the user's rules for the network hold as for everything else."""

    def __init__(self, *, egress: Egress, files: Files) -> None:
        self._egress = egress
        self._files = files

    async def load(self, chat: Chat, address: str) -> bytes:
        """Return the file of a picture; what it holds is hostile. Raises as `Egress.fetch` and `Files.read`."""
        scheme = urlsplit(address).scheme.lower()
        if scheme in ("http", "https"):
            return await self._fetch(address)
        if scheme:
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, "not an address of a picture", why="why.picture_address"
            )
        root = Root(chat.folder, hide_dots=True, history=False)
        return await self._files.read(root, unquote(address).removeprefix("./"), max_bytes=MOST_BYTES)

    async def _fetch(self, address: str) -> bytes:
        leave = Leave(Caller(Actor.USER, "picture"))
        response = await self._egress.fetch(
            Request("GET", address, leave, headers=(("accept", "image/*"),), max_bytes=MOST_BYTES, timeout=TIMEOUT)
        )
        if response.status != 200:
            detail = f"status {response.status}"
            raise NotochordError(Code.NOT_FOUND, Fault.USER, detail, subject=address[:200], why="why.picture_refused")
        return response.body
