"""Notices: failures stay, equal ones are counted, what the user asked for is none."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.viewmodels.shell.notices import MOST, NoticeKind, Notices


def failure(code: Code = Code.DISK_FULL, **parameters: str) -> NotochordError:
    return NotochordError(code, Fault.SYSTEM, "detail", **parameters)


def test_a_failure_stands_until_it_is_dismissed() -> None:
    notices = Notices()
    notices.fail(failure())
    (notice,) = notices.standing
    assert notice.kind is NoticeKind.ERROR
    notices.dismiss(notice.id)
    notices.dismiss(notice.id)
    assert not notices.standing


def test_equal_failures_are_counted_in_one_notice() -> None:
    notices = Notices()
    for path in ("a", "a", "b"):
        notices.fail(failure(path=path))
    assert [notice.times for notice in notices.standing] == [2, 1]


def test_a_cancellation_is_no_failure() -> None:
    notices = Notices()
    notices.fail(failure(Code.CANCELLED))
    assert not notices.standing


def test_the_oldest_gives_way_when_there_are_too_many() -> None:
    notices = Notices()
    for number in range(MOST + 2):
        notices.say("window.shell.saved", count=number)
    assert [notice.parameters["count"] for notice in notices.standing] == [2, 3, 4, 5]
