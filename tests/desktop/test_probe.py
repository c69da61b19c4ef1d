"""What keeps windows from being shown is found before Qt ends the process over it."""

import ctypes

import pytest

from notochord.app.desktop.probe import Lack, Missing, missing_for_windows


def test_without_a_display_the_variable_is_named() -> None:
    assert missing_for_windows({}, "linux") == Missing(Lack.DISPLAY, "DISPLAY")


@pytest.mark.parametrize("environment", [{"DISPLAY": ":1"}, {"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":1"}])
def test_the_library_that_the_way_to_the_display_lacks_is_named(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(name: str) -> None:
        raise OSError("libxcb-cursor.so.0: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(ctypes, "CDLL", load)
    assert missing_for_windows(environment, "linux") == Missing(Lack.LIBRARIES, "libxcb-cursor.so.0")


@pytest.mark.parametrize(
    "environment", [{"DISPLAY": ":1"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"QT_QPA_PLATFORM": "offscreen"}]
)
def test_nothing_is_missing_where_one_way_can_be_loaded(environment: dict[str, str]) -> None:
    assert missing_for_windows(environment, "linux") is None
