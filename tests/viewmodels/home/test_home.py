"""Home: the gems by name, whatever happens to them, and what waits."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.approvals.api import Approvals
from notochord.services.gems.api import Gem, GemInstalled, GemRemoved, Gems, GemTool, Trust
from notochord.viewmodels.home.model import HomeModel, Reading
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.samples.shell import attention
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.eventually import until


class SomeGems:
    """The part of the door that Home goes through."""

    def __init__(self, *gems: Gem) -> None:
        self.gems: Sequence[Gem] = gems
        self.failure: NotochordError | None = None

    async def all(self) -> tuple[Gem, ...]:
        if self.failure:
            raise self.failure
        return tuple(self.gems)

    async def check(self, package: Path) -> Gem:
        return gem(package.stem.title())

    async def install(self, package: Path) -> Gem:
        self.gems = (*self.gems, gem(package.stem.title()))
        return self.gems[-1]

    async def remove(self, gem: str) -> None:
        self.gems = tuple(one for one in self.gems if one.id != gem)


def gem(name: str, *, trust: Trust = Trust.OFFICIAL, state: str = "ready") -> Gem:
    tool = GemTool("count", "Counts.", True, "read")
    return Gem(name.lower(), name, "1.0.0", "Does it.", trust, (tool,), False, ("api.example.com",), state)


def home(
    gems: SomeGems, events: EventBus | None = None, navigation: Navigation | None = None, bundled: Sequence[Path] = ()
) -> HomeModel:
    navigation = navigation or Navigation()
    door: Gems = gems  # type: ignore[assignment]  # what Home uses
    return HomeModel(
        gems=door, approvals=absent(Approvals), events=events or EventBus(), attention=attention(navigation, "en"),
        navigation=navigation, bundled=bundled,
    )  # fmt: skip


@pytest.mark.req("HOME-003")
async def test_every_installed_gem_is_shown_by_name_with_its_tools_and_hosts() -> None:
    model = home(SomeGems(gem("Zebra"), gem("ants")))
    await model.start()
    assert [(row.name, row.tools[0].name, row.hosts) for row in model.gems] == [
        ("ants", "count", ("api.example.com",)),
        ("Zebra", "count", ("api.example.com",)),
    ]
    await model.close()


async def test_trust_and_trouble_of_a_gem_are_shown() -> None:
    model = home(SomeGems(gem("A", trust=Trust.UNSIGNED, state="E_FILES_CHANGED"), gem("B")))
    await model.start()
    assert [(row.trust, row.problem) for row in model.gems] == [("unsigned", "E_FILES_CHANGED"), ("", "")]
    await model.close()


async def test_a_gem_that_is_installed_later_appears() -> None:
    events, gems = EventBus(), SomeGems()
    model = home(gems, events)
    await model.start()
    assert (model.reading.value, len(model.gems)) == (Reading.DONE, 0)
    gems.gems = (gem("New"),)
    events.publish(GemInstalled("new", "1.0.0"))
    await until(lambda: len(model.gems) == 1)
    await model.close()


async def test_a_failure_is_shown_until_reading_works_again() -> None:
    gems = SomeGems(gem("A"))
    gems.failure = NotochordError(Code.DISK_IO, Fault.SYSTEM, "broken")
    model = home(gems)
    await model.start()
    assert (model.reading.value, model.failure.value) == (Reading.FAILED, gems.failure)
    gems.failure = None
    await model.read()
    assert (model.reading.value, model.failure.value, len(model.gems)) == (Reading.DONE, None, 1)
    await model.close()


def test_what_waits_leads_to_its_conversation() -> None:
    navigation = Navigation()
    model = home(SomeGems(), navigation=navigation)
    model.open_waiting(model.waiting[0])
    assert navigation.place.value == Place(Page.CHAT, "c1")


async def test_gems_that_came_with_the_program_are_offered_until_they_are_installed() -> None:
    gems = SomeGems(gem("Ants"))
    model = home(gems, bundled=(Path("ants.gem"), Path("bees.gem")))
    await model.start()
    assert [offer.gem.name for offer in model.offered] == ["Bees"]
    await model.install(model.offered[0])
    await model.read()
    assert ([row.name for row in model.gems], list(model.offered)) == (["Ants", "Bees"], [])
    await model.close()


async def test_a_gem_that_is_removed_goes_and_is_offered_again_if_it_came_with_the_program() -> None:
    events, gems = EventBus(), SomeGems(gem("Sales"))
    model = home(gems, events, bundled=(Path("sales.gem"),))
    await model.start()
    assert [len(model.gems), len(model.offered)] == [1, 0]
    await model.remove(model.gems[0])
    events.publish(GemRemoved("sales"))
    await until(lambda: [len(model.gems), len(model.offered)] == [0, 1])
    await model.close()
