"""A transcript in a window for each test."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from notochord.ui.kit.theme.theme import Theme, ThemeChoice
from notochord.ui.kit.transcript.style import TranscriptStyle
from support.transcript_views import Bench


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme) -> Iterator[Bench]:
    theme.choose(ThemeChoice.LIGHT)
    bench = Bench(qtbot, TranscriptStyle.of(theme))
    yield bench
    bench.close()
