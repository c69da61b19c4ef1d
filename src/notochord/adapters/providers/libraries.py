"""Loads the libraries of providers at their first use."""

import asyncio
import logging
from importlib import import_module

from notochord.services.models.ports import ProviderKind


class Libraries:
    """Loads each once, and one at a time: both share libraries, and each would meet half of what the other loads."""

    def __init__(self) -> None:
        self._loading = asyncio.Lock()
        self._loaded: set[str] = set()

    async def load(self, kind: ProviderKind) -> None:
        """Import the library for this kind, which takes seconds, without holding up the loop."""
        name = "anthropic" if kind is ProviderKind.ANTHROPIC else "openai"
        if name in self._loaded:
            return
        async with self._loading:
            await asyncio.to_thread(import_module, name)
            # The environment can make them log whole requests, which are the user's conversations.
            for logger in (name, "httpx2"):
                logging.getLogger(logger).setLevel(logging.WARNING)
            self._loaded.add(name)
