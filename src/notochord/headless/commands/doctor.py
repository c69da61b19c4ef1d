"""`notochord doctor`: is everything there, and in order?"""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, HomeCommand, HomeContext
from notochord.headless.exchange import Exchange
from notochord.headless.services import Finding, Health

_MARKS = {Health.GOOD: "✓", Health.NOTE: "·", Health.BAD: "✗"}


async def doctor(context: HomeContext, _: Arguments) -> None:
    """Show each finding as it comes; the command fails if one is bad."""
    exchange = context.exchange
    found: list[Finding] = []
    for probe in context.surroundings.probes:
        for finding in await probe.findings():
            found.append(finding)
            if not exchange.json:
                subject = _subject(finding, exchange)
                await exchange.write(f"{_MARKS[finding.health]} {subject}: {_told(finding, exchange)}\n")
    bad = sum(finding.health is Health.BAD for finding in found)
    if exchange.json:
        await exchange.emit({"healthy": not bad, "findings": [_as_json(finding, exchange) for finding in found]})
    if bad:
        raise NotochordError(Code.CHECKS_FAILED, Fault.SYSTEM, f"{bad} checks failed", count=bad)


def _subject(finding: Finding, exchange: Exchange) -> str:
    """Return what was checked: in the user's language, or the name of an organization or a product."""
    topic = finding.sentence.split(".")[1]
    key = f"doctor.subject.{topic}"
    told = exchange.sentences.sentence(key)
    return finding.subject if told == key else told


def _told(finding: Finding, exchange: Exchange) -> str:
    return exchange.sentences.sentence(finding.sentence, **finding.parameters)


def _as_json(finding: Finding, exchange: Exchange) -> Json:
    return {
        "subject": finding.subject,
        "health": str(finding.health),
        "check": finding.sentence,
        "text": _told(finding, exchange),
        **{name: value for name, value in finding.parameters.items() if name not in ("subject", "health")},
    }


COMMANDS: tuple[Command, ...] = (HomeCommand(("doctor",), doctor),)
