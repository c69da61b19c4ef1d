"""What the command line composes the program with."""

import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from notochord.app import command_line, compose
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import Home
from notochord.headless.services import Surroundings


class NoWindows:
    """A machine without a display, and without a look at it."""

    def missing(self, *, offscreen: bool = False) -> tuple[str, str] | None:
        return ("display", "none")

    def desktop(self, home: Home, organization: str, language: str) -> int:
        raise AssertionError("no window was asked for")

    def gallery(self, folder: Path) -> Iterator[Path]:
        raise AssertionError("no pictures were asked for")


@pytest.mark.req("PERM-106")
@pytest.mark.parametrize(("words", "has_trash"), [(("headless",), False), (("chat", "hello"), True)])
def test_a_headless_process_has_no_trash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], has_trash: bool
) -> None:
    given: list[bool] = []

    @asynccontextmanager
    async def surround(home: Home, *, has_trash: bool) -> AsyncIterator[Surroundings]:
        given.append(has_trash)
        raise NotochordError(Code.ORG_NOT_FOUND, Fault.USER, "none")
        yield

    monkeypatch.setattr(compose, "surround", surround)
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        status = command_line.run(("--home", str(tmp_path), *words), NoWindows())
    assert (status, given) == (1, [has_trash])


def test_bad_usage_with_json_is_one_object_and_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.run(("org", "lits", "--json"), NoWindows()) == 2
    shown = capsys.readouterr()
    assert json.loads(shown.out)["error"]["code"] == "E_USAGE_INVALID"
    assert "E_USAGE_INVALID" in shown.err


def test_bad_usage_without_json_puts_nothing_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.run(("org", "lits"), NoWindows()) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("place", ["home", "home/below"])
async def test_a_home_that_is_a_file_is_told(tmp_path: Path, place: str) -> None:
    (tmp_path / "home").write_text("mine")
    with pytest.raises(NotochordError) as caught:
        async with compose.surround(Home(tmp_path / place)):
            pass
    assert caught.value.code is Code.INPUT_INVALID
    assert caught.value.parameters["path"] == str(tmp_path / "home")
    assert (tmp_path / "home").read_text() == "mine"
