"""What the providers document to refuse, as checks of a request's body."""

import json
import re
from typing import Any

Body = dict[str, Any]

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
TOP_LEVEL = {"anyOf", "oneOf", "allOf", "enum", "not"}
OPENAI_FIELDS = {
    "model",
    "messages",
    "stream",
    "stream_options",
    "tools",
    "tool_choice",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "seed",
}
ANTHROPIC_FIELDS = {"model", "messages", "max_tokens", "stream", "system", "tools", "tool_choice", "temperature"}
LONGEST_DESCRIPTION = 1_024


class Refused(Exception):
    """Why a request is refused."""


def require(condition: object, reason: str) -> None:
    if not condition:
        raise Refused(reason)


def only(body: Body, fields: set[str], where: str) -> None:
    require(set(body) <= fields, f"{where}: unknown fields {sorted(set(body) - fields)}")


def check_openai(body: Body, issued: frozenset[str]) -> None:
    """Refuse what an OpenAI-compatible server refuses. `issued` is of no concern to this format."""
    only(body, OPENAI_FIELDS, "request")
    require(isinstance(body.get("model"), str) and body["model"], "model is required")
    require(body.get("messages"), "messages must not be empty")
    require("stream_options" not in body or body.get("stream"), "stream_options needs stream")
    names = [_openai_tool(tool) for tool in body.get("tools", [])]
    require("tools" not in body or names, "tools must not be empty")
    require(len(set(names)) == len(names), "tool names must be unique")
    waiting: list[str] = []
    previous = ""
    for number, message in enumerate(body["messages"]):
        where = f"messages.{number}"
        role = message.get("role")
        require(role in ("system", "user", "assistant", "tool"), f"{where}: unknown role {role}")
        require(role != "system" or number == 0, f"{where}: system must come first")
        require(role == "tool" or not waiting, f"{where}: tool_call_ids {waiting} did not have response messages")
        require(role == "tool" or role != previous, f"{where}: roles must alternate")
        previous = role
        if role == "tool":
            only(message, {"role", "tool_call_id", "content"}, where)
            require(message.get("tool_call_id") in waiting, f"{where}: tool message must follow its tool_calls")
            waiting.remove(message["tool_call_id"])
            require(isinstance(message.get("content"), str) and message["content"], f"{where}: empty tool message")
        elif role == "assistant":
            waiting = _openai_assistant(message, where)
        else:
            only(message, {"role", "content"}, where)
            require(isinstance(message.get("content"), str) and message["content"].strip(), f"{where}: empty content")
    require(not waiting, f"tool_call_ids {waiting} did not have response messages")
    require(previous in ("user", "tool"), "the last message must be of the user or a tool")


def _openai_assistant(message: Body, where: str) -> list[str]:
    fields = {"role", "content", "tool_calls", "reasoning_details"}
    if message.get("tool_calls"):
        fields |= {"reasoning_content", "reasoning"}
    only(message, fields, where)
    calls = message.get("tool_calls")
    require(calls is None or calls, f"{where}: tool_calls must not be empty")
    require(calls or (message.get("content") or "").strip(), f"{where}: content or tool_calls is required")
    for call in calls or ():
        only(call, {"id", "type", "function", "extra_content"}, f"{where}.tool_calls")
        require(CALL_ID.fullmatch(call.get("id", "")), f"{where}: invalid tool call id {call.get('id')!r}")
        require(call.get("type") == "function", f"{where}: a call's type is function")
        only(call["function"], {"name", "arguments"}, f"{where}.function")
        require(NAME.fullmatch(call["function"]["name"]), f"{where}: invalid name {call['function']['name']!r}")
        require(_is_object(call["function"]["arguments"]), f"{where}: arguments must be a JSON object")
    ids = [call["id"] for call in calls or ()]
    require(len(set(ids)) == len(ids), f"{where}: ids must be unique")
    return ids


def _openai_tool(tool: Body) -> str:
    only(tool, {"type", "function"}, "tool")
    function = tool["function"]
    only(function, {"name", "description", "parameters"}, "function")
    _tool(function["name"], function.get("description", ""), function.get("parameters"))
    return str(function["name"])


