"""An answer on its way to its reader: searched for secrets, counted, timed, and ended when the rules change."""

import asyncio
from collections.abc import Callable

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.egress.api import CredentialDenied, Request
from notochord.services.egress.decision import Hop, Rights
from notochord.services.egress.ports import Incoming
from notochord.services.egress.redaction import Redaction
from notochord.services.egress.rules import Rules

# They describe the body as it was sent, not as it is handed over.
_OF_TRANSFER = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"})


class GuardedStream:
    """The body as its reader may see it. One reader at a time."""

    def __init__(
        self,
        *,
        incoming: Incoming,
        hop: Hop,
        rights: Rights,
        redaction: Redaction,
        request: Request,
        credential_denied: CredentialDenied | None,
        on_close: Callable[["GuardedStream"], None],
    ) -> None:
        self.status = incoming.status
        self.url = str(hop.url)
        self.headers = _shown(incoming.headers, redaction, head=request.method.upper() == "HEAD")
        self.credential_denied = credential_denied
        self._incoming = incoming
        self._hop = hop
        self._rights = rights
        self._redaction = redaction
        self._most = request.max_bytes
        self._timeout = request.timeout
        self._on_close = on_close
        self._count = 0
        self._ended = False
        self._refusal: NotochordError | None = None
        self._waiting: asyncio.Timeout | None = None
        self._idle = asyncio.Event()

    async def read(self) -> bytes:
        """Return the next piece, empty at the end.

        Raises NotochordError: PAYLOAD_TOO_LARGE, TIMEOUT, NETWORK_UNREACHABLE, NETWORK_TLS, and what refuses the host
        under rules that changed meanwhile.
        """
        while not self._ended:
            try:
                piece = await self._next()
            except BaseException:
                await self.close()
                raise
            self._count += len(piece)
            if self._count > self._most:
                await self.close()
                raise too_large(self._most)
            if not piece:
                self._ended = True
                await self.close()
                return self._redaction.end()
            if shown := self._redaction.feed(piece):
                return shown
        return b""

    async def close(self) -> None:
        """Let go of the answer; what was not read yet is lost, and who waits for it gets CANCELLED."""
        self._ended = True
        self._on_close(self)
        if self._waiting is not None:
            self._stop(NotochordError(Code.CANCELLED, Fault.SYSTEM, "the answer was closed"))
            await self._idle.wait()
        await self._incoming.close()

    def judge_again(self, rules: Rules) -> None:
        """End the answer, also while somebody waits for it, if the new rules refuse where it comes from."""
        try:
            self._rights.check_name(self._hop.url, rules, typed=self._hop.typed)
            self._rights.check_addresses(self._hop, rules)
        except NotochordError as error:
            self._stop(error)

    def _stop(self, reason: NotochordError) -> None:
        self._refusal = reason
        if self._waiting is not None and not self._waiting.expired():
            self._waiting.reschedule(asyncio.get_running_loop().time())

    async def _next(self) -> bytes:
        if self._refusal is not None:
            raise self._refusal
        self._idle.clear()
        try:
            async with asyncio.timeout(self._timeout) as self._waiting:
                return await self._incoming.read()
        except TimeoutError:
            raise self._refusal or timed_out(self._timeout) from None
        finally:
            self._waiting = None
            self._idle.set()


def too_large(most: int) -> NotochordError:
    """Return the error for an answer above its limit."""
    return NotochordError(
        Code.PAYLOAD_TOO_LARGE,
        Fault.NETWORK,
        f"the answer is larger than {most} bytes",
        field="response",
        limit=most,
        why="why.answer_too_large",
    )


def timed_out(seconds: float) -> NotochordError:
    """Return the error for an answer that did not come in time."""
    return NotochordError(
        Code.TIMEOUT, Fault.NETWORK, f"no answer within {seconds:g} s", seconds=seconds, why="why.no_answer"
    )


def _shown(headers: tuple[tuple[str, str], ...], redaction: Redaction, *, head: bool) -> tuple[tuple[str, str], ...]:
    return tuple(
        (redaction.text(name), redaction.text(value))
        for name, value in headers
        if name.lower() not in _OF_TRANSFER or (head and name.lower() == "content-length")
    )
