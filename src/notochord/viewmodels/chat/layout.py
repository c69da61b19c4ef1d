"""Turns the record of a conversation, and what is arriving, into the pieces of its transcript."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json, decode
from notochord.services.approvals.api import Approval, ApprovalState
from notochord.services.chat.api import Entry
from notochord.services.models.api import Reasoning, Role, Text, ToolCall, ToolResult
from notochord.services.tools.api import OutcomeState
from notochord.viewmodels.chat.failures import WORDLESS
from notochord.viewmodels.chat.live import LiveCall, LiveStep
from notochord.viewmodels.chat.pieces import (
    Attached,
    CallMade,
    CallState,
    Ended,
    Piece,
    PlanProposed,
    Said,
    Who,
)

PLAN_TOOL = "propose_plan"
MOST_FILES = 20

Questions = Mapping[str, Approval]
"""What waits for an answer, by the id of the call that asks."""


@dataclass(frozen=True, slots=True)
class Block:
    """A message, and how its calls went; `prefix` begins the keys of its pieces."""

    entry: Entry
    results: Entry | None
    prefix: str


def blocks_of(entries: Sequence[Entry], prefixes: Mapping[str, str]) -> list[Block]:
    """Put replies together with the entries of their results; an entry that was seen streaming keeps its prefix."""
    found: list[Block] = []
    for entry in entries:
        if entry.message.role is not Role.TOOL:
            found.append(Block(entry, None, prefixes.get(entry.id, entry.id)))
        elif found and found[-1].entry.id == entry.parent:
            found[-1] = Block(found[-1].entry, entry, found[-1].prefix)
    return found


def pieces_of(
    block: Block,
    *,
    questions: Questions,
    leads: bool = True,
    opening: Entry | None = None,
    live: LiveStep | None = None,
    last: bool = False,
    error: NotochordError | None = None,
) -> Iterator[Piece]:
    """Yield the pieces of a recorded message; `live` tells when its calls began.

    `leads`: its first text is the first one of its turn, and says who speaks. `opening` is what the answer that the
    message belongs to began with, perhaps a call without a word: the first text stands for its alternatives too.
    """
    entry = block.entry
    counts = {"said": 0, "thought": 0}
    for part in entry.message.parts:
        match part:
            case Text(text) if entry.message.role is Role.USER or not _blank(text):
                who = Who.USER if entry.message.role is Role.USER else Who.ASSISTANT
                yield _said(block, who, text, counts, leads=leads, opening=opening if leads else None)
                leads = False
            case Reasoning(text) if not _blank(text):
                yield _said(block, Who.REASONING, text, counts, leads=False)
            case ToolCall():
                yield _call(block, part, questions, live)
            case _:
                continue
    if entry.attachments:
        yield Attached(f"{block.prefix}/files", entry.id, entry.attachments)
    state = WORDLESS if leads and _ended_wordless(entry) else entry.state
    if state != "done":
        shown = _shown(entry, opening)
        yield Ended(
            f"{block.prefix}/end", entry.id, state, entry.error, last, error if last else None,
            shown.siblings if leads else (), shown.id, entry.model, leads,
        )  # fmt: skip


def _ended_wordless(entry: Entry) -> bool:
    """Tell whether a reply ended its answer as it should: no call follows, and nothing was said."""
    calls = any(isinstance(part, ToolCall) for part in entry.message.parts)
    return entry.message.role is Role.ASSISTANT and entry.state == "done" and not calls


def has_text(block: Block) -> bool:
    """Tell whether a message says something."""
    return any(isinstance(part, Text) and not _blank(part.text) for part in block.entry.message.parts)


def live_pieces(step: LiveStep, *, questions: Questions, leads: bool = True) -> Iterator[Piece]:
    """Yield the pieces of a step that is not recorded yet."""
    if thought := "".join(step.thought):
        thinking = not step.said and not step.ended
        yield Said(f"{step.prefix}/thought0", "", Who.REASONING, thought, streaming=thinking, leads=False)
    if said := "".join(step.said):
        key = f"{step.prefix}/said0"
        yield Said(key, "", Who.ASSISTANT, said, streaming=not step.ended, leads=leads)
    for identifier, call in step.calls.items():
        yield _live_call(step.prefix, identifier, call, questions)


def _said(
    block: Block, who: Who, text: str, counts: dict[str, int], *, leads: bool, opening: Entry | None = None
) -> Said:
    kind = "thought" if who is Who.REASONING else "said"
    key = f"{block.prefix}/{kind}{counts[kind]}"
    counts[kind] += 1
    entry = block.entry
    shown = _shown(entry, opening)
    return Said(key, entry.id, who, text, entry.at, entry.model, shown.siblings, leads=leads, among=shown.id)


def _shown(entry: Entry, opening: Entry | None) -> Entry:
    """Return which of the two has the alternatives."""
    return opening if opening and len(entry.siblings) < 2 else entry


def _call(block: Block, part: ToolCall, questions: Questions, live: LiveStep | None) -> Piece:
    results = block.results
    known = next((call for call in results.calls if call.id == part.id), None) if results else None
    texts = results.message.parts if results else ()
    result = next((found.text for found in texts if isinstance(found, ToolResult) and found.call == part.id), "")
    state = CallState(known.state) if known else CallState.RECORDED
    code, milliseconds = (known.code, known.milliseconds) if known else ("", 0)
    arrived = live.calls.get(part.id) if live else None
    if arrived is not None and arrived.outcome is not None and not state.over and part.id not in questions:
        outcome = arrived.outcome  # others of the same reply still run, and the record is read when they are done
        state, result, code, milliseconds = _STATES[outcome.state], outcome.text, outcome.code, outcome.milliseconds
    key = f"{block.prefix}/call/{part.id}"
    question = None if state.over else questions.get(part.id)
    if part.name == PLAN_TOOL:
        return _plan(key, block.entry.id, part.id, part.arguments, state, result, question)
    began = arrived.began if arrived is not None else 0.0
    return CallMade(
        key, block.entry.id, part.id, part.name, part.arguments, state, result if state.over else "",
        code, milliseconds, began if not state.over else 0.0, question,
        produced_files(result) if state is CallState.DONE else (),
        known.reason if known else "",
    )  # fmt: skip


_STATES = {
    OutcomeState.DONE: CallState.DONE,
    OutcomeState.FAILED: CallState.FAILED,
    OutcomeState.REFUSED: CallState.REFUSED,
    OutcomeState.CANCELLED: CallState.CANCELLED,
}


def _live_call(prefix: str, identifier: str, call: LiveCall, questions: Questions) -> Piece:
    outcome = call.outcome
    state = _STATES[outcome.state] if outcome else CallState.RUNNING if call.began else CallState.RECORDED
    key, text = f"{prefix}/call/{identifier}", outcome.text if outcome else ""
    question = questions.get(identifier) if outcome is None else None
    if call.name == PLAN_TOOL:
        return _plan(key, "", identifier, call.arguments, state, text, question)
    return CallMade(
        key, "", identifier, call.name, call.arguments, state, text, outcome.code if outcome else "",
        outcome.milliseconds if outcome else 0, 0.0 if outcome else call.began, question,
        produced_files(text) if state is CallState.DONE else (),
        outcome.reason if outcome else "",
    )  # fmt: skip


def _plan(
    key: str, entry: str, call: str, arguments: str, state: CallState, result: str, question: Approval | None
) -> PlanProposed:
    told = _object(result) if state is CallState.DONE else {}
    return PlanProposed(
        key,
        entry,
        call,
        str(_object(arguments).get("plan", arguments)),
        state,
        approved=told.get("approved") is True,
        note=str(told.get("user_note", "")),
        approval=question,
        rejected=told.get("decision") == ApprovalState.REJECTED,
    )


def produced_files(result: str) -> tuple[str, ...]:
    """Return the paths that a result names as files or folders it left behind (PERM-080), at most a few."""
    found = _object(result)
    named: list[Json] = [found.get(key) for key in ("folder", "path", "file", "written", "edited")]
    named += [found.get("to")] if "moved" in found else []
    files = found.get("files")
    named += files if isinstance(files, list) else []
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str) and name))[:MOST_FILES]


def _blank(text: str) -> bool:
    return not text or text.isspace()


def _object(text: str) -> dict[str, Json]:
    try:
        found = decode(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
