"""Home: the gems by name, whatever happens to them, and what waits."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.approvals.api import Approvals
from notochord.services.gems.api import Dossier, Gem, GemInstalled, GemRemoved, GemRightsChanged, GemTool, Trust
from notochord.viewmodels.gem.needs import Need, NeedKind
from notochord.viewmodels.home.model import HomeModel, Reading
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.samples.shell import attention
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.eventually import until
from support.settings import MemorySettings


class SomeGems:
    """The parts of the doors that Home goes through."""

    def __init__(self, *gems: Gem) -> None:
        self.gems: Sequence[Gem] = gems
        self.failure: NotochordError | None = None
        self.unset: set[str] = set()

    async def all(self) -> tuple[Dossier, ...]:
        if self.failure:
            raise self.failure
        return tuple(Dossier(one, "anna", 0, 0) for one in self.gems)

    async def needs(self, dossier: Dossier) -> tuple[Need, ...]:
        return (Need(NeedKind.MAILBOX),) if dossier.gem.id in self.unset else ()

    async def check(self, package: Path) -> Gem:
        return gem(package.stem.title())

    async def install(self, package: Path) -> Gem:
        if package.stem == "unsigned":
            raise NotochordError(Code.UNSIGNED, Fault.USER, "no signature", gem="unsigned")
        self.gems = (*self.gems, gem(package.stem.title()))
        return self.gems[-1]


def gem(name: str, *, trust: Trust = Trust.OFFICIAL, state: str = "ready") -> Gem:
    tool = GemTool("count", "Counts.", True, "read")
    return Gem(name.lower(), name, "1.0.0", "Does it.", trust, (tool,), False, ("api.example.com",), state)


def home(
    gems: SomeGems, events: EventBus | None = None, navigation: Navigation | None = None, bundled: Sequence[Path] = ()
) -> HomeModel:
    navigation, events = navigation or Navigation(), events or EventBus()
    doors: Any = gems
    return HomeModel(
        gems=doors, dossiers=doors, check=doors, settings=MemorySettings(events), approvals=absent(Approvals),
        events=events, attention=attention(navigation, "en"), navigation=navigation, bundled=bundled,
    )  # fmt: skip


@pytest.mark.req("HOME-003")
async def test_every_installed_gem_is_shown_by_name_with_one_line() -> None:
    model = home(SomeGems(gem("Zebra"), gem("ants")))
    await model.start()
    assert [(row.name, row.description) for row in model.gems] == [("ants", "Does it."), ("Zebra", "Does it.")]
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
    gems.gems = ()
    events.publish(GemRemoved("sales"))
    await until(lambda: [len(model.gems), len(model.offered)] == [0, 1])
    await model.close()


@pytest.mark.req("HOME-006")
def test_a_gem_leads_to_its_page() -> None:
    navigation = Navigation()
    home(SomeGems(), navigation=navigation).open_gem("ants")
    assert navigation.place.value == Place(Page.GEM, "ants")


@pytest.mark.req("GEMUI-006", "GEMUI-009")
async def test_a_gem_that_was_installed_opens_its_page_without_a_question() -> None:
    navigation = Navigation()
    model = home(SomeGems(), navigation=navigation, bundled=(Path("bees.gem"),))
    await model.start()
    await model.install(model.offered[0])
    assert navigation.place.value == Place(Page.GEM, "bees")
    await model.install_file(Path("/downloads/ants.gem"))
    assert (navigation.place.value, model.installing.value) == (Place(Page.GEM, "ants"), frozenset())
    await model.close()


async def test_a_file_that_is_refused_leaves_everything_as_it_was() -> None:
    navigation = Navigation()
    model = home(SomeGems(), navigation=navigation)
    with pytest.raises(NotochordError) as caught:
        await model.install_file(Path("unsigned.gem"))
    assert (caught.value.code, model.installing.value) == (Code.UNSIGNED, frozenset())
    assert navigation.place.value == Place(Page.HOME)


async def test_pinned_gems_stand_first_in_the_order_in_which_they_were_pinned() -> None:
    model = home(SomeGems(gem("Ants"), gem("Bees"), gem("Cats")))
    await model.start()
    await model.pin("cats", pinned=True)
    await model.pin("bees", pinned=True)
    await until(lambda: [row.name for row in model.gems] == ["Cats", "Bees", "Ants"])
    assert [row.pinned for row in model.gems] == [True, True, False]
    await model.pin("cats", pinned=False)
    await until(lambda: [row.name for row in model.gems] == ["Bees", "Ants", "Cats"])
    await model.close()


async def test_a_gem_that_needs_setup_is_marked_until_it_is_set_up() -> None:
    events, gems = EventBus(), SomeGems(gem("Ants"))
    gems.unset = {"ants"}
    model = home(gems, events)
    await model.start()
    assert model.gems[0].needs_setup
    gems.unset = set()
    events.publish(GemRightsChanged("ants"))
    await until(lambda: not model.gems[0].needs_setup)
    await model.close()


async def test_an_update_that_somebody_knows_of_is_marked() -> None:
    model = home(SomeGems(gem("Ants")))
    await model.start()
    model.updates.set({"ants": "2.0.0"})
    await until(lambda: model.gems[0].update == "2.0.0")
    await model.close()


async def test_what_an_author_wrote_is_one_line_on_home() -> None:
    model = home(SomeGems(gem("Ni\u202ece\nname")))
    await model.start()
    assert model.gems[0].name == "Nice name"
    await model.close()
