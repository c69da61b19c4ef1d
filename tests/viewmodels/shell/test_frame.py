"""Where the window stands: as before where it can be, always where it can be taken hold of."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as some

from notochord.viewmodels.shell.frame import GRIP, USUAL, Area, Frame, Frames, placed

DESK = Area(0, 0, 1920, 1040)
BESIDE = Area(1920, 0, 2560, 1440)
LEFT = Area(-1280, 100, 1280, 1024)


class Memory:
    def __init__(self, content: bytes = b"") -> None:
        self.content = content

    def read(self) -> bytes:
        return self.content

    def write(self, content: bytes) -> None:
        self.content = content


class Full(Memory):
    def write(self, content: bytes) -> None:
        raise OSError(28, "no space left")


def test_without_a_memory_the_window_stands_in_the_middle_of_the_main_monitor() -> None:
    area = placed(None, [DESK, BESIDE]).area
    assert (area.width, area.height) == USUAL
    assert area.x == (DESK.width - USUAL[0]) // 2


@pytest.mark.parametrize("area", [Area(100, 50, 900, 700), Area(2000, 40, 1200, 900), Area(-1000, 120, 800, 600)])
def test_a_window_that_can_be_reached_stays_where_it_was(area: Area) -> None:
    assert placed(Frame(area, True), [DESK, BESIDE, LEFT]) == Frame(area, True)


def test_a_window_on_a_vanished_monitor_comes_to_the_main_one() -> None:
    area = placed(Frame(Area(4000, 40, 1200, 900)), [DESK]).area
    assert area == Area((1920 - 1200) // 2, (1040 - 900) // 2, 1200, 900)


def test_a_window_that_is_larger_than_every_monitor_is_shrunk() -> None:
    area = placed(Frame(Area(0, 0, 2560, 1440)), [Area(0, 0, 1366, 728)]).area
    assert (area.width, area.height) == (1366, 728)


def test_a_window_without_any_monitor_has_the_usual_size() -> None:
    assert placed(None, []).area == Area(0, 0, *USUAL)


sides = some.integers(-20_000, 20_000)
lengths = some.integers(1, 20_000)
screens = some.lists(
    some.builds(
        Area, some.integers(-4000, 4000), some.integers(-2000, 2000), some.integers(320, 5120), some.integers(240, 2880)
    ),
    min_size=1, max_size=4,
)  # fmt: skip


@given(some.builds(Area, sides, sides, lengths, lengths), screens)
def test_whatever_was_stored_enough_of_the_title_bar_is_on_a_monitor(area: Area, monitors: Sequence[Area]) -> None:
    found = placed(Frame(area), monitors).area

    def seen(screen: Area) -> bool:
        across = min(found.x + found.width, screen.x + screen.width) - max(found.x, screen.x)
        return across >= GRIP[0] and screen.y <= found.y < screen.y + screen.height

    assert any(map(seen, monitors))


def test_what_was_kept_is_restored() -> None:
    memory = Memory()
    frame = Frame(Area(10, 20, 900, 700), True)
    Frames(memory).keep(frame)
    assert Frames(memory).restored([DESK]) == frame


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"area": 1}', b'{"area": {"x": 1}}', b'{"area":{"x":true,"y":0,"width":900,"height":700}}',
     b'{"area":{"x":1e9,"y":0,"width":900,"height":700}}', b"\xff\xfe"],
)  # fmt: skip
def test_a_damaged_memory_counts_as_none(content: bytes) -> None:
    assert Frames(Memory(content)).restored([DESK]) == placed(None, [DESK])


def test_a_frame_that_cannot_be_written_is_no_failure() -> None:
    Frames(Full()).keep(Frame(DESK))
