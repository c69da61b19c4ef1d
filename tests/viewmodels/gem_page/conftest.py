"""A gem with a page for the tests here."""

import pytest

from support.gem_pages import PlayedPages


@pytest.fixture
def pages() -> PlayedPages:
    return PlayedPages()
