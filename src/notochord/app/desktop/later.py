"""Stands for the services while they are being opened, so that the window can be shown before."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import fields
from typing import Any, cast

from notochord.headless.services import Services


class Later:
    """One door: its coroutines wait until the door is open; everything else may be used only then."""

    def __init__(self, services: "asyncio.Future[Services]", name: str) -> None:
        self._services = services
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if self._services.done() and not self._services.cancelled():
            return getattr(getattr(self._services.result(), self._name), name)
        return self._waiting(name)

    def _waiting(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def wait(*given: Any, **named: Any) -> Any:
            services = await asyncio.shield(self._services)
            return await getattr(getattr(services, self._name), name)(*given, **named)

        return wait


def later_services(services: "asyncio.Future[Services]") -> Services:
    """Return doors that lead to `services` once they are there."""
    return Services(**{field.name: cast("Any", Later(services, field.name)) for field in fields(Services)})
