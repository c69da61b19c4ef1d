"""Writes a conversation in the form of the model file's own chat template."""

import re
from collections.abc import Sequence
from typing import Any

from notochord.adapters.local_models import tool_examples, tool_grammar

Turn = dict[str, str]
Message = dict[str, Any]


def turns(system: str, messages: Sequence[Message], tools: Sequence[tool_grammar.Tool]) -> list[Turn]:
    """Return the turns for the template; results of tools are the user's, as templates of small models know no other.

    Neighbouring turns of one role become one, as many templates demand. With tools, examples come first.
    """
    parts = [system.strip()]
    if tools:
        parts.append(tool_grammar.instructions(tools))
    found: list[Turn] = []
    first = "\n\n".join(part for part in parts if part)
    if first:
        found.append({"role": "system", "content": first})
    names: dict[str, str] = {}
    for message in (*(tool_examples.messages() if tools else ()), *messages):
        turn = _turn(message, names, with_tools=bool(tools))
        if found and found[-1]["role"] == turn["role"]:
            found[-1] = {"role": turn["role"], "content": f"{found[-1]['content']}\n\n{turn['content']}"}
        else:
            found.append(turn)
    return found


def without_marks(text: str, marks: re.Pattern[str] | None) -> str:
    """Return `text` with the model's control marks broken, so that nobody's words can end a turn or open one."""
    return text if marks is None else marks.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)


def _turn(message: Message, names: dict[str, str], *, with_tools: bool) -> Turn:
    for call in message["calls"]:
        names[call["id"]] = call["name"]
    pieces = [message["text"]] if message["text"] else []
    if message["role"] == "assistant":
        if with_tools and pieces and not message["calls"]:
            pieces = [tool_grammar.answer_text(message["text"])]
        pieces += [tool_grammar.call_text(call["name"], call["arguments"]) for call in message["calls"]]
        return {"role": "assistant", "content": "\n".join(pieces)}
    pieces += [
        tool_grammar.result_text(names.get(result["call"], "tool"), result["text"], failed=result["failed"])
        for result in message["results"]
    ]
    return {"role": "user", "content": "\n\n".join(pieces)}
