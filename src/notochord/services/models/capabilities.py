"""What is known about models by name: how much they may write, whether they use tools, take a temperature."""

import json
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from notochord.core.paths import shipped
from notochord.services.models.api import Capabilities

FILE = "models/capabilities.json"
UNKNOWN = Capabilities(known=False)


class CapabilityList:
    """The bundled list: patterns of names, the first that fits counts; an unknown model is thought able."""

    def __init__(self, entries: tuple[tuple[str, Capabilities], ...]) -> None:
        self._entries = entries

    @classmethod
    def bundled(cls) -> "CapabilityList":
        return cls.read(shipped("resources") / FILE)

    @classmethod
    def read(cls, file: Path) -> "CapabilityList":
        entries = json.loads(file.read_text(encoding="utf-8"))["models"]
        return cls(tuple((entry.pop("match"), _read(entry)) for entry in entries))

    def of(self, model: str) -> Capabilities:
        """Return what is known of `model`; a vendor's prefix (`openai/gpt-5`) does not matter."""
        name = model.lower().rsplit("/", 1)[-1]
        return next((found for pattern, found in self._entries if fnmatchcase(name, pattern)), UNKNOWN)


def _read(entry: dict[str, Any]) -> Capabilities:
    return Capabilities(**{**entry, "abilities": tuple(entry.get("abilities", ()))})