def _tool(name: str, description: str, schema: Any) -> None:
    require(NAME.fullmatch(name), f"invalid tool name {name!r}")
    require(len(description) <= LONGEST_DESCRIPTION, f"{name}: description is too long")
    require(isinstance(schema, dict) and schema.get("type") == "object", f"{name}: schema must have type object")
    require(
        not TOP_LEVEL & set(schema), f"{name}: schema must not have oneOf, anyOf, allOf, enum or not at the top level"
    )
    _schema(schema, name)


def _schema(schema: Any, name: str) -> None:
    if isinstance(schema, list):
        for item in schema:
            _schema(item, name)
    elif isinstance(schema, dict):
        require("$ref" not in schema and "$defs" not in schema, f"{name}: references are not supported")
        properties = schema.get("properties")
        for key in properties if isinstance(properties, dict) else ():
            require(PROPERTY.fullmatch(key), f"{name}: invalid property name {key!r}")
        for key, value in schema.items():
            _schema(list(value.values()) if key == "properties" else value, name)


def check_anthropic(body: Body, issued: frozenset[str]) -> None:
    """Refuse what Anthropic's server refuses. `issued`: the signatures it gave."""
    only(body, ANTHROPIC_FIELDS, "request")
    for field in ("model", "messages", "max_tokens"):
        require(body.get(field), f"{field}: Field required")
    require(0 <= body.get("temperature", 0) <= 1, "temperature: must be between 0 and 1")
    require("system" not in body or body["system"].strip(), "system: text content blocks must be non-empty")
    for tool in body.get("tools", []):
        only(tool, {"name", "description", "input_schema"}, "tool")
        _tool(tool["name"], tool.get("description", ""), tool.get("input_schema"))
    seen: set[str] = set()
    waiting: list[str] = []
    for number, message in enumerate(body["messages"]):
        where = f"messages.{number}"
        only(message, {"role", "content"}, where)
        wanted = "assistant" if number % 2 else "user"
        require(message["role"] == wanted, f"{where}: roles must alternate, beginning with user")
        require(isinstance(message["content"], list) and message["content"], f"{where}: content must be non-empty")
        if wanted == "user":
            _anthropic_user(message["content"], waiting, where)
            waiting = []
        else:
            waiting = _anthropic_assistant(message["content"], seen, issued, where)
    require(not waiting, f"tool_use ids {waiting} were found without tool_result blocks")
    require(body["messages"][-1]["role"] == "user", "the conversation must end with a user message")


def _anthropic_user(blocks: list[Body], waiting: list[str], where: str) -> None:
    results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    require(
        sorted(results) == sorted(waiting), f"{where}: tool_use ids {waiting} need tool_result blocks, not {results}"
    )
    kinds = [block["type"] for block in blocks]
    require(kinds == sorted(kinds, key=lambda kind: kind != "tool_result"), f"{where}: tool_result must come first")
    for block in blocks:
        require(block["type"] in ("text", "tool_result"), f"{where}: unexpected block {block['type']}")
        if block["type"] == "text":
            _text(block, where)
        else:
            only(block, {"type", "tool_use_id", "content", "is_error"}, where)
            require(block.get("content", "x"), f"{where}: tool_result content must be non-empty")


def _anthropic_assistant(blocks: list[Body], seen: set[str], issued: frozenset[str], where: str) -> list[str]:
    calls: list[str] = []
    for block in blocks:
        match block["type"]:
            case "text":
                require(not calls, f"{where}: text after tool_use")
                _text(block, where)
            case "thinking":
                only(block, {"type", "thinking", "signature"}, where)
                require(block.get("signature") in issued, f"{where}: Invalid `signature` in `thinking` block")
                require(not calls, f"{where}: thinking after tool_use")
            case "redacted_thinking":
                only(block, {"type", "data"}, where)
            case "tool_use":
                only(block, {"type", "id", "name", "input"}, where)
                require(re.fullmatch(r"[a-zA-Z0-9_-]+", block["id"]), f"{where}: invalid id {block['id']!r}")
                require(block["id"] not in seen, f"{where}: `tool_use` ids must be unique")
                require(NAME.fullmatch(block["name"]), f"{where}: invalid name {block['name']!r}")
                require(isinstance(block["input"], dict), f"{where}: input must be an object")
                seen.add(block["id"])
                calls.append(block["id"])
            case kind:
                raise Refused(f"{where}: unexpected block {kind}")
    return calls


def _text(block: Body, where: str) -> None:
    only(block, {"type", "text"}, where)
    require(block["text"].strip(), f"{where}: text content blocks must contain non-whitespace text")


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
