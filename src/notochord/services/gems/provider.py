"""What agents see and call of gems: the list in the prompt, `read_skill`, and the exposed tools of opened gems."""

from collections.abc import Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json
from notochord.services.gems.agent_tools import CONSENT
from notochord.services.gems.calls import CallPlace, ToolCalls
from notochord.services.gems.input_schemas import plain
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.manifest import ToolRecord
from notochord.services.gems.prompt_text import is_listed, list_of_gems
from notochord.services.gems.skill import READ_SKILL, SkillReader, split_name, tool_name
from notochord.services.gems.work import Work
from notochord.services.tools.api import Consent, Session, SideEffect, ToolDefinition, ToolOutput

_MAX_CHOICES = 64
"""With more to read than this the schema of `read_skill` does not name it all; the prompt does."""


class GemTools:
    """The source of tools that are gems'."""

    def __init__(self, *, library: Library, skills: SkillReader, calls: ToolCalls) -> None:
        self._library = library
        self._skills = skills
        self._calls = calls

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        if session.gem:
            gem = self._library.get(session.gem)
            return () if gem is None else _of_its_own(gem, session)
        listed = [gem for gem in self._library.all() if is_listed(gem)]
        opened = [gem for gem in listed if gem.record.id in session.opened]
        return (_read_skill(listed, opened), *_exposed(opened))

    async def searchable(self, session: Session) -> Sequence[ToolDefinition]:
        return () if session.gem else _exposed([gem for gem in self._library.all() if is_listed(gem)])

    async def opening(self, name: str) -> str:
        return split_name(name)[0] or name

    async def consent(self, name: str, arguments: dict[str, Json], session: Session) -> Consent:
        found = self._find(name)
        asks = found is not None and not session.gem and _may_call(session, *found)
        return Consent(CONSENT, found[0].record.id) if found is not None and asks else Consent()

    async def prompt(self, session: Session) -> str:
        if session.gem or READ_SKILL in session.switched_off:
            return ""
        return list_of_gems(self._library.all())

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        if name == READ_SKILL:
            return await self._read(arguments, session)
        found = self._find(name)
        if found is None:
            raise NotochordError(Code.TOOL_UNKNOWN, Fault.MODEL, f"there is no tool {name[:200]!r}", tool=name[:200])
        gem, tool = found
        if not _may_call(session, gem, tool):
            raise NotochordError(Code.PERM_DENIED, Fault.POLICY, f"{name} is for its own gem only")
        place = _place(session)
        return ToolOutput(await self._calls.run(gem, tool, arguments, place))

    async def _read(self, arguments: dict[str, Json], session: Session) -> ToolOutput:
        name, file = arguments.get("name"), arguments.get("file", "")
        if not isinstance(name, str) or not isinstance(file, str):
            raise NotochordError(Code.TOOL_ARGUMENTS, Fault.MODEL, "name is the id of a gem", reason="name")
        gem, value = await self._skills.read(name, file, only=session.gem)
        return ToolOutput(value, opens=() if session.gem else (gem,))

    def _find(self, name: str) -> tuple[InstalledGem, ToolRecord] | None:
        identifier, item = split_name(name)
        gem = self._library.get(identifier)
        tool = gem.record.manifest.tool(item) if gem is not None else None
        return (gem, tool) if gem is not None and tool is not None else None


def _may_call(session: Session, gem: InstalledGem, tool: ToolRecord) -> bool:
    """Tell whether a session may call a tool: exposed ones, and an agent of the gem all of its gem's (GEM-068)."""
    return tool.exposed or session.gem == gem.record.id


def _place(session: Session) -> CallPlace:
    """Return where a call belongs; one of a gem's agent shares its folder and reaches the conversation's (PERM-112)."""
    cause = session.caller.cause
    work = Work.of(cause, session.folder, project=session.project)
    if session.confined is None:
        return CallPlace(work, session.folder, cause)
    return CallPlace(work, session.confined.workspace, cause, run=session.confined.run)


def _of_its_own(gem: InstalledGem, session: Session) -> tuple[ToolDefinition, ...]:
    """Return what there is for an agent of the gem: the gem's skill, and the tools of the gem that it names."""
    manifest = gem.record.manifest
    skill = (_read_skill([gem], [gem]),) if manifest.has_skill else ()
    named = session.confined.tools if session.confined is not None else frozenset()
    tools = (tool for tool in manifest.tools if tool_name(manifest.id, tool.name) in named)
    return (*skill, *(_definition(gem, tool) for tool in tools))


def _read_skill(gems: Sequence[InstalledGem], opened: Sequence[InstalledGem]) -> ToolDefinition:
    """Return the tool, its argument limited to what can be read as far as that is a short list."""
    choices: list[Json] = [gem.record.id for gem in gems]
    choices += [f"{gem.record.id}/{path}" for gem in opened for path in gem.record.manifest.references]
    name: dict[str, Json] = {"type": "string", "description": "The id of an installed gem."}
    if opened:
        name["description"] = "The id of an installed gem, or the name of a reference that its skill mentions."
    if 0 < len(choices) <= _MAX_CHOICES:
        name["enum"] = choices
    return ToolDefinition(
        name=READ_SKILL,
        description="Open an installed gem: returns its instructions and adds its tools to your list.",
        schema={"type": "object", "properties": {"name": name}, "required": ["name"]},
        side_effect=SideEffect.READ,
    )


def _exposed(gems: Sequence[InstalledGem]) -> tuple[ToolDefinition, ...]:
    """Return all exposed tools of the gems: a gem's are listed together or not at all (GEM-061, GEM-085)."""
    return tuple(_definition(gem, tool) for gem in gems for tool in gem.record.manifest.exposed)


def _definition(gem: InstalledGem, tool: ToolRecord) -> ToolDefinition:
    manifest = gem.record.manifest
    return ToolDefinition(
        name=tool_name(manifest.id, tool.name),
        description=flattened(tool.description),
        schema=plain(gem.schema(tool.name)),
        side_effect=tool.side_effect,
        keywords=(flattened(manifest.name), flattened(manifest.description), manifest.id),
    )
