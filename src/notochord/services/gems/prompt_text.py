"""What a system prompt says of the installed gems; texts from gems are flattened to one line first."""

from collections.abc import Sequence

from notochord.core.flat_text import flattened
from notochord.services.gems.installed import InstalledGem

_HEADING = (
    "Installed gems. Each line has a gem's name, its id, and what it does; below it is what it offers.\n"
    "Call read_skill with a gem's id before you use the gem; its tools are in your list from the next step on."
)


def is_listed(gem: InstalledGem) -> bool:
    """Tell whether a gem offers anything to agents: exposed items, or a skill (GEM-032 to GEM-035)."""
    return bool(gem.record.manifest.exposed) or gem.record.manifest.has_skill


def list_of_gems(gems: Sequence[InstalledGem]) -> str:
    """Return the list for the prompt, sorted by name; empty if no gem offers anything (GEM-024 to GEM-031)."""
    listed = [gem.record.manifest for gem in gems if is_listed(gem)]
    lines = []
    for manifest in sorted(listed, key=lambda manifest: (flattened(manifest.name).casefold(), manifest.id)):
        lines.append(f"- {flattened(manifest.name)} ({manifest.id}): {flattened(manifest.description)}")
        lines += [f"  - {tool.name}: {flattened(tool.description)}" for tool in manifest.exposed]
    return "\n".join((_HEADING, *lines)) if lines else ""
