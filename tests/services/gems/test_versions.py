"""Versions compare by the precedence of Semantic Versioning."""

from itertools import pairwise

import pytest

from notochord.services.gems.versions import Version

ASCENDING = ["0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
             "1.0.0-rc.1", "1.0.0", "1.2.0", "1.10.0", "2.0.0"]  # fmt: skip


@pytest.mark.req("PKG-027")
def test_versions_ascend_as_the_standard_says() -> None:
    assert all(Version(first) < Version(second) for first, second in pairwise(ASCENDING))
    assert not any(Version(second) < Version(first) for first, second in pairwise(ASCENDING))


@pytest.mark.req("PKG-028")
def test_build_metadata_does_not_count() -> None:
    assert Version("1.0.0+a") == Version("1.0.0+b")
