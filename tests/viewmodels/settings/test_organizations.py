"""Organizations: listed, renamed, made from a name, switched to, deleted by their typed name."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.services.chat.api import Chat, ChatState
from notochord.services.organizations.api import KeyPlace
from notochord.services.organizations.service import HomeOrganizations
from notochord.viewmodels.settings.organizations import OrganizationsModel
from support.organizations import organizations_in


class TwoChats:
    """One conversation at work, one at rest."""

    async def all(self) -> tuple[Chat, ...]:
        return tuple(
            Chat(state.value, f"is {state.value}", False, Path(), True, "", False, state, 0)
            for state in (ChatState.ANSWERING, ChatState.IDLE)
        )


@dataclass
class Bench:
    model: OrganizationsModel
    organizations: HomeOrganizations
    personal: str
    folder: Path
    switched: list[str] = field(default_factory=list)
    opened: list[Path] = field(default_factory=list)

    def names(self) -> list[str]:
        return [row.name for row in self.model.all]


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    organizations = organizations_in(tmp_path / "home")
    made = await organizations.create("Personal", KeyPlace.FILE)
    await organizations.make_current(made.id)
    switched, opened = list[str](), list[Path]()
    model = OrganizationsModel(
        organizations=organizations,
        chats=TwoChats(),  # type: ignore[arg-type]  # only the list is asked for
        current=made.id,
        folder=tmp_path / "home" / "organizations" / made.id,
        switch=switched.append,
        open_folder=opened.append,
        events=EventBus(),
    )
    await model.start()
    yield Bench(model, organizations, made.id, tmp_path, switched, opened)
    await model.close()


@pytest.mark.req("ORG-002", "ORG-021", "ORG-027")
async def test_an_organization_is_made_from_a_name_alone_and_listed(bench: Bench) -> None:
    made = await bench.model.create("Client")
    assert bench.names() == ["Client", "Personal"]
    assert [row.name for row in bench.model.all if row.current] == ["Personal"]
    assert (made.name, made.current, made.key_place) == ("Client", False, "undecided")


async def test_the_set_up_of_a_new_organization_begins_in_the_language_of_this_one(bench: Bench) -> None:
    await bench.organizations.set_language(bench.personal, "zh_CN")
    made = await bench.model.create("Client")
    assert (await bench.organizations.find(made.id)).language == "zh_CN"


@pytest.mark.req("ORG-024")
async def test_an_organization_gets_another_name(bench: Bench) -> None:
    await bench.model.rename(bench.personal, "Private")
    assert bench.names() == ["Private"]
    assert bench.model.current.value is not None
    assert bench.model.current.value.name == "Private"
    with pytest.raises(NotochordError):
        await bench.model.rename(bench.personal, " ")


async def test_equal_names_are_allowed_and_marked(bench: Bench) -> None:
    await bench.model.create("personal")
    assert all(row.twin for row in bench.model.all)


@pytest.mark.req("ORG-017", "ORG-020")
async def test_the_recovery_key_can_be_saved_again(bench: Bench) -> None:
    file = bench.folder / bench.model.recovery_file_name()
    assert file.name == "Notochord-Personal-recovery.key"
    await bench.model.save_recovery_key(file)
    assert bench.personal in file.read_text()
    with pytest.raises(NotochordError):
        await bench.model.save_recovery_key(bench.model.folder / "inside.key")


async def test_a_name_with_slashes_gives_a_file_name_without(bench: Bench) -> None:
    await bench.model.rename(bench.personal, "../a/b: 客户")
    assert bench.model.recovery_file_name() == "Notochord----a-b- 客户-recovery.key"


@pytest.mark.req("ORG-023", "ORG-029")
async def test_switching_opens_the_other_one(bench: Bench) -> None:
    made = await bench.model.create("Client")
    await bench.model.switch(bench.personal)
    assert bench.switched == []
    await bench.model.switch(made.id)
    assert bench.switched == [made.id]
    assert (await bench.organizations.find()).id == made.id


@pytest.mark.req("ORG-030")
async def test_switching_names_what_it_stops(bench: Bench) -> None:
    assert await bench.model.stopped_by_switching() == ("is answering",)


@pytest.mark.req("ORG-032", "ORG-035")
async def test_deleting_takes_the_exact_name(bench: Bench) -> None:
    made = await bench.model.create("Client")
    with pytest.raises(NotochordError):
        await bench.model.delete(made.id, "client")
    assert bench.names() == ["Client", "Personal"]
    await bench.model.delete(made.id, "Client")
    assert bench.names() == ["Personal"]
    assert not (bench.folder / "home" / "organizations" / made.id).exists()


@pytest.mark.req("ORG-036", "ORG-037")
async def test_the_open_and_the_last_organization_stay(bench: Bench) -> None:
    await bench.model.create("Client")
    await bench.organizations.make_current((await bench.organizations.find("Client")).id)
    with pytest.raises(NotochordError) as refused:
        await bench.model.delete(bench.personal, "Personal")
    assert refused.value.code is Code.ORG_CURRENT


async def test_the_folder_with_the_data_is_opened(bench: Bench) -> None:
    await bench.model.open_folder()
    assert bench.opened == [bench.model.folder]


async def test_a_set_up_that_was_left_is_listed_as_unfinished_and_can_be_resumed_or_deleted(bench: Bench) -> None:
    await bench.organizations.finish_setup_step(bench.personal, 5)
    made = await bench.model.create("Client")
    await bench.model.load()
    assert {row.name: row.unfinished for row in bench.model.all} == {"Client": True, "Personal": False}
    await bench.model.switch(made.id)
    assert bench.switched == [made.id]
    await bench.organizations.make_current(bench.personal)
    await bench.model.delete(made.id, "Client")
    assert bench.names() == ["Personal"]
