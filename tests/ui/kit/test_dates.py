"""Days as people write them."""

from dataclasses import replace
from datetime import date

import pytest

from notochord.core.sentences import Sentences
from notochord.ui.kit.dates import day_text
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
