"""What the shown screens own beside their widgets: view-models, which are closed when another screen comes."""

from typing import Protocol


class Closing(Protocol):
    """Something that follows the services until it is closed."""

    async def close(self) -> None: ...


class Screens:
    """Closes what it owns in the opposite order of its coming."""

    def __init__(self) -> None:
        self._owned: list[Closing] = []

    def own(self, one: Closing) -> None:
        self._owned.append(one)

    async def close(self) -> None:
        while self._owned:
            await self._owned.pop().close()
