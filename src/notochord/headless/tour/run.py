"""Walks through the main job in an open organization and checks what came out."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import shipped
from notochord.core.strict_json import Json
from notochord.headless.exchange import Exchange, show, tell
from notochord.headless.services import Services
from notochord.headless.tour.ledger import NAME, make_ledger, monthly_totals, totals_in
from notochord.headless.tour.stages import Stages
from notochord.headless.tour.transcript import Transcript
from notochord.services.approvals.api import ApprovalRequested
from notochord.services.chat.api import Chat, ChatEvent, NewChat, Outgoing

REQUEST = f"Please make a monthly summary of {NAME}."
GEM = "sales-summary"
_TABLE = "output/summary.csv"


@dataclass(frozen=True, slots=True)
class TourOptions:
    """`model` is empty for the small local one; `keep` is a folder for input, transcript and results."""

    model: str
    keep: Path | None
    seed: int


async def take_tour(
    services: Services, exchange: Exchange, stages: Stages, options: TourOptions, scratch: Path
) -> None:
    """Install the gem, ask for the summary, check the file. Raises NotochordError(TOUR_FAILED) if it is wrong."""
    with stages.stage("gem"):
        gem = await services.gems.install(shipped("resources") / "gems" / f"{GEM}.gem")
    await tell(exchange, "tour.gem", name=gem.name, version=gem.version, trust=str(gem.trust))
    ledger = make_ledger(options.seed)
    source = scratch / NAME
    await asyncio.to_thread(source.write_bytes, ledger.content)
    expected = monthly_totals(ledger)
    chat = await services.chats.create(NewChat(model=options.model))
    await tell(exchange, "tour.asks", text=REQUEST, file=NAME, bytes=len(ledger.content))
    transcript = Transcript()
    async with _shown(services, exchange, chat, transcript):
        with stages.stage("answer"):
            entry = await services.chats.send(chat.id, Outgoing(REQUEST, (source,)), seed=options.seed)
    with stages.stage("check"):
        produced = await asyncio.to_thread(_produced, chat.folder)
        ended = entry.error or ("" if entry.state in ("done", "cut_off") else entry.state)
        problem = verdict(ended, transcript, produced, expected)
    if options.keep is not None:
        await asyncio.to_thread(_keep, options.keep, ledger.content, transcript, produced)
    await _report(exchange, stages, transcript, produced, expected, problem)
    if problem:
        raise NotochordError(Code.TOUR_FAILED, Fault.MODEL, problem, reason=problem)


@asynccontextmanager
async def _shown(services: Services, exchange: Exchange, chat: Chat, transcript: Transcript) -> AsyncIterator[None]:
    """Show each event as it comes, and answer the gem's question with yes, in the open."""
    lines: asyncio.Queue[str | ApprovalRequested | None] = asyncio.Queue()

    def hear(event: ChatEvent) -> None:
        if event.chat == chat.id and (line := transcript.hear(event.event)):
            lines.put_nowait(line)

    async def follow() -> None:
        while (line := await lines.get()) is not None:
            if isinstance(line, str):
                await exchange.say(line)
                continue
            question = line.approval.question
            allowed = question.kind == "gem" and question.subject == GEM
            await services.approvals.decide(line.approval.id, approve=allowed, by="tour")
            key = "tour.allowed" if allowed else "tour.refused"
            await tell(exchange, key, title=question.title, arguments=question.arguments)

    endings = (
        services.events.subscribe(ChatEvent, hear),
        services.events.subscribe(ApprovalRequested, lines.put_nowait),
    )
    following = asyncio.create_task(follow(), name="tour/follow")
    try:
        yield
    finally:
        for end in endings:
            end()
        lines.put_nowait(None)
        await following


def _produced(folder: Path) -> Mapping[str, str]:
    """Return the texts of the files that runs left, by their path in the conversation's folder."""
    found = sorted(path for path in (folder / "runs").glob("*/output/*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}


def verdict(error: str, transcript: Transcript, produced: Mapping[str, str], expected: Mapping[str, Decimal]) -> str:
    """Return what went wrong; empty if the model called the gem, and every table it left is right."""
    tables = [text for path, text in produced.items() if path.endswith(_TABLE)]
    if not transcript.gem_calls:
        return f"the model did not get the gem's tool to work{f' ({error})' if error else ''}"
    if not tables:
        return "the gem left no table"
    try:
        wrong = [table for table in tables if totals_in(table) != expected]
    except ValueError as problem:
        return str(problem)
    if wrong:
        return "the table differs from the totals computed apart"
    return f"the answer ended with {error}" if error else ""


def _keep(folder: Path, content: bytes, transcript: Transcript, produced: Mapping[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes(content)
    (folder / "transcript.txt").write_text("\n".join(transcript.lines) + "\n", "utf-8")
    for path, text in produced.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")


async def _report(
    exchange: Exchange,
    stages: Stages,
    transcript: Transcript,
    produced: Mapping[str, str],
    expected: Mapping[str, Decimal],
    problem: str,
) -> None:
    times = stages.seconds()
    value: Json = {
        "succeeded": not problem,
        "problem": problem,
        "steps": list(transcript.steps),
        "transcript": list(transcript.lines),
        "files": dict(produced),
        "expected": {month: str(total) for month, total in expected.items()},
        "seconds": dict(times),
    }
    said = exchange.sentences.sentence
    blocks = [f"{said('tour.file', path=path)}\n\n{text}" for path, text in produced.items() if path.endswith(".md")]
    blocks += [said("tour.checked", months=len(expected))] if not problem else []
    blocks += [said("tour.times"), *(f"  {said(f'tour.stage.{name}')}: {time:.2f} s" for name, time in times.items())]
    await show(exchange, value, "\n".join(blocks))
