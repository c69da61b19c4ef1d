"""Parses the `data` section of a manifest into a declaration, and tells everything that is wrong with it."""

import re
from collections.abc import Iterator
from typing import Any

from notochord.core.strict_json import Json
from notochord.services.data.declaration import (
    DEFAULT_CHANGE_DAYS,
    SCALARS,
    Collection,
    Declaration,
    Field,
    FieldType,
    Log,
    Table,
)
from notochord.services.data.values import fits

MAX_COLLECTIONS = 64
MAX_FIELDS = 128
MAX_INDEXES = 16
MAX_INDEX_FIELDS = 8
MAX_ENUM = 256
MAX_DESCRIPTION = 500
MAX_VERSION = 2**31 - 1
MODULE_SUFFIXES = (".js", ".mjs", ".ts")
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")

_SECTION = frozenset({"collections", "eventRetentionDays"})
_TABLE = frozenset({"kind", "fields", "description", "version", "indexes", "migrations"})
_LOG = frozenset({"kind", "fields", "description", "retention"})
_FIELD = frozenset({"type", "required", "unique", "enum", "to", "items", "description"})
_RETENTION = {"days": 36_500, "maxEntries": 10_000_000}
_WITH_ENUM = frozenset({FieldType.STRING, FieldType.NUMBER, FieldType.INTEGER})
_NAMED = "must start with a lowercase letter and hold at most 64 lowercase letters, digits and underscores"


def parse(raw: Json) -> tuple[Declaration, tuple[str, ...]]:
    """Return the declaration and its faults, each beginning with the place; with faults it is not to be used."""
    reader = _Reader()
    declaration = reader.section(raw)
    return declaration, tuple(reader.faults)


def faults_of(raw: Json) -> tuple[str, ...]:
    """Return what is wrong with a `data` section."""
    return parse(raw)[1]


