"""One list becomes another in steps that whoever follows can repeat."""

from hypothesis import given
from hypothesis import strategies as st

from notochord.core.observable import Change, Inserted, Moved, ObservableList, Removed, Replaced
from notochord.viewmodels.chat.reconciling import reconcile


def followed(shown: ObservableList[str], mirror: list[str], change: Change) -> None:
    match change:
        case Inserted(at, count):
            mirror[at:at] = shown[at : at + count]
        case Removed(at, count):
            del mirror[at : at + count]
        case Replaced(at):
            mirror[at] = shown[at]
        case Moved(source, target):
            mirror.insert(target, mirror.pop(source))
        case _:
            mirror[:] = shown


UNIQUE = st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=1), unique=True)


@given(UNIQUE, UNIQUE)
def test_whoever_repeats_the_changes_has_the_same_list(before: list[str], after: list[str]) -> None:
    shown, mirror = ObservableList(before), list(before)
    shown.watch(lambda change: followed(shown, mirror, change))
    reconcile(shown, after, lambda item: item)
    assert list(shown) == mirror == after
