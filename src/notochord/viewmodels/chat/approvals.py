"""What waits for the user's answer, wherever it was asked and whoever answers it."""

from collections.abc import Callable

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import ObservableList
from notochord.services.approvals.api import Approval, ApprovalDecided, ApprovalRequested, Approvals, ApprovalState

BY = "window"


class OpenQuestions:
    """Keeps `pending`, oldest first, equal to the questions that nobody has answered yet."""

    def __init__(self, *, approvals: Approvals, events: EventBus) -> None:
        self._approvals = approvals
        self.pending: ObservableList[Approval] = ObservableList()
        self._decided: set[str] = set()
        self._subscriptions: list[Unsubscribe] = [
            events.subscribe(ApprovalRequested, lambda event: self._asked(event.approval)),
            events.subscribe(ApprovalDecided, lambda event: self._answered(event.approval.id)),
        ]

    async def start(self) -> None:
        """Read what was asked before; what is asked or answered meanwhile is heard already."""
        for approval in await self._approvals.pending():
            self._asked(approval)

    def close(self) -> None:
        """Hear no more."""
        for unsubscribe in self._subscriptions:
            unsubscribe()

    def of(self, chat: str) -> tuple[Approval, ...]:
        """Return what a conversation asks, its sub-agents' questions included, oldest first."""
        return tuple(found for found in self.pending if found.question.caller.cause.conversation == chat)

    def watch(self, listener: Callable[[], None]) -> Unsubscribe:
        """Call `listener` after each change."""
        return self.pending.watch(lambda _: listener())

    async def approve(self, approval: str, note: str = "") -> None:
        """Say yes, to exactly what was shown; for a plan, `note` is what is to be different."""
        await self._decide(approval, approve=True, note=note)

    async def reject(self, approval: str, reason: str = "") -> None:
        """Say no; the agent is told the reason."""
        await self._decide(approval, approve=False, note=reason)

    async def ask_for_changes(self, approval: str, wish: str) -> None:
        """Have a plan proposed again, with what is to be different."""
        await self._decide(approval, approve=False, note=wish, changes=True)

    async def _decide(self, approval: str, *, approve: bool, note: str, changes: bool = False) -> None:
        """Answer. One that was answered from elsewhere meanwhile is no failure: the first answer holds."""
        try:
            await self._approvals.decide(approval, approve=approve, by=BY, note=note.strip(), changes=changes)
        except NotochordError as error:
            if error.code not in (Code.APPROVAL_DECIDED, Code.APPROVAL_UNKNOWN):
                raise
            self._answered(approval)

    def _asked(self, approval: Approval) -> None:
        known = any(found.id == approval.id for found in self.pending)
        if approval.state is ApprovalState.PENDING and not known and approval.id not in self._decided:
            self.pending.append(approval)

    def _answered(self, approval: str) -> None:
        self._decided.add(approval)
        for at, found in enumerate(self.pending):
            if found.id == approval:
                self.pending.remove(at)
                return
