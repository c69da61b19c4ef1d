"""Entries and parts that are made late stand where those of a plain list would."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from notochord.ui.kit.transcript.entries import Entry, Role, TextEntry
from notochord.ui.kit.transcript.parts import Item, TextPart
from notochord.ui.kit.transcript.roster import Roster

MOST = 3
texts = st.text("ab", max_size=9)


def cut(entry: Entry) -> Item:
    """A part for every three characters."""
    assert isinstance(entry, TextEntry)
    item = Item(entry)
    item.parts = [TextPart(item, entry, entry.text[at : at + MOST]) for at in range(0, max(1, len(entry.text)), MOST)]
    return item


class Entries(RuleBasedStateMachine):
    """Each step is done to a roster and to a list of texts."""

    def __init__(self) -> None:
        super().__init__()
        self.made = 0
        self.plain: list[TextEntry] = []
        self.roster = Roster((), cut, MOST)

    def entry(self, text: str) -> TextEntry:
        self.made += 1
        return TextEntry(f"e{self.made}", Role.ASSISTANT, text)

    @initialize(found=st.lists(texts, max_size=6))
    def load(self, found: list[str]) -> None:
        self.plain = [self.entry(text) for text in found]
        self.roster = Roster(self.plain, cut, MOST)

    @rule(text=texts)
    def append(self, text: str) -> None:
        self.plain.append(self.entry(text))
        self.roster.append(self.plain[-1])

    @rule(found=st.lists(texts, max_size=4))
    def prepend(self, found: list[str]) -> None:
        new = [self.entry(text) for text in found]
        self.plain[:0] = new
        self.roster.prepend(new)

    @precondition(lambda self: self.plain)
    @rule(text=texts, at=st.integers(0, 99))
    def replace(self, text: str, at: int) -> None:
        at %= len(self.plain)
        self.plain[at] = self.entry(text)
        old, new = self.roster.replace(at, self.plain[at])
        self.roster.splice(old.parts[0].index, len(old.parts), new.parts)

    @precondition(lambda self: self.plain)
    @rule(at=st.integers(0, 99))
    def cut_off(self, at: int) -> None:
        at %= len(self.plain)
        del self.plain[at:]
        self.roster.cut_off(at)

    @precondition(lambda self: self.plain)
    @rule(at=st.integers(0, 99))
    def look(self, at: int) -> None:
        at %= len(self.plain)
        item = self.roster.item(at)
        assert item.entry is self.plain[at]
        assert all(self.roster.part(part.index) is part for part in item.parts)

    @invariant()
    def counts_and_places_agree(self) -> None:
        assert self.roster.count_items() == len(self.plain)
        assert [self.roster.place(entry.id) for entry in self.plain] == list(range(len(self.plain)))
        assert self.roster.count() == sum(max(1, -(-len(entry.text) // MOST)) for entry in self.plain)

    def teardown(self) -> None:
        parts = [self.roster.part(index) for index in range(self.roster.count())]
        assert [part.index for part in parts] == list(range(len(parts)))
        assert "".join(part.source for part in parts if isinstance(part, TextPart)) == "".join(
            entry.text for entry in self.plain
        )


TestEntries = Entries.TestCase
TestEntries.settings = settings(max_examples=60, stateful_step_count=20)


def test_only_what_is_long_or_arriving_is_made_when_entries_are_taken() -> None:
    short, long, thought, arriving, last = (
        TextEntry("short", Role.USER, "ab"),
        TextEntry("long", Role.ASSISTANT, "abababa"),
        TextEntry("thought", Role.REASONING, "ab"),
        TextEntry("arriving", Role.ASSISTANT, "a", streaming=True),
        TextEntry("last", Role.USER, ""),
    )
    roster = Roster([short, long, thought, arriving, last], cut, MOST)
    made, lengths = roster.taken()
    assert [item.entry for item in made] == [long, arriving]
    assert lengths == [2, -1, -1, -1, -1, -1, 0]
    assert [part for part in roster.raw() if isinstance(part, TextEntry)] == [short, thought, last]
    assert [roster.part(index).entry for index in range(7)] == [short, long, long, long, thought, arriving, last]
    assert roster.taken() == ([], [])
