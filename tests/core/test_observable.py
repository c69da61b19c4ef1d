"""Observable values and lists: who watches can always repeat what happened."""

from hypothesis import given
from hypothesis import strategies as st

from notochord.core.observable import Change, Inserted, Moved, Observable, ObservableList, Removed, Replaced


def test_a_watcher_hears_each_new_value_and_no_equal_one() -> None:
    value = Observable(1)
    heard: list[int] = []
    value.watch(heard.append)
    for new in (1, 2, 2, 3):
        value.set(new)
    assert heard == [2, 3]


def test_a_watcher_that_leaves_hears_nothing_more_even_while_others_are_told() -> None:
    value = Observable(1)
    heard: list[int] = []
    leave = value.watch(lambda _: stop())
    stop = value.watch(heard.append)
    value.set(2)
    leave()
    assert heard == []


class Mirror:
    """Repeats the changes of a list on its own copy."""

    def __init__(self, source: ObservableList[int]) -> None:
        self.source = source
        self.copy = list(source)
        source.watch(self.follow)

    def follow(self, change: Change) -> None:
        match change:
            case Inserted(at, count):
                self.copy[at:at] = self.source[at : at + count]
            case Removed(at, count):
                del self.copy[at : at + count]
            case Replaced(at):
                self.copy[at] = self.source[at]
            case Moved(source, target):
                self.copy.insert(target, self.copy.pop(source))
            case _:
                self.copy = list(self.source)


STEPS = st.lists(
    st.tuples(st.sampled_from(["insert", "extend", "remove", "replace", "move", "reset"]), *[st.integers(0, 9)] * 3)
)


@given(STEPS)
def test_a_mirror_that_repeats_the_changes_stays_equal(steps: list[tuple[str, int, int, int]]) -> None:
    items = ObservableList([1, 2, 3])
    mirror = Mirror(items)
    for step, one, other, value in steps:
        length = len(items)
        if step == "insert":
            items.insert(one % (length + 1), value)
        elif step == "extend":
            items.extend([value] * (other % 3))
        elif step == "reset":
            items.reset([value] * other)
        elif length and step == "remove":
            at = one % length
            items.remove(at, 1 + other % (length - at))
        elif length and step == "replace":
            items.replace(one % length, value)
        elif length:
            items.move(one % length, other % length)
        assert mirror.copy == list(items)
