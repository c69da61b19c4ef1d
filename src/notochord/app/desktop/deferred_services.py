"""Stands for the services while they are being opened, so that the window can be shown before."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from notochord.app.desktop.pages import Ground
    from notochord.headless.services import Services


class DeferredService:
    """One door: its coroutines wait until the door is open; everything else may be used only then."""

    def __init__(self, ground: "asyncio.Future[Ground]", name: str) -> None:
        self._ground = ground
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if self._ground.done() and not self._ground.cancelled():
            return getattr(getattr(self._ground.result().services, self._name), name)
        return self._waiting(name)

    def _waiting(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def wait(*given: Any, **named: Any) -> Any:
            ground = await asyncio.shield(self._ground)
            return await getattr(getattr(ground.services, self._name), name)(*given, **named)

        return wait


class DeferredServices:
    """Stands for `Services`, door by door."""

    def __init__(self, ground: "asyncio.Future[Ground]") -> None:
        self._ground = ground

    def __getattr__(self, name: str) -> Any:
        return DeferredService(self._ground, name)


def deferred_services(ground: "asyncio.Future[Ground]") -> "Services":
    """Return doors that lead to the services once they are there."""
    return cast("Services", DeferredServices(ground))
