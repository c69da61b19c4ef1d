"""The tool `tool_search`: finds tools and gems by keywords and opens what it found (GEM-046 to GEM-054)."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.tools.api import Session, SideEffect, ToolDefinition, ToolOutput, ToolProvider
from notochord.services.tools.ranking import rank

NAME = "tool_search"
MOST_FOUND = 5

_DEFINITION = ToolDefinition(
    name=NAME,
    description="Find more tools by keywords. What is found can be called from the next step on.",
    schema={
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "description": "Keywords, such as: csv monthly sum"}
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    side_effect=SideEffect.READ,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that can be found; `opening` is what opens it: itself or its gem."""

    definition: ToolDefinition
    opening: str


class ToolSearch(ToolProvider):
    """The provider of `tool_search`. A gem with several matching tools counts once and is opened whole."""

    def __init__(self, candidates: Callable[[Session], Awaitable[Sequence[Candidate]]]) -> None:
        self._candidates = candidates

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        return (_DEFINITION,)

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        """Search, and open at most MOST_FOUND gems and built-in tools. Raises TOOL_ARGUMENTS for an empty query."""
        query = arguments.get("query")
        if not isinstance(query, str) or not query.strip():
            raise NotochordError(Code.TOOL_ARGUMENTS, Fault.MODEL, "give some keywords as query")
        candidates = {found.definition.name: found for found in await self._candidates(session)}
        ranked = [candidates[found.name] for found in rank(query, [each.definition for each in candidates.values()])]
        opened = list(dict.fromkeys(found.opening for found in ranked))[:MOST_FOUND]
        tools: list[Json] = [
            {"name": found.definition.name, "description": found.definition.description}
            for found in ranked
            if found.opening in opened
        ]
        return ToolOutput({"found": tools, "note": _note(bool(tools), session.plan_mode)}, tuple(opened))


def _note(found: bool, plan_mode: bool) -> str:
    if not found:
        return "Nothing matches. Try other or fewer keywords."
    if plan_mode:
        return "These are in your tool list from now on; in plan mode only those that read can be called."
    return "These are in your tool list from now on. Call the one that fits by its name."
