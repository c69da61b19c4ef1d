"""What a system prompt says of the installed gems; texts from gems are flattened to one line first."""

from collections.abc import Sequence

from notochord.core.flat_text import flattened
from notochord.services.gems.installed import InstalledGem
from notochord.services.gems.manifest import Manifest

_HEADING = (
    "Installed gems. Each line has a gem's name, its id, and what it does; below it is what it offers.\n"
    "Call read_skill with a gem's id before you use the gem; its tools are in your list from the next step on."
)


def is_listed(gem: InstalledGem) -> bool:
    """Tell whether a gem offers anything to agents: exposed items, or a skill (GEM-032 to GEM-035)."""
    manifest = gem.record.manifest
    return bool(manifest.exposed or manifest.exposed_agents) or manifest.has_skill


def list_of_gems(gems: Sequence[InstalledGem]) -> str:
    """Return the list for the prompt, sorted by name; empty if no gem offers anything (GEM-024 to GEM-031)."""
    listed = [gem.record.manifest for gem in gems if is_listed(gem)]
    lines = []
    for manifest in sorted(listed, key=lambda manifest: (flattened(manifest.name).casefold(), manifest.id)):
        lines.append(f"- {flattened(manifest.name)} ({manifest.id}): {flattened(manifest.description)}")
        lines += [f"  - {tool.name}: {flattened(tool.description)}" for tool in manifest.exposed]
        lines += [f"  - {one.name} (agent): {flattened(one.description)}" for one in manifest.exposed_agents]
    return "\n".join((_HEADING, *lines)) if lines else ""


def list_of_skill(manifest: Manifest) -> str:
    """Return what ends the prompt of a gem's own agents: the names of the files of its skill (SKILL-021, SKILL-025)."""
    if not manifest.has_skill:
        return ""
    paths = ("skill/SKILL.md", *manifest.references)
    names = (f"- {manifest.id}/{path}" for path in paths)
    return "\n".join(("Files of your skill, to be read with read_skill:", *names))
