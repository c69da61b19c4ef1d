"""Installed gems for view-models that only look: what there is, and what there is to say of a model."""

from dataclasses import dataclass, field
from typing import cast

from notochord.services.gems.api import Gem, GemAgent, Gems, ModelNotice, Trust


def gem_with_agents(*agents: GemAgent, id: str = "receipts", name: str = "Receipts") -> Gem:
    return Gem(id, name, "1.0.0", "Adds up.", Trust.OFFICIAL, (), False, (), "ready", agents=agents)


@dataclass
class KnownGems:
    """Implements of `Gems` and `GemGrants` what such view-models ask."""

    gems: list[Gem] = field(default_factory=list)
    notice: ModelNotice = ModelNotice.NONE

    @property
    def grants(self) -> "KnownGems":
        return self

    async def all(self) -> tuple[Gem, ...]:
        return tuple(self.gems)

    async def model_notice(self, gem: str, agent: str, chosen: str) -> ModelNotice:
        return self.notice

    def door(self) -> Gems:
        return cast("Gems", self)
