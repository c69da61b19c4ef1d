"""How much a guest may send, ask for, and take."""

from dataclasses import dataclass

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class GuestLimits:
    """Sizes in bytes, times in seconds. The guest's own program keeps to the first four and is killed beyond them."""

    message_bytes: int = 8 * MEBIBYTE
    attachment_bytes: int = 20 * MEBIBYTE
    outstanding: int = 64
    outstanding_bytes: int = 48 * MEBIBYTE
    answering: int = 16
    """Requests of one process that are worked on at once; the others wait."""
    noise_per_second: int = 2_000
    """Frames that ask for nothing and end nothing: log lines, answers to calls that never were."""
    start: float = 20.0
    grace: float = 0.5
    """How long a call that was stopped may take to end before its process is killed."""
    idle: float = 60.0
    idle_guests: int = 12
