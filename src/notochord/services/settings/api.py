"""The door to settings: typed names with defaults, read at once, changed durably."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from notochord.core.strict_json import Json

Value = TypeVar("Value", bound=Json)


@dataclass(frozen=True, slots=True)
class Setting(Generic[Value]):
    """One thing that the user can choose; `default` holds until they do. The value's type is the default's."""

    name: str
    default: Value


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """Event: a setting has a new value, which is durable already."""

    name: str


class Settings(Protocol):
    """The settings of the open organization."""

    def current(self, setting: Setting[Value]) -> Value:
        """Return the value now in force; a stored value of another type than the default's counts as not stored."""

    async def change(self, setting: Setting[Value], value: Value) -> None:
        """Store a value; it is in force and on the disk on return. Publishes SettingChanged."""
