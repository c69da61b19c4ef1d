"""Plan mode's way out: the agent proposes a plan, a person decides, and the same answer carries it out."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, encode
from notochord.core.tasks import finish
from notochord.services.approvals.api import Approval, ApprovalQuestion, Approvals, ApprovalState
from notochord.services.chat import prompts
from notochord.services.tools.api import Session, SideEffect, ToolDefinition, ToolOutput, ToolProvider

PROPOSE_PLAN = ToolDefinition(
    name="propose_plan",
    description="Show the user the complete plan, in Markdown, and wait for the decision.",
    schema={
        "type": "object",
        "properties": {"plan": {"type": "string", "minLength": 1, "maxLength": 100_000}},
        "required": ["plan"],
        "additionalProperties": False,
    },
    side_effect=SideEffect.READ,
)


class PlanProvider(ToolProvider):
    """Offers `propose_plan` while a conversation is in plan mode."""

    def __init__(self, *, approvals: Approvals, leave_plan_mode: Callable[[str], Awaitable[None]]) -> None:
        self._approvals = approvals
        self._leave_plan_mode = leave_plan_mode

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        return (PROPOSE_PLAN,) if session.plan_mode else ()

    async def prompt(self, session: Session) -> str:
        return prompts.PLAN_MODE if session.plan_mode else ""

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        """Ask for the decision on exactly the text of the plan, and wait for it however long it takes."""
        conversation = session.caller.cause.conversation
        question = ApprovalQuestion(
            kind="plan",
            subject=conversation,
            title="Plan",
            arguments=encode({"plan": arguments["plan"]}),
            caller=session.caller,
            holds=False,
        )
        decided = await self._decision(question)
        if decided.state is ApprovalState.WITHDRAWN:
            raise NotochordError(Code.CANCELLED, Fault.USER, "the request was withdrawn")
        if decided.state is ApprovalState.APPROVED:
            await self._leave_plan_mode(conversation)
        return ToolOutput(_told(decided))

    async def _decision(self, question: ApprovalQuestion) -> Approval:
        asked = await self._approvals.ask(question)
        try:
            return await self._approvals.wait(asked.id)
        except asyncio.CancelledError:
            await finish(self._approvals.withdraw(asked.id))
            raise


_NEXT = {
    ApprovalState.APPROVED: "Plan mode is off. Carry the plan out now.",
    ApprovalState.CHANGES: "Revise the plan as the user asks and propose it again, or ask what is unclear.",
    ApprovalState.REJECTED: "The user does not want this plan. Do not carry it out and do not propose it again; "
    "ask what is wanted instead.",
}


def _told(decided: Approval) -> dict[str, Json]:
    approved = decided.state is ApprovalState.APPROVED
    told: dict[str, Json] = {"approved": approved, "decision": decided.state, "next": _NEXT[decided.state]}
    return {**told, "user_note": decided.note} if decided.note else told
