"""Settings in memory, for view-models."""

from notochord.core.events import EventBus
from notochord.core.strict_json import Json
from notochord.services.settings.api import Setting, SettingChanged, Value


class MemorySettings:
    """Implements `Settings` without a database."""

    def __init__(self, events: EventBus | None = None) -> None:
        self.stored: dict[str, Json] = {}
        self._events = events or EventBus()

    def current(self, setting: Setting[Value]) -> Value:
        found = self.stored.get(setting.name, setting.default)
        return found if type(found) is type(setting.default) else setting.default

    async def change(self, setting: Setting[Value], value: Value) -> None:
        self.stored[setting.name] = value
        self._events.publish(SettingChanged(setting.name))
