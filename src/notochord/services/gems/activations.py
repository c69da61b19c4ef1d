"""Two activations that are taken over together or not at all."""

from notochord.services.data.api import Activation
from notochord.services.raw_databases.api import RawActivation


class Both:
    """The declared data and the raw database of one gem; what stands between two commits is finished at the opening."""

    def __init__(self, data: Activation, raw: RawActivation) -> None:
        self._data = data
        self._raw = raw

    async def commit(self) -> None:
        try:
            await self._data.commit()
        finally:
            await self._raw.commit()

    async def abandon(self) -> None:
        try:
            await self._raw.abandon()
        finally:
            await self._data.abandon()
