"""A key store that ends with the process, for throw-away homes."""


class MemoryKeys:
    """Implements `KeyStore`."""

    def __init__(self) -> None:
        self._keys: dict[str, bytes] = {}

    async def load(self, organization: str) -> bytes | None:
        return self._keys.get(organization)

    async def save(self, organization: str, key: bytes) -> None:
        self._keys[organization] = key

    async def delete(self, organization: str) -> None:
        self._keys.pop(organization, None)
