"""The door to the record of model use."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Use:
    """One model call: `feature` as in rows MODEL-F to J (chat, title, summary, gem …)."""

    feature: str
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    run: str = ""


@dataclass(frozen=True, slots=True)
class UseTotal:
    """Tokens of one day (YYYY-MM-DD in the user's zone), feature and model."""

    day: str
    feature: str
    provider: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int


class Usage(Protocol):
    """Keeps count of model calls."""

    async def record(self, use: Use) -> None:
        """Add one call to the record."""

    async def totals(self, *, since_day: str = "") -> tuple[UseTotal, ...]:
        """Return the totals from `since_day` on, oldest first."""
