"""Opening a gem: its skill and what it exposes, or one reference of the skill (GEM-037 to GEM-045)."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json
from notochord.services.gems.agent_declarations import AgentRecord
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.manifest import Manifest, ToolRecord
from notochord.services.gems.prompt_text import is_listed

READ_SKILL = "read_skill"

_SKILL = "skill/SKILL.md"
_INSIDE = "skill/references/"
_SHOWN = 50


def tool_name(gem: str, tool: str) -> str:
    return f"gem.{gem}.{tool}"


def split_name(name: str) -> tuple[str, str]:
    """Return gem id and item of a name `gem.<gem id>.<item>`; empty texts for another name."""
    prefix, _, rest = name.partition(".")
    gem, _, item = rest.rpartition(".")
    return (gem, item) if prefix == "gem" and gem and item else ("", "")


class SkillReader:
    """Reads gems' texts, after checking that their files are what was installed (PKG-079)."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def read(self, name: str, file: str, *, only: str) -> tuple[str, Json]:
        """Return the gem's id and what was asked for. `only` is the one gem that may be read; empty for all.

        Raises NotochordError: GEM_UNKNOWN or NOT_FOUND with a detail that lists what exists, FILES_CHANGED.
        """
        gem, inner = self._find(name.strip().removeprefix("/"), file.strip(), only)
        await self._library.verify(gem)
        manifest = gem.record.manifest
        if inner:
            return manifest.id, await self._reference(gem, inner)
        skill = await _text(gem.folder / _SKILL) if manifest.has_skill else ""
        return manifest.id, _opened(manifest, skill, with_tools=not only)

    async def _reference(self, gem: InstalledGem, path: str) -> Json:
        manifest = gem.record.manifest
        if path not in manifest.references:
            there = ", ".join(manifest.references[:_SHOWN]) or "none"
            raise NotochordError(
                Code.NOT_FOUND, Fault.MODEL, f"{manifest.id} has no file {path[:200]!r}; its references are: {there}"
            )
        return {"id": manifest.id, "file": path, "text": await _text(gem.folder / path)}

    def _find(self, name: str, file: str, only: str) -> tuple[InstalledGem, str]:
        readable = [gem for gem in self._library.all() if (gem.record.id == only if only else is_listed(gem))]
        by_name = {gem.record.id: gem for gem in readable}
        identifier, slash, rest = name.partition("/")
        gem = by_name.get(identifier) or (by_name.get(only) if name.startswith(_INSIDE) else None)
        if gem is None:
            gem, slash, rest = _by_title(readable, name), "", ""
        if gem is None:
            known = ", ".join(sorted(by_name)[:_SHOWN]) or "none"
            raise NotochordError(
                Code.GEM_UNKNOWN, Fault.MODEL, f"no gem {name[:200]!r} is installed; there are: {known}", gem=name[:200]
            )
        inner = rest if slash and identifier == gem.record.id else name if slash else file
        inner = inner.removeprefix(f"{gem.record.id}/")
        return gem, "" if inner == _SKILL else inner


def _opened(manifest: Manifest, skill: str, *, with_tools: bool) -> str:
    """Return what opening a gem gives: its skill, the names of its references, and last what can be called now.

    Small models go on with what they read last.
    """
    parts = [skill]
    if skill and manifest.references:
        names = "\n".join(f"- {manifest.id}/{path}" for path in manifest.references)
        parts.append(f"References, to be read with read_skill:\n{names}")
    name = flattened(manifest.name)
    if with_tools and (manifest.exposed or manifest.exposed_agents):
        lines = [_line(manifest, tool) for tool in manifest.exposed]
        lines += [_agent_line(manifest, agent) for agent in manifest.exposed_agents]
        parts.append("\n".join((f"{name} is open. Use its tools now:", *lines)))
    else:
        parts.append(f"{name} is open.")
    return "\n\n".join(part for part in parts if part)


def _line(manifest: Manifest, tool: ToolRecord) -> str:
    properties = tool.schema.get("properties")
    names = ", ".join(map(flattened, properties)) if isinstance(properties, dict) else ""
    arguments = f" Arguments: {names}." if names else ""
    return f"- {tool_name(manifest.id, tool.name)}: {flattened(tool.description)}{arguments}"


def _agent_line(manifest: Manifest, agent: AgentRecord) -> str:
    return f"- {tool_name(manifest.id, agent.name)} (agent): {flattened(agent.description)} Arguments: task."


def _by_title(gems: Sequence[InstalledGem], name: str) -> InstalledGem | None:
    """Find a gem by its name as people write it, or an id spelled with other separators, if that is unambiguous."""
    wanted = _bare(name)
    found = [gem for gem in gems if wanted in {_bare(gem.record.id), _bare(gem.record.manifest.name)}]
    return found[0] if wanted and len(found) == 1 else None


def _bare(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


async def _text(path: Path) -> str:
    """Return a text exactly as it is, line ends included."""
    return (await asyncio.to_thread(path.read_bytes)).decode()
