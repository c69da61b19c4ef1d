"""What an owner declares, as values: parsed once, shared by validation, storage, indexes, queries and migrations."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Final

from notochord.core.strict_json import Json

DEFAULT_CHANGE_DAYS = 180


class FieldType(StrEnum):
    """The types of a field."""

    STRING = "string"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    TIMESTAMP = "timestamp"
    REF = "ref"
    BLOB = "blob"
    ARRAY = "array"
    OBJECT = "object"
    ANY = "any"


SCALARS: Final = frozenset(FieldType) - {FieldType.ARRAY, FieldType.OBJECT, FieldType.ANY}
"""The types that can be filtered, sorted and indexed (DATA-065)."""

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `values` is the enum, None for none; `to` and `items` are empty where there are none."""

    name: str
    type: FieldType
    required: bool = False
    unique: bool = False
    values: tuple[Scalar, ...] | None = None
    to: str = ""
    items: FieldType | None = None

    @property
    def scalar(self) -> bool:
        return self.type in SCALARS

    @property
    def links(self) -> FieldType | None:
        """REF or BLOB if the value, or each element of it, points at something."""
        kind = self.items if self.type is FieldType.ARRAY else self.type
        return kind if kind in (FieldType.REF, FieldType.BLOB) else None


@dataclass(frozen=True)
class Table:
    """Records that can be changed and queried."""

    name: str
    fields: Mapping[str, Field]
    version: int = 1
    indexes: tuple[tuple[str, ...], ...] = ()
    migrations: str = ""

    @cached_property
    def scalars(self) -> tuple[str, ...]:
        """The names of the fields that have a column of their own, in the order of the declaration."""
        return tuple(field.name for field in self.fields.values() if field.scalar)

    @cached_property
    def linking(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields.values() if field.links)


@dataclass(frozen=True)
class Log:
    """Entries that are only appended. `days` and `entries` are its retention, 0 for none."""

    name: str
    fields: Mapping[str, Field]
    days: int = 0
    entries: int = 0

    @cached_property
    def linking(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields.values() if field.links)


Collection = Table | Log


@dataclass(frozen=True, slots=True)
class Declaration:
    """Everything that an owner declares; `raw` has the JSON of each collection, for the store to keep."""

    tables: Mapping[str, Table]
    logs: Mapping[str, Log]
    raw: Mapping[str, Json]
    change_days: int = DEFAULT_CHANGE_DAYS

    def collection(self, name: str) -> Collection | None:
        return self.tables.get(name) or self.logs.get(name)


NOTHING: Final = Declaration(MappingProxyType({}), MappingProxyType({}), MappingProxyType({}))
