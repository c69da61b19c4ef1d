"""Makes `httpx2` clients for libraries that want one: each of their requests goes through the gateway."""

from typing import TYPE_CHECKING

from notochord.services.egress.ports import Gateway, Leave

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 256 * 1024 * 1024
SILENCE_SECONDS = 600.0


class EgressClients:
    """A factory of clients whose rights are fixed when they are made."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def client(self, leave: Leave, *, max_bytes: int = MOST_BYTES) -> "httpx2.AsyncClient":
        """Return a client that sends under `leave`, whatever address the library asks for.

        Its read timeout bounds the wait for the headers and for each later piece. Cookies are neither kept nor sent,
        redirects are judged and followed by the gateway, except away from an address that the user typed (SET-033):
        such a redirect is returned. A refusal is raised as NotochordError: openai lets it pass,
        anthropic wraps it in its APIConnectionError with ours as the `__cause__`. The owner closes the client.
        """
        import httpx2  # late: a command that sends nothing starts without it

        from notochord.adapters.http.transport import GatewayTransport

        transport = GatewayTransport(self._gateway, leave, max_bytes=max_bytes, silence=SILENCE_SECONDS)
        return httpx2.AsyncClient(transport=transport, follow_redirects=False, trust_env=False, timeout=SILENCE_SECONDS)
