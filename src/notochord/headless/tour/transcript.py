"""What happened in the tour's conversation, as it happened, for the person to read."""

from dataclasses import dataclass, field

from notochord.core.strict_json import Json
from notochord.headless.printable import one_line
from notochord.services.agents.api import AgentEvent, CallEnded, CallStarted, StepEnded
from notochord.services.models.api import Text, ToolCall
from notochord.services.tools.api import OutcomeState

_LONGEST = 300


@dataclass(slots=True)
class Transcript:
    """Collects moves and results. Every line says how many moves were legal, so that nobody needs to believe us."""

    lines: list[str] = field(default_factory=list)
    steps: list[Json] = field(default_factory=list)
    gem_calls: int = 0

    def hear(self, event: AgentEvent) -> str:
        """Take an event and return the line to show for it; empty for none."""
        line = ""
        if isinstance(event, StepEnded):
            line = self._step(event)
        elif isinstance(event, CallStarted):
            line = f"    calls {event.name} {one_line(event.arguments, _LONGEST)}"
        elif isinstance(event, CallEnded):
            outcome = event.outcome
            if event.name.startswith("gem.") and outcome.state is OutcomeState.DONE:
                self.gem_calls += 1
            line = f"    {outcome.state}, {outcome.milliseconds} ms: {one_line(outcome.text, _LONGEST)}"
        if line:
            self.lines.append(line)
        return line

    def _step(self, event: StepEnded) -> str:
        parts = event.reply.message.parts
        calls = [part.name for part in parts if isinstance(part, ToolCall)]
        text = "".join(part.text for part in parts if isinstance(part, Text))
        chosen = ", ".join(calls) or "answer"
        self.steps.append(
            {
                "chosen": chosen,
                "tools_offered": event.tools_offered,
                "legal_moves": event.reply.legal_moves,
                "input_tokens": event.reply.input_tokens,
                "output_tokens": event.reply.output_tokens,
            }
        )
        legal = event.reply.legal_moves or event.tools_offered + 1
        said = f": {one_line(text, _LONGEST)}" if text else ""
        return f"  step {len(self.steps)}, {legal} legal moves, chose {chosen}{said}"
