"""How a small local model is told of tools, the grammar of its next move, and how the move is read.

At each step the grammar offers every tool of the list and the answer in words; nothing forces or narrows the choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from notochord.adapters.local_models.schema_grammar import SchemaGrammar, literal
from notochord.core.flat_text import flattened

Tool = dict[str, Any]

_LONGEST = 500
"""Characters of a name or of the choices in the prompt; the grammar knows them whole."""

ANSWER = "Answer:"
TOOL = "Tool:"
ARGUMENTS = "Arguments:"


@dataclass(frozen=True, slots=True)
class Move:
    """What the model chose: a tool with the raw text of its arguments, or (with no tool) to answer."""

    tool: str
    arguments: str


def instructions(tools: Sequence[Tool]) -> str:
    """Return what stands in the system prompt about the tools."""
    lines = ["You can use tools. The tools are:"]
    lines += [f"- {tool['name']}: {tool['description']} {_signature(tool['schema'])}".rstrip() for tool in tools]
    lines += [
        "",
        f"To use a tool, write `{TOOL}` and its name, then `{ARGUMENTS}` and a JSON object.",
        f"When no tool is needed, or you have its result, write `{ANSWER}` and your answer.",
    ]
    return "\n".join(lines)


def call_text(name: str, arguments: str) -> str:
    """Return a call as the model wrote it, for the conversation."""
    return f"{TOOL} {name}\n{ARGUMENTS} {arguments}"


def answer_text(text: str) -> str:
    """Return an answer as the model wrote it, for a conversation with tools."""
    return f"{ANSWER} {text}"


def result_text(name: str, text: str, *, failed: bool) -> str:
    """Return a tool's result as the model reads it."""
    return f"{'Error' if failed else 'Result'} of {name}:\n{text}"


def grammar(tools: Sequence[Tool]) -> str:
    """Return the GBNF grammar of one move."""
    rules = SchemaGrammar()
    moves = [literal(ANSWER)]
    for tool in tools:
        head = call_text(tool["name"], "")
        moves.append(f"{literal(head)} {rules.add(tool['schema'])}")
    return rules.text(" | ".join(moves))


def read_move(text: str) -> Move | None:
    """Return the move that `text` is, as soon as it says to answer, or holds a whole call; None before."""
    if text.startswith(ANSWER):
        return Move("", "")
    head, separator, arguments = text.partition(f"\n{ARGUMENTS} ")
    if not separator or not head.startswith(f"{TOOL} "):
        return None
    return Move(head.removeprefix(f"{TOOL} "), arguments)


def _signature(schema: dict[str, Any]) -> str:
    """Return the arguments in one line: `path (string), limit (integer, optional)`."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not properties:
        return ""
    required = schema.get("required", [])
    named = [_property(name, part, name in required) for name, part in properties.items()]
    return f"Arguments: {', '.join(named)}."


def _property(name: str, part: Any, required: bool) -> str:
    """Return one argument. Its texts may be a gem's: on one line, so that they cannot pose as the program's words."""
    part = part if isinstance(part, dict) else {}
    kind = (
        "one of " + "/".join(map(str, part["enum"])) if isinstance(part.get("enum"), list) else part.get("type", "any")
    )
    said = f": {flattened(str(part['description']))}" if part.get("description") else ""
    return f"{flattened(name, _LONGEST)} ({flattened(str(kind), _LONGEST)}{'' if required else ', optional'}{said})"
