"""Settings in main.db, all of them in memory as well."""

import asyncio
import logging
from typing import cast

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from notochord.core.events import EventBus
from notochord.core.strict_json import Json, decode, encode
from notochord.core.tasks import Lifetime
from notochord.persistence.database import Database
from notochord.services.settings.api import Setting, SettingChanged, Value
from notochord.services.settings.tables import SETTINGS

_log = logging.getLogger(__name__)


class StoredSettings:
    """Implements `Settings`. Values are kept as JSON text, so that nobody changes one by changing what they got."""

    def __init__(self, *, database: Database, events: EventBus) -> None:
        self._database = database
        self._events = events
        self._stored: dict[str, str] = {}
        self._lifetime = Lifetime("settings")

    async def start(self) -> None:
        """Read what is stored; before that, every setting has its default."""

        def load(connection: Connection) -> dict[str, str]:
            return {row.name: row.value for row in connection.execute(select(SETTINGS))}

        self._stored = await self._database.read(load)

    async def close(self) -> None:
        await self._lifetime.close()

    def current(self, setting: Setting[Value]) -> Value:
        stored = self._stored.get(setting.name)
        if stored is None:
            return _copy(setting.default)
        try:
            value = decode(stored)
        except ValueError:
            _log.warning("the setting %s is unreadable; its default is in force", setting.name)
            return _copy(setting.default)
        if type(value) is not type(setting.default):
            return _copy(setting.default)
        return cast(Value, value)

    async def change(self, setting: Setting[Value], value: Value) -> None:
        if type(value) is not type(setting.default):
            raise TypeError(f"{setting.name} is of type {type(setting.default).__name__}")
        text = encode(value)
        # A caller that goes away does not part what is in force from what is on the disk.
        await asyncio.shield(self._lifetime.start(f"change {setting.name}", self._change(setting.name, text)))

    async def _change(self, name: str, text: str) -> None:
        def store(connection: Connection) -> None:
            row = insert(SETTINGS).values(name=name, value=text)
            connection.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": text}))

        await self._database.write(store)
        self._stored[name] = text
        self._events.publish(SettingChanged(name))


def _copy(value: Value) -> Value:
    copied: Json = decode(encode(value))
    return cast(Value, copied)
