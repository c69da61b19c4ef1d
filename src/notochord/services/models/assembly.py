"""Puts the pieces of one stream together: events for those who watch, and in the end the whole message."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from notochord.core import strict_json
from notochord.core.special_tokens import without_trailing_special_tokens
from notochord.core.surrogates import SurrogateMender, mended
from notochord.services.models.api import (
    Finish,
    Message,
    Part,
    Reasoning,
    ReasoningDelta,
    Role,
    Text,
    TextDelta,
    ToolCall,
)
from notochord.services.models.ports import (
    CallPiece,
    FailureKind,
    ProviderFailure,
    ReasoningPiece,
    ReasoningSeal,
    Spent,
    Stopped,
    TextPiece,
)
from notochord.services.models.think import Span, ThinkParser

LARGEST_REPLY = 4 * 1024 * 1024
"""Characters of one reply, reasoning and arguments included: some million tokens. More is no answer but a flood."""

MOST_CALLS = 256
_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")

Delta = TextDelta | ReasoningDelta


@dataclass
class _Call:
    id: str
    name: str
    index: int
    opaque: str = ""
    arguments: list[str] = field(default_factory=list)

    @property
    def raw(self) -> str:
        return mended("".join(self.arguments))

    @property
    def complete(self) -> bool:
        text = self.raw.strip()
        return text.startswith("{") and text.endswith("}") and is_object(text)


@dataclass
class _Thought:
    text: list[str] = field(default_factory=list)
    opaque: str = ""


class Assembly:
    """Collects one reply. `new_id` makes an id for a call that came without one, or with one in `taken`."""

    def __init__(self, provider: str, *, tags: bool, new_id: Callable[[], str], taken: Iterable[str] = ()) -> None:
        self._provider = provider
        self._think = ThinkParser() if tags else None
        self._said = SurrogateMender()
        self._thought = SurrogateMender()
        self._new_id = new_id
        self._taken = set(taken)
        self._parts: list[list[str] | _Thought] = []
        self._calls: list[_Call] = []
        self._size = 0
        self.started = False
        self.input_tokens = 0
        self.output_tokens = 0
        self.stopped: Stopped | None = None

    @property
    def size(self) -> int:
        """Characters received so far."""
        return self._size

    def add(self, piece: TextPiece | ReasoningPiece | ReasoningSeal | CallPiece | Spent | Stopped) -> list[Delta]:
        """Take a piece. Raises ProviderFailure: BROKEN for a reply that cannot be put together, FLOOD."""
        match piece:
            case TextPiece(text):
                self._grow(len(text))
                return [*self._thinking(self._thought.end()), *self._speech(self._said.feed(text))]
            case ReasoningPiece(text):
                self._grow(len(text))
                return [*self._speech(self._said.end()), *self._thinking(self._thought.feed(text))]
            case ReasoningSeal(opaque):
                self._grow(len(opaque))
                deltas = self._thinking(self._thought.end())
                self._seal(mended(opaque))
                return deltas
            case CallPiece():
                self._grow(len(piece.arguments) + len(piece.name))
                self._call(replace(piece, name=mended(piece.name), opaque=mended(piece.opaque)))
            case Spent():
                self.input_tokens = max(self.input_tokens, piece.input_tokens)
                self.output_tokens = max(self.output_tokens, piece.output_tokens)
            case Stopped():
                self.stopped = piece
        return []

    def end(self) -> list[Delta]:
        """Return the last deltas, once no more pieces come."""
        deltas = [*self._thinking(self._thought.end()), *self._speech(self._said.end())]
        if self._think is None:
            return deltas
        deltas += [self._span(span) for span in self._think.finish(answer_needed=not self._calls) if span.text]
        if self._think.retold:
            self._take_from_reasoning(self._think.retold)
        return deltas

    def message(self) -> Message:
        """Return the whole message: texts and reasoning in their order, then the calls."""
        parts: list[Part] = []
        for part in self._parts:
            if isinstance(part, _Thought):
                text = "".join(part.text)
                if text or part.opaque:
                    parts.append(Reasoning(text, self._provider if part.opaque else "", part.opaque))
            elif text := "".join(part):
                parts.append(Text(text))
        if not any(isinstance(part, Text) and part.text.strip() for part in parts):
            parts = [part for part in parts if not isinstance(part, Text)]
        return Message(Role.ASSISTANT, (*parts, *(self._finished(call) for call in self._calls)))

    @property
    def finish(self) -> Finish:
        """Why the model stopped, as far as it fits what came."""
        said = self.stopped.finish if self.stopped else Finish.STOP
        if self._calls and said is Finish.STOP:
            return Finish.TOOLS
        return Finish.STOP if said is Finish.TOOLS and not self._calls else said

    def _grow(self, size: int) -> None:
        self.started = True
        self._size += size
        if self._size > LARGEST_REPLY:
            raise ProviderFailure(FailureKind.FLOOD, f"the reply has more than {LARGEST_REPLY} characters")

    def _thinking(self, text: str) -> list[Delta]:
        return [self._reasoning(text)] if text else []

    def _speech(self, text: str) -> list[Delta]:
        spans = self._think.feed(text) if self._think else [Span(text, reasoning=False)]
        return [self._span(span) for span in spans if span.text]

    def _span(self, span: Span) -> Delta:
        return self._reasoning(span.text) if span.reasoning else self._text(span.text)

    def _text(self, text: str) -> Delta:
        if not self._parts or not isinstance(self._parts[-1], list):
            self._parts.append([])
        last = self._parts[-1]
        assert isinstance(last, list)
        last.append(text)
        return TextDelta(text)

    def _reasoning(self, text: str) -> Delta:
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, _Thought) or last.opaque:
            last = _Thought()
            self._parts.append(last)
        last.text.append(text)
        return ReasoningDelta(text)

    def _seal(self, opaque: str) -> None:
        open_thought = next((part for part in reversed(self._parts) if isinstance(part, _Thought)), None)
        if open_thought is None or open_thought.opaque:
            self._parts.append(_Thought(opaque=opaque))
        else:
            open_thought.opaque = opaque

    def _take_from_reasoning(self, answer: str) -> None:
        """Unclosed reasoning that became the answer does not stay reasoning too."""
        for part in self._parts:
            text = "".join(part.text).rstrip() if isinstance(part, _Thought) else ""
            if isinstance(part, _Thought) and text.endswith(answer):
                part.text = [text.removesuffix(answer)]

    def _call(self, piece: CallPiece) -> None:
        call = self._meant(piece)
        if call is None:
            if len(self._calls) >= MOST_CALLS:
                raise ProviderFailure(FailureKind.BROKEN, f"more than {MOST_CALLS} tool calls in one reply")
            index = piece.index if piece.index is not None else len(self._calls)
            call = _Call(piece.id, piece.name, index)
            self._calls.append(call)
        elif piece.name and not call.name:
            call.name = piece.name
        call.opaque = piece.opaque or call.opaque
        call.arguments.append(piece.arguments)

    def _meant(self, piece: CallPiece) -> _Call | None:
        """Return the call that a piece continues; None if it begins one. An id is believed before an index."""
        if piece.id:
            same = next((call for call in reversed(self._calls) if call.id == piece.id), None)
            return None if same is None or (piece.name and same.complete) else same
        at_index = next((call for call in reversed(self._calls) if call.index == piece.index), None)
        if piece.name:
            continues = at_index is not None and at_index.name in ("", piece.name) and not at_index.complete
            return at_index if continues else None
        if at_index is not None:
            return at_index
        return self._only_open(piece)

    def _only_open(self, piece: CallPiece) -> _Call:
        if not self._calls:
            raise ProviderFailure(FailureKind.BROKEN, "arguments without a tool call")
        if piece.index is None or not piece.arguments.strip():
            return self._calls[-1]
        open_calls = [call for call in self._calls if not call.complete]
        if len(open_calls) != 1:
            raise ProviderFailure(FailureKind.BROKEN, "arguments that belong to no single tool call")
        return open_calls[0]

    def _finished(self, call: _Call) -> ToolCall:
        identifier = call.id
        if not _ID.fullmatch(identifier) or identifier in self._taken:
            identifier = self._new_id()
        self._taken.add(identifier)
        return ToolCall(
            identifier,
            call.name,
            clean_arguments(call.raw),
            self._provider if call.opaque else "",
            call.opaque,
        )


def clean_arguments(raw: str) -> str:
    """Return the arguments as the model meant them: nothing is `{}`, and internal marks behind an object go."""
    if not raw.strip():
        return "{}"
    if is_object(raw):
        return raw
    stripped = without_trailing_special_tokens(raw)
    return stripped if is_object(stripped) else raw


def is_object(text: str) -> bool:
    """Tell whether `text` is a JSON object."""
    try:
        return isinstance(strict_json.decode(text), dict)
    except (ValueError, json.JSONDecodeError):
        return False
