"""Owns llama.cpp within the child: loads one model file and writes one answer at a time, in one thread."""

import codecs
import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from notochord.adapters.local_models import tool_grammar
from notochord.adapters.local_models.prompt import Message, turns, without_marks
from notochord.adapters.local_models.repetition import repeats_itself

if TYPE_CHECKING:
    from llama_cpp import Llama

USUAL_CONTEXT = 8_192
USUAL_TEMPERATURE = 0.3
EVALUATED_AT_ONCE = 256
REPETITION_CHECKED_EVERY = 16
"""Tokens."""
_MOST_THREADS = 16
_RANDOM_SEED = 0xFFFFFFFF
_CONTROL = 1 << 3  # llama.cpp's LLAMA_TOKEN_ATTR_CONTROL

Stopped = Callable[[], bool]


class TooLong(Exception):
    """The conversation has more tokens than the model can read."""


class LoadFailed(Exception):
    """llama.cpp did not take the file."""


class Cancelled(Exception):
    """Nobody wants the answer any more."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to write: `limit` is in tokens, 0 for as many as fit."""

    system: str
    messages: Sequence[Message]
    tools: Sequence[tool_grammar.Tool]
    limit: int
    temperature: float
    seed: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an answer ended."""

    finish: str
    input_tokens: int
    output_tokens: int
    call: tool_grammar.Move | None
    moves: int


class Engine:
    """One loaded model. `progress` hears from 0 to 1 while it loads."""

    def __init__(self, path: str, trained_context: int, progress: Callable[[float], None]) -> None:
        self._path = path
        self._trained = trained_context or USUAL_CONTEXT
        self._llama = self._load(min(self._trained, USUAL_CONTEXT), progress)
        self._marks = self._control_marks()
        self._template = self._chat_template()

    def write(self, order: Order, emit: Callable[[str], None], stopped: Stopped) -> Outcome:
        """Write one answer, giving its text to `emit` as it comes. Raises TooLong, Cancelled."""
        tokens = self._tokens(order)
        self._make_room(len(tokens) + (order.limit or 256))
        room = self._llama.n_ctx() - len(tokens) - 1
        limit = min(order.limit or room, room)
        if limit < 1:
            raise TooLong(f"{len(tokens)} tokens, the model reads {self._llama.n_ctx()}")
        self._read(tokens, stopped)
        self._llama.set_seed(_RANDOM_SEED if order.seed is None else order.seed)
        writing = _Writing(self._llama, tokens, order, limit, stopped)
        if not order.tools:
            return writing.answer(emit, moves=0)
        return writing.move(emit)

    def _load(self, context: int, progress: Callable[[float], None]) -> "Llama":
        from llama_cpp import Llama

        threads = max(1, min((os.cpu_count() or 2) - 1, _MOST_THREADS))
        try:
            with _progress(progress):
                return Llama(
                    self._path,
                    n_ctx=context,
                    n_batch=512,
                    n_threads=threads,
                    n_threads_batch=threads,
                    verbose=False,
                )
        except (ValueError, OSError, RuntimeError) as error:
            raise LoadFailed(str(error)) from error

    def _make_room(self, wanted: int) -> None:
        """Open the model again with a larger context, up to what it was trained for."""
        have = self._llama.n_ctx()
        if wanted <= have or have >= self._trained:
            return
        context = have
        while context < min(wanted, self._trained):
            context *= 2
        self._llama.close()
        self._llama = self._load(min(context, self._trained), lambda share: None)

    def _tokens(self, order: Order) -> list[int]:
        conversation = [
            {"role": turn["role"], "content": without_marks(turn["content"], self._marks)}
            for turn in turns(order.system, order.messages, order.tools)
        ]
        written = self._template(messages=conversation)
        prompt = str(written.prompt).encode("utf-8", "replace")
        return self._llama.tokenize(prompt, add_bos=not written.added_special, special=True)

    def _read(self, tokens: list[int], stopped: Stopped) -> None:
        """Evaluate the prompt step by step, beginning where it differs from what was read before."""
        llama = self._llama
        known = [int(token) for token in llama.input_ids[: llama.n_tokens]]
        same = 0
        while same < min(len(known), len(tokens) - 1) and known[same] == tokens[same]:
            same += 1
        llama.n_tokens = same
        for start in range(same, len(tokens) - 1, EVALUATED_AT_ONCE):
            if stopped():
                raise Cancelled
            llama.eval(tokens[start : min(start + EVALUATED_AT_ONCE, len(tokens) - 1)])

    def _chat_template(self) -> Any:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        llama = self._llama
        template = llama.metadata.get("tokenizer.chat_template") or _PLAIN_TEMPLATE
        return Jinja2ChatFormatter(
            template=template, eos_token=self._mark(llama.token_eos()), bos_token=self._mark(llama.token_bos())
        )

    def _mark(self, token: int) -> str:
        return self._llama._model.token_get_text(token) if token >= 0 else ""

    def _control_marks(self) -> re.Pattern[str] | None:
        model = self._llama._model
        control = (token for token in range(self._llama.n_vocab()) if model.token_get_attr(token) & _CONTROL)
        texts = sorted({self._mark(token) for token in control} - {""}, key=len, reverse=True)
        long_enough = [text for text in texts if len(text) > 1]
        return re.compile("|".join(map(re.escape, long_enough))) if long_enough else None


_PLAIN_TEMPLATE = (
    "{% for message in messages %}{{ message['role'] | capitalize }}: {{ message['content'] }}\n\n{% endfor %}"
    "Assistant:"
)


class _Writing:
    """One answer under way."""

    def __init__(self, llama: "Llama", prompt: list[int], order: Order, limit: int, stopped: Stopped) -> None:
        self._llama = llama
        self._prompt = len(prompt)
        self._tokens = list(prompt)
        self._order = order
        self._limit = limit
        self._stopped = stopped

    def answer(self, emit: Callable[[str], None], *, moves: int) -> Outcome:
        """Write freely until the model is done."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        first = moves > 0
        for piece in self._pieces(None):
            text = decoder.decode(piece)
            if first:
                text = text.lstrip()
            if text:
                first = False
                emit(text)
        rest = decoder.decode(b"", final=True)
        if rest:
            emit(rest)
        return self._outcome(None, moves)

    def move(self, emit: Callable[[str], None]) -> Outcome:
        """Let the model choose among all tools and the answer."""
        from llama_cpp.llama_grammar import LlamaGrammar

        tools = self._order.tools
        moves = len(tools) + 1
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        written = ""
        for piece in self._pieces(LlamaGrammar.from_string(tool_grammar.grammar(tools), verbose=False)):
            written += decoder.decode(piece)
            move = tool_grammar.read_move(written)
            if move is not None and not move.tool:
                return self.answer(emit, moves=moves)
        return self._outcome(tool_grammar.read_move(written), moves)

    def _pieces(self, grammar: Any) -> Iterator[bytes]:
        """Yield the bytes of each token, until the model ends or repeats itself, or the limit is reached."""
        from llama_cpp import llama_cpp

        vocabulary = self._llama._model.vocab
        start = list(self._tokens)
        tokens = self._llama.generate(start, temp=self._order.temperature, grammar=grammar)
        with contextlib.closing(tokens):
            for token in tokens:
                if self._stopped():
                    raise Cancelled
                if llama_cpp.llama_vocab_is_eog(vocabulary, token):
                    self._ended = True
                    return
                self._tokens.append(token)
                yield self._llama.detokenize([token])
                written = len(self._tokens) - self._prompt
                if written % REPETITION_CHECKED_EVERY == 0 and repeats_itself(self._tokens[self._prompt :]):
                    self._ended = True
                    return
                if written >= self._limit:
                    return

    _ended = False

    def _outcome(self, call: tool_grammar.Move | None, moves: int) -> Outcome:
        finish = "tools" if call and self._ended else "stop" if self._ended else "length"
        return Outcome(finish, self._prompt, len(self._tokens) - self._prompt, call, moves)


@contextlib.contextmanager
def _progress(hear: Callable[[float], None]) -> Iterator[None]:
    """Let llama.cpp tell how far it is; the Python binding has no parameter for that."""
    from llama_cpp import llama_cpp

    usual = llama_cpp.llama_model_default_params

    def with_progress() -> Any:
        parameters = usual()
        parameters.progress_callback = callback
        return parameters

    def tell(share: float, _data: object) -> bool:
        hear(share)
        return True

    callback = llama_cpp.llama_progress_callback(tell)
    llama_cpp.llama_model_default_params = with_progress
    try:
        yield
    finally:
        llama_cpp.llama_model_default_params = usual
