"""What the transcript is told of pieces: whose words they are, how high cards are at first, what is copied."""

from notochord.ui.kit.transcript.entries import Role, TextEntry
from notochord.viewmodels.chat.pieces import (
    Asked,
    Attached,
    CallMade,
    Ended,
    Piece,
    PlanProposed,
    Said,
    SummedUp,
    WentBack,
    Who,
)

ROLES = {Who.USER: Role.USER, Who.ASSISTANT: Role.ASSISTANT, Who.REASONING: Role.REASONING}
GUESSES = {CallMade: 42, PlanProposed: 320, Asked: 180, Attached: 36, Ended: 84, SummedUp: 36, WentBack: 28}


def stands_close(piece: Piece, before: Piece | None) -> bool:
    """Tell whether a piece belongs to the one before it: the files of a message, the steps of an answer."""
    if before is None or isinstance(piece, SummedUp | WentBack) or isinstance(before, SummedUp | WentBack):
        return False
    asked = isinstance(before, Attached) or (isinstance(before, Said) and before.who is Who.USER)
    if isinstance(piece, Attached):
        return asked
    return not asked and not (isinstance(piece, Said) and piece.leads)


def head_of(entry: TextEntry) -> tuple[str, str, str]:
    """Return the line above a text."""
    return entry.who, entry.badge, entry.when


def text_of(piece: Piece) -> str:
    """Return what is copied and found of a card."""
    match piece:
        case CallMade(name=name, arguments=arguments, result=result):
            return "\n".join(part for part in (name, arguments, result) if part)
        case PlanProposed(plan=plan):
            return plan
        case Asked(approval=approval):
            return f"{approval.question.title}\n{approval.question.arguments}"
        case Attached(names=names):
            return "\n".join(names)
        case SummedUp(text=text):
            return text
        case _:
            return ""
