"""System: each choice is in force at once, another language opens the window anew, nothing is written unasked."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.agents.api import MAX_STEPS, TOKEN_LIMIT
from notochord.services.chat.api import SUMMARIZE_ABOVE
from notochord.services.organizations.api import KeyPlace
from notochord.services.organizations.service import HomeOrganizations
from notochord.viewmodels.settings.system import SystemModel
from notochord.viewmodels.shell.preferences import THEME
from support.organizations import organizations_in
from support.settings import MemorySettings


@dataclass
class Login:
    """Starting at login, on a computer that may refuse."""

    on: bool = False
    changes: list[bool] = field(default_factory=list)
    refuses: bool = False

    async def enabled(self) -> bool:
        return self.on

    async def change(self, enabled: bool) -> None:
        self.changes.append(enabled)
        if self.refuses:
            raise NotochordError(Code.DISK_IO, Fault.SYSTEM, "read-only")
        self.on = enabled


@dataclass
class Bench:
    model: SystemModel
    settings: MemorySettings
    login: Login
    organizations: HomeOrganizations
    organization: str
    spoken: list[str]


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Personal", KeyPlace.MEMORY)
    events = EventBus()
    settings, login, spoken = MemorySettings(events), Login(), list[str]()
    model = SystemModel(
        settings=settings,
        organizations=organizations,
        organization=made.id,
        startup=login,
        speak=spoken.append,
        has_tray=lambda: True,
        events=events,
    )
    await model.start()
    yield Bench(model, settings, login, organizations, made.id, spoken)
    await model.close()


@pytest.mark.req("SETUP-010", "SET-004", "ORG-008")
async def test_another_language_is_kept_and_spoken(bench: Bench) -> None:
    assert bench.model.language.value == ""
    await bench.model.choose_language("zh_CN")
    assert (await bench.organizations.find(bench.organization)).language == "zh_CN"
    await bench.model.choose_language("zh_CN")
    assert bench.spoken == ["zh_CN"]


@pytest.mark.req("MODEL-065", "MODEL-066")
async def test_compressing_begins_at_100_000_tokens_and_can_be_switched_off(bench: Bench) -> None:
    assert bench.model.summarize_above.value.value == 100_000
    await bench.model.summarize_above.change(0)
    assert bench.settings.current(SUMMARIZE_ABOVE) == 0


async def test_limits_have_their_defaults_and_are_kept(bench: Bench) -> None:
    assert (bench.model.max_steps.value.value, bench.model.token_limit.value.value) == (50, 0)
    await bench.model.max_steps.change(10)
    await bench.model.token_limit.change(500_000)
    assert (bench.settings.current(MAX_STEPS), bench.settings.current(TOKEN_LIMIT)) == (10, 500_000)


async def test_a_setting_that_is_changed_elsewhere_is_shown(bench: Bench) -> None:
    shown = list[str]()
    bench.model.theme.value.watch(shown.append)
    await bench.settings.change(THEME, "dark")
    await bench.model.load()
    assert shown == ["dark"]


async def test_start_at_login_is_written_only_when_asked(bench: Bench) -> None:
    assert bench.model.at_login.value is False
    assert bench.login.changes == []
    await bench.model.start_at_login(True)
    assert bench.model.at_login.value is True
    assert bench.login.changes == [True]


async def test_a_computer_that_refuses_leaves_the_box_as_it_was(bench: Bench) -> None:
    bench.login.refuses = True
    shown = list[bool | None]()
    bench.model.at_login.watch(shown.append)
    with pytest.raises(NotochordError):
        await bench.model.start_at_login(True)
    assert bench.model.at_login.value is False
