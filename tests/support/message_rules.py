"""What the strictest providers demand of a list of messages."""

from notochord.services.models.api import Message, Role, Text, ToolCall, ToolResult


def broken_rules(messages: tuple[Message, ...]) -> list[str]:
    """Return what a strict provider would refuse; nothing if the list is acceptable."""
    found = []
    if not messages or messages[0].role is not Role.USER:
        found.append("the first message is not the user's")
    if messages and messages[-1].role is Role.ASSISTANT:
        found.append("the last message is the model's own")
    for index, message in enumerate(messages):
        following = messages[index + 1] if index + 1 < len(messages) else None
        found += _within(index, message)
        found += _between(index, message, following)
    return found


def _within(index: int, message: Message) -> list[str]:
    found = [] if message.parts else [f"message {index} is empty"]
    found += [f"a text of message {index} is blank" for part in message.parts if is_blank(part)]
    kinds = [isinstance(part, ToolCall) for part in message.parts]
    if kinds != sorted(kinds):
        found.append(f"something follows a call in message {index}")
    identifiers = [part.id for part in message.parts if isinstance(part, ToolCall)]
    if len(set(identifiers)) != len(identifiers) or "" in identifiers:
        found.append(f"the ids of the calls in message {index} are not unique")
    return found


def _between(index: int, message: Message, following: Message | None) -> list[str]:
    found = []
    calls = [part.id for part in message.parts if isinstance(part, ToolCall)]
    next_parts = following.parts if following and following.role is Role.TOOL else ()
    results = [part.call for part in next_parts if isinstance(part, ToolResult)]
    if calls != results:
        found.append(f"the calls {calls} of message {index} have the results {results}")
    if following and message.role is following.role:
        found.append(f"messages {index} and {index + 1} have the same role")
    return found


def is_blank(part: object) -> bool:
    return isinstance(part, Text) and not part.text.strip()
