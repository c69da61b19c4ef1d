"""A segment: some lines of Markdown whose parse depends on nothing around them but link definitions."""

from dataclasses import dataclass, field

from notochord.viewmodels.chat.markdown.fences import FenceHead


@dataclass(frozen=True, slots=True)
class Continuation:
    """What a segment needs to know of the list or table that it goes on with."""

    table_head: tuple[str, ...] = ()
    """The two head lines, parsed before the rows and then left out."""
    first_number: int | None = None
    """The number of the first item, where the list was cut between its items."""


START = Continuation()
"""Goes on with nothing."""


@dataclass(eq=False, slots=True)
class Segment:
    """Lines without their ends. Once closed it never changes; `version` rises when it has to be parsed again."""

    lines: list[str] = field(default_factory=list)
    goes_on: Continuation = START
    fence: FenceHead | None = None
    """Set when the segment is exactly one code block that stands in no list and no quote."""
    fence_indent: int = 0
    fence_closed: bool = False
    closed: bool = False
    version: int = 0
    leading: str = ""
    """Empty lines before it, which belong to nothing."""
    joins: set[int] = field(default_factory=set)
    """Which lines go on with the one before without a line break; the first may go on with the segment before."""
    labels: frozenset[str] = frozenset()
    """Link labels that it may use, folded; known once it is closed."""

    def text(self) -> str:
        """The source, as it is given to the parser."""
        return "\n".join((*self.goes_on.table_head, *self.lines))

    def source(self, *, ends: bool = True) -> str:
        """The text that it was cut from, with the line break at its end if there `ends` a line."""
        return self.leading + joined(self.lines, self.joins) + ("\n" if ends else "")

    def code(self, partial: str) -> str:
        """What stands inside the fence; `partial` is the line that is still arriving."""
        return joined(self.code_tail(partial, 0), {at - 1 for at in self.joins})

    def code_tail(self, partial: str, start: int) -> list[str]:
        """The lines inside the fence, but for the first `start` of them; never none."""
        lines = self.lines[1 + start : -1] if self.fence_closed else self.lines[1 + start :]
        if not self.closed and partial:
            lines.append(partial)
        if self.fence_indent:
            lines = [line[min(self.fence_indent, len(line) - len(line.lstrip(" "))) :] for line in lines]
        return lines or ([] if start else [""])

    def settled_code_lines(self) -> int:
        """How many lines inside the fence can change no more."""
        return max(0, len(self.lines) - (3 if self.fence_closed else 2))


def joined(lines: list[str], joins: set[int]) -> str:
    """Put lines together, without a break before those that go on with the line before."""
    if not joins:
        return "\n".join(lines)
    return "".join(line if not at or at in joins else "\n" + line for at, line in enumerate(lines))
