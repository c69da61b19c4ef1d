"""Gives tools and properties names that a provider takes, and finds the way back."""

import re
from collections.abc import Iterable
from hashlib import sha256

from notochord.core.strict_json import Json

_LONGEST = 64
_MARK = 8
_TOOL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_NOT_TOOL = re.compile(r"[^a-zA-Z0-9_-]")
_NOT_PROPERTY = re.compile(r"[^a-zA-Z0-9_.-]")


class Names:
    """A reversible renaming. Every name of a conversation is given at once, so that no two become the same."""

    def __init__(self, names: Iterable[str], *, allowed: re.Pattern[str], forbidden: re.Pattern[str]) -> None:
        wanted = sorted(set(names))
        self._there = {name: name for name in wanted if allowed.fullmatch(name)}
        taken = set(self._there)
        for name in wanted:
            if name not in self._there:
                new = _legal(name, forbidden, taken)
                self._there[name] = new
                taken.add(new)
        self._back = {new: name for name, new in self._there.items()}

    @classmethod
    def of_tools(cls, names: Iterable[str]) -> "Names":
        return cls(names, allowed=_TOOL, forbidden=_NOT_TOOL)

    @classmethod
    def of_properties(cls, names: Iterable[str]) -> "Names":
        return cls(names, allowed=_PROPERTY, forbidden=_NOT_PROPERTY)

    @classmethod
    def untouched(cls) -> "Names":
        """Return the renaming that leaves every name as it is."""
        return cls.of_tools(())

    @property
    def change_nothing(self) -> bool:
        return all(name == new for name, new in self._there.items())

    def there(self, name: str) -> str:
        """Return the name on the wire."""
        return self._there.get(name, name)

    def back(self, name: str) -> str:
        """Return our name; a name that was never given stays as it is."""
        return self._back.get(name, name)

    def keys_there(self, value: Json) -> Json:
        """Return `value` with the keys of every object renamed for the wire."""
        return _rename(value, self._there)

    def keys_back(self, value: Json) -> Json:
        """Return `value` with the keys of every object as we know them."""
        return _rename(value, self._back)


def _legal(name: str, forbidden: re.Pattern[str], taken: set[str]) -> str:
    plain = forbidden.sub("_", name)
    if plain and len(plain) <= _LONGEST and plain not in taken and plain.strip("_"):
        return plain
    mark = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"{plain[: _LONGEST - _MARK - 1]}_{mark}"


def _rename(value: Json, names: dict[str, str]) -> Json:
    if isinstance(value, dict):
        return {names.get(key, key): _rename(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_rename(item, names) for item in value]
    return value
