"""What the command line composes the program with."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from notochord.app import command_line, compose
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import Home
from notochord.headless.services import Surroundings


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
        status = command_line.run(("--home", str(tmp_path), *words), lambda: None)
    assert (status, given) == (1, [has_trash])
