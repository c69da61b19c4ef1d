"""The SOPs of a gem as its manifest declares them: what starts each, what it takes, and how much it may do."""

from dataclasses import dataclass
from enum import StrEnum

from notochord.core.strict_json import Json

JsonObject = dict[str, Json]

FOLDER = "workflows/"
ENTRY_SUFFIXES = frozenset({".js", ".mjs", ".ts"})
NEW_MAIL = ("email", "onNewMessage")
EVENTS = frozenset({NEW_MAIL})
"""Source and name of each event that the platform publishes (SOP-066)."""

DURATION_RANGE = (1_000, 86_400_000)
CALLS_RANGE = (1, 10_000)
DEFAULT_DURATION_MS = 600_000
DEFAULT_CALLS = 500


class TriggerKind(StrEnum):
    """What starts an SOP."""

    MANUAL = "manual"
    CRON = "cron"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Trigger:
    """What starts an SOP. `expression` and `arguments` are a cron trigger's, `source` and `event` an event's."""

    kind: TriggerKind = TriggerKind.MANUAL
    expression: str = ""
    arguments: JsonObject | None = None
    source: str = ""
    event: str = ""

    @property
    def when(self) -> str:
        """The five fields, or source and name of the event; empty for a manual one."""
        return self.expression or ".".join(filter(None, (self.source, self.event)))


@dataclass(frozen=True, slots=True)
class SopRecord:
    """One entry of `workflows` of a packaged manifest."""

    name: str
    entry: str
    description: str
    schema: JsonObject
    trigger: Trigger
    exposed: bool
    max_duration_ms: int
    max_calls: int
    output_schema: JsonObject | bool = True


def sops_of(raw: JsonObject) -> tuple[SopRecord, ...]:
    """Return the SOPs of a manifest that the schema accepted, in the author's order."""
    entries = raw.get("workflows", [])
    return tuple(_record(entry) for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()


def _record(entry: JsonObject) -> SopRecord:
    limits = _object(entry.get("limits"))
    return SopRecord(
        name=str(entry["name"]),
        entry=str(entry["entry"]),
        description=str(entry["description"]),
        schema=_object(entry["inputSchema"]),
        trigger=_trigger(_object(entry.get("trigger"))),
        exposed=entry.get("expose") is True,
        max_duration_ms=_whole(limits.get("maxDurationMs"), DEFAULT_DURATION_MS),
        max_calls=_whole(limits.get("maxCalls"), DEFAULT_CALLS),
        output_schema=_schema(entry.get("outputSchema", True)),
    )


def _trigger(given: JsonObject) -> Trigger:
    kind = TriggerKind(str(given.get("type", TriggerKind.MANUAL.value)))
    return Trigger(
        kind=kind,
        expression=str(given.get("expr", "")),
        arguments=_object(given.get("args")) if kind is TriggerKind.CRON else None,
        source=str(given.get("source", "")),
        event=str(given.get("name", "")),
    )


def _schema(value: Json) -> JsonObject | bool:
    return value if isinstance(value, bool | dict) else True


def _whole(value: Json, default: int) -> int:
    return int(value) if isinstance(value, int | float) else default


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
