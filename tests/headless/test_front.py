"""Finding who holds an organization: this process, another one, or one that cannot be asked."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import pytest

from notochord.adapters.console import echo_off, forget_typed
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import Home, OrganizationFolder
from notochord.core.sentences import Sentences
from notochord.headless import front
from notochord.headless.catalogue import commands
from notochord.headless.control.channel import Channel
from notochord.headless.parser import parse
from notochord.headless.services import Surroundings
from notochord.headless.terminal import Terminal
from support.channels import MemoryChannel
from support.drafts import written_draft
from support.fakes.opener import FakeOpener
from support.fakes.organizations import FakeOrganizations
from support.workshops import made_packages, made_workshop


class QuickClock(SystemClock):
    """Sleeps are counted, not slept."""

    def __init__(self) -> None:
        self.slept = 0.0

    async def sleep(self, seconds: float) -> None:
        self.slept += seconds


@dataclass
class FakeEndpoint:
    """Hands out what `reached` makes, one for each attempt; nobody answers after that."""

    reached: list[Callable[[], Channel]] = field(default_factory=list)

    async def listen(self, folder: OrganizationFolder, serve: Callable[[Channel], Awaitable[None]]) -> NoReturn:
        raise NotochordError(Code.CONTROL_UNREACHABLE, Fault.SYSTEM)

    async def connect(self, folder: OrganizationFolder) -> Channel:
        if not self.reached:
            raise NotochordError(Code.CONTROL_UNREACHABLE, Fault.SYSTEM)
        return self.reached.pop(0)()


class Bench:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = Home(folder / "home")
        self.clock = QuickClock()
        self.endpoint = FakeEndpoint()
        (self.home.folder / "organizations" / "acme").mkdir(parents=True)
        (self.home.folder / "current").write_text("acme")

    @property
    def hold(self) -> Path:
        return self.home.organization("acme").folder / "held"

    @asynccontextmanager
    async def surround(self) -> AsyncIterator[Surroundings]:
        organizations = FakeOrganizations(self.home)
        yield Surroundings(
            home=self.home,
            organizations=organizations,
            opener=FakeOpener(organizations),
            endpoint=self.endpoint,
            probes=(),
            workshop=made_workshop,
            packages=made_packages,
            clock=self.clock,
        )

    def run(self, *words: str) -> tuple[int, str, str]:
        """Return exit status, standard output and standard error."""
        sentences = Sentences.load("en")
        out, messages = self.folder / "out", self.folder / "messages"
        with Path("/dev/null").open() as given, out.open("w") as one, messages.open("w") as two:
            terminal = Terminal(
                given=given,
                out=one,
                messages=two,
                echo_off=echo_off,
                forget_typed=forget_typed,
                sentences=sentences,
                json=False,
            )
            parsed = parse(words, commands(), sentences, self.folder)
            invocation = front.Invocation(words, self.folder, parsed)
            status = front.run(invocation, commands(), terminal, self.surround)
        return status, out.read_text(), messages.read_text()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_where_no_endpoint_can_be_made_commands_run_all_the_same(bench: Bench) -> None:
    assert bench.run("usage")[0] == 0
    assert not bench.hold.exists()


def test_a_holder_that_cannot_be_asked_is_named_after_some_patience(bench: Bench) -> None:
    bench.hold.write_text("1")
    status, _, messages = bench.run("usage")
    assert (status, "E_ORG_OPEN" in messages) == (1, True)
    assert bench.clock.slept == pytest.approx(front.BETWEEN_ATTEMPTS * (front.PATIENCE - 1))


def closed_channel() -> Channel:
    channel = MemoryChannel()
    channel._closed = True
    return channel


def test_a_holder_that_was_just_ending_is_replaced(bench: Bench) -> None:
    bench.endpoint.reached = [closed_channel]
    assert bench.run("usage")[0] == 0


def test_a_socket_that_cannot_be_trusted_ends_the_command(bench: Bench) -> None:
    def refuse() -> NoReturn:
        raise NotochordError(Code.CONTROL_REFUSED, Fault.POLICY, "of another user", path="/x")

    bench.endpoint.reached = [refuse]
    status, _, messages = bench.run("usage")
    assert (status, "E_CONTROL_REFUSED: The socket /x" in messages) == (1, True)


def test_an_unknown_organization_is_told(bench: Bench) -> None:
    status, out, messages = bench.run("usage", "--org", "other")
    assert (status, out, "E_ORG_NOT_FOUND" in messages) == (1, "", True)


def test_the_organization_is_given_back_after_a_failure(bench: Bench) -> None:
    assert bench.run("chat", "fail")[0] == 1
    assert not bench.hold.exists()


def test_an_author_needs_no_organization_to_check_pack_sign_and_verify(bench: Bench) -> None:
    (bench.home.folder / "current").unlink()
    written_draft(bench.folder / "draft")
    assert bench.run("gem", "check", "draft")[0] == 0
    assert bench.run("gem", "pack", "draft", "a.gem")[0] == 0
    assert bench.run("gem", "sign", "a.gem", "--key", "my.key", "--new-key")[0] == 0
    assert bench.run("gem", "check", "a.gem")[0] == 0
    status, _, messages = bench.run("gem", "verify", "a.gem")
    assert (status, "E_UNKNOWN_KEY" in messages) == (1, True)
    assert "E_ORG" in bench.run("gem", "list")[2]
