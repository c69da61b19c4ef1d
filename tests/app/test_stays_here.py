"""With a model on this computer, nothing leaves it: every connection of the process is looked at."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from notochord.core.errors import NotochordError
from notochord.services.models.api import ProviderDraft, ProviderKind
from notochord.services.vault.api import Secret
from support.eventually import until
from support.whole import OUTSIDE, SUMMARY_GEM, SUMMARY_TOOL, Person, calls, connect, opened, say, scripted, talk

_LISTS: list[list[str]] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if not _LISTS:
        return
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if isinstance(address, tuple):
            _LISTS[-1].append(f"{address[0]}:{address[1]}")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        _LISTS[-1].append(f"{arguments[0]}:{arguments[1] if len(arguments) > 1 else ''}")


sys.addaudithook(_hook)


@contextmanager
def spoken_to() -> Iterator[list[str]]:
    """Note each address that this process connects to, sends to or looks up."""
    found: list[str] = []
    _LISTS.append(found)
    try:
        yield found
    finally:
        _LISTS.remove(found)


@pytest.mark.req("APP-016")
async def test_a_day_of_work_with_a_model_on_this_computer_speaks_to_that_model_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("private")
    with spoken_to() as addresses:
        async with scripted() as (server, script), opened(tmp_path / "home") as services:
            await connect(services, server)
            await services.gems.install(SUMMARY_GEM)
            Person(services)
            chat = await talk(services)
            script.play(calls("read_skill", name="sales-summary"), calls(SUMMARY_TOOL, file="letter.txt"))
            assert await say(services, chat, "Look at this", letter) == "done"
            await until(lambda: bool(script.background))
            await services.store.known()
            here = server.base_url.removeprefix("http://").partition("/")[0]
            assert set(addresses) == {here}
            away = ProviderDraft("away", ProviderKind.COMPATIBLE, f"https://{OUTSIDE}:2")
            await services.models.add_provider(away, Secret("sk"))
            with pytest.raises(NotochordError):
                await services.models.listed_models("away")
    assert f"{OUTSIDE}:2" in addresses
