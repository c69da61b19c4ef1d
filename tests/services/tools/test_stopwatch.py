"""How long a call worked."""

from notochord.services.tools.stopwatch import Stopwatch
from support.clocks import HandClock


def test_the_wait_for_an_answer_is_not_counted() -> None:
    clock = HandClock()
    watch = Stopwatch(clock)
    clock.advance(1.0)
    with watch.paused():
        clock.advance(60.0)
    clock.advance(0.5)
    assert watch.milliseconds() == 1_500