class _Reader:
    """Reads a section and collects what is wrong; what it cannot read, it leaves out."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def section(self, raw: Json) -> Declaration:
        section = self._object("data", raw)
        self._known("data", section, _SECTION)
        days = self._whole("eventRetentionDays", section.get("eventRetentionDays", DEFAULT_CHANGE_DAYS), 1, 3_650)
        given = self._object("collections", section.get("collections", {}))
        if len(given) > MAX_COLLECTIONS:
            self._fault("collections", f"{len(given)} collections, at most {MAX_COLLECTIONS} may be declared")
        found = [self._collection(name, self._object(name, value)) for name, value in given.items()]
        for collection in found:
            self.faults.extend(_wrong_targets(collection, given))
        return Declaration(
            tables={one.name: one for one in found if isinstance(one, Table)},
            logs={one.name: one for one in found if isinstance(one, Log)},
            raw=dict(given),
            change_days=days,
        )

    def _collection(self, name: str, raw: dict[str, Json]) -> Collection:
        if not NAME.fullmatch(name):
            self._fault(f"collections.{name[:80]}", f"the name {_NAMED}")
        kind = raw.get("kind")
        if kind not in ("table", "log"):
            self._fault(f"{name}.kind", 'must be "table" or "log"')
        is_log = kind == "log"
        self._described(name, raw)
        self._known(name, raw, _LOG if is_log else _TABLE)
        fields = self._fields(name, raw.get("fields"), is_log=is_log)
        if is_log:
            days, entries = self._retention(name, raw)
            return Log(name, fields, days, entries)
        return self._table(name, raw, fields)

    def _table(self, name: str, raw: dict[str, Json], fields: dict[str, Field]) -> Table:
        version = self._whole(f"{name}.version", raw.get("version", 1), 1, MAX_VERSION)
        migrations = raw.get("migrations", "")
        if "migrations" in raw:
            self._module(f"{name}.migrations", migrations)
        elif version > 1:
            self._fault(f"{name}.migrations", "is missing: a version above 1 needs it")
        indexes = self._indexes(name, raw.get("indexes", []), fields)
        return Table(name, fields, version, indexes, migrations if isinstance(migrations, str) else "")

    def _module(self, where: str, path: Json) -> None:
        if not isinstance(path, str) or not path.endswith(MODULE_SUFFIXES) or path.startswith("/") or "\\" in path:
            self._fault(where, "must be a path inside the package that ends in .js, .mjs or .ts")
        elif ".." in path.split("/"):
            self._fault(where, "must not hold ..")

    def _fields(self, name: str, raw: Json, *, is_log: bool) -> dict[str, Field]:
        given = self._object(f"{name}.fields", raw)
        if not 1 <= len(given) <= MAX_FIELDS:
            self._fault(f"{name}.fields", f"{len(given)} fields, 1 to {MAX_FIELDS} may be declared")
        found = {}
        for field, value in given.items():
            if not NAME.fullmatch(field):
                self._fault(f"{name}.fields.{field[:80]}", f"the name {_NAMED}")
            made = self._field(f"{name}.fields.{field}", field, self._object(f"{name}.fields.{field}", value))
            if made is None:
                continue
            if made.unique and is_log:
                self._fault(f"{name}.fields.{field}.unique", "a Log's field cannot be unique")
            found[field] = made
        return found

    def _field(self, where: str, name: str, raw: dict[str, Json]) -> Field | None:
        self._known(where, raw, _FIELD)
        self._described(where, raw)
        kind = self._type(f"{where}.type", raw.get("type"), tuple(FieldType))
        if kind is None:
            return None
        items = None
        if "items" in raw:
            if kind is not FieldType.ARRAY:
                self._fault(f"{where}.items", "only an array has items")
            items = self._type(f"{where}.items", raw["items"], tuple(sorted(SCALARS)))
        unique = self._flag(where, raw, "unique")
        if unique and kind not in SCALARS:
            self._fault(f"{where}.unique", f"a field of type {kind} cannot be unique")
        values = self._values(f"{where}.enum", raw["enum"], kind) if "enum" in raw else None
        target = self._target(where, raw, FieldType.REF in (kind, items))
        return Field(name, kind, self._flag(where, raw, "required"), unique, values, target, items)

    def _target(self, where: str, raw: dict[str, Json], needed: bool) -> str:
        target = raw.get("to", "")
        if "to" in raw and (not isinstance(target, str) or not needed):
            self._fault(f"{where}.to", "must be the name of a table, on a ref or an array of refs only")
        elif needed and not target:
            self._fault(f"{where}.to", "is missing: a ref says to which table it leads")
        return target if isinstance(target, str) else ""

    def _values(self, where: str, raw: Json, kind: FieldType) -> tuple[Any, ...]:
        if kind not in _WITH_ENUM:
            self._fault(where, "only a string, number or integer has an enum")
            return ()
        if not isinstance(raw, list) or not 1 <= len(raw) <= MAX_ENUM:
            self._fault(where, f"must be a list of 1 to {MAX_ENUM} values")
            return ()
        if not all(fits(value, kind) for value in raw):
            self._fault(where, f"each value must be of type {kind}")
        elif len({value for value in raw if isinstance(value, str | int | float)}) != len(raw):
            self._fault(where, "a value is given twice")
        return tuple(raw)

    def _indexes(self, name: str, raw: Json, fields: dict[str, Field]) -> tuple[tuple[str, ...], ...]:
        where = f"{name}.indexes"
        if not isinstance(raw, list):
            self._fault(where, "must be a list")
            return ()
        if len(raw) > MAX_INDEXES:
            self._fault(where, f"{len(raw)} indexes, at most {MAX_INDEXES} may be declared")
        found: list[tuple[str, ...]] = []
        for value in raw:
            parts = tuple(part for part in value if isinstance(part, str)) if isinstance(value, list) else ()
            if not isinstance(value, list) or len(parts) != len(value) or not 1 <= len(parts) <= MAX_INDEX_FIELDS:
                self._fault(where, f"an index is a list of 1 to {MAX_INDEX_FIELDS} names of fields")
                continue
            for part in parts:
                if part not in fields or not fields[part].scalar:
                    self._fault(where, f"{part[:80]!r} is not a scalar field of {name}")
            if len(set(parts)) != len(parts) or parts in found:
                self._fault(where, f"{list(parts)} repeats itself or another index")
            found.append(parts)
        return tuple(found)

    def _retention(self, name: str, raw: dict[str, Json]) -> tuple[int, int]:
        if "retention" not in raw:
            return 0, 0
        where = f"{name}.retention"
        given = self._object(where, raw["retention"])
        self._known(where, given, frozenset(_RETENTION))
        if not given:
            self._fault(where, "needs days, maxEntries or both")
        limits = {key: self._whole(f"{where}.{key}", given[key], 1, most) for key, most in _RETENTION.items()
                  if key in given}  # fmt: skip
        return limits.get("days", 0), limits.get("maxEntries", 0)

    def _type(self, where: str, raw: Json, allowed: tuple[FieldType, ...]) -> FieldType | None:
        if isinstance(raw, str) and raw in allowed:
            return FieldType(raw)
        self._fault(where, f"must be one of {', '.join(allowed)}")
        return None

    def _flag(self, where: str, raw: dict[str, Json], key: str) -> bool:
        value = raw.get(key, False)
        if not isinstance(value, bool):
            self._fault(f"{where}.{key}", "must be true or false")
        return value is True

    def _whole(self, where: str, raw: Json, least: int, most: int) -> int:
        if not fits(raw, FieldType.INTEGER):
            self._fault(where, "must be an integer")
            return least
        assert isinstance(raw, int | float)
        if not least <= raw <= most:
            self._fault(where, f"must be from {least} to {most}")
        return int(raw)

    def _described(self, where: str, raw: dict[str, Json]) -> None:
        text = raw.get("description", "")
        if not isinstance(text, str) or len(text) > MAX_DESCRIPTION:
            self._fault(f"{where}.description", f"must be a text of at most {MAX_DESCRIPTION} characters")

    def _known(self, where: str, raw: dict[str, Json], allowed: frozenset[str]) -> None:
        for key in sorted(raw.keys() - allowed):
            self._fault(where, f"{key[:80]!r} cannot stand here")

    def _object(self, where: str, raw: Json) -> dict[str, Json]:
        if isinstance(raw, dict):
            return raw
        self._fault(where, "must be an object")
        return {}

    def _fault(self, where: str, what: str) -> None:
        self.faults.append(f"{where}: {what}")


def _wrong_targets(collection: Collection, given: dict[str, Json]) -> Iterator[str]:
    for field in collection.fields.values():
        target = given.get(field.to) if field.to else None
        if field.to and not (isinstance(target, dict) and target.get("kind") == "table"):
            yield f"{collection.name}.fields.{field.name}.to: {field.to[:80]!r} is not a table of this manifest"
