"""Nothing moves in these tests: a mark that wanders would leave a timer behind."""

from collections.abc import Iterator

import pytest

from notochord.ui.kit.theme.theme import Theme


@pytest.fixture(autouse=True)
def still(theme: Theme) -> Iterator[None]:
    theme.set_reduced_motion(True)
    yield
    theme.set_reduced_motion(False)
