"""Days as people write them."""

from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import QDate, QDateTime, QTime

from notochord.core.sentences import Sentences
from notochord.ui.kit.dates import dated, day_text, moment_dated
from notochord.ui.kit.kit import Kit


@pytest.mark.parametrize(
    ("language", "day", "told"),
    [
        ("en", date(2026, 3, 9), "Mar 9"),
        ("en", date(2025, 12, 31), "Dec 31, 2025"),
        ("zh_CN", date(2026, 3, 9), "3月9日"),
        ("zh_CN", date(2025, 12, 31), "2025年12月31日"),
    ],
)
def test_a_day_is_told_without_the_year_while_it_is_this_one(kit: Kit, language: str, day: date, told: str) -> None:
    assert day_text(replace(kit, sentences=Sentences.load(language)), day, date(2026, 11, 30)) == told


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", ["Sep 21, 2026", "Sep 21, 2026, "]), ("zh_CN", ["2026年9月21日", "2026年9月21日 "])],
)
def test_what_may_lie_far_back_has_its_year_and_no_day_of_the_week(kit: Kit, language: str, told: list[str]) -> None:
    mine = replace(kit, sentences=Sentences.load(language))
    moment = QDateTime(QDate(2026, 9, 21), QTime(10, 53))
    written = moment_dated(mine, moment)
    assert [dated(mine, moment.date()), written[: len(told[1])]] == told
    assert "53" in written
