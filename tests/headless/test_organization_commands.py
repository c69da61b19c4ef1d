"""`notochord org`."""

import pytest

from notochord.core.codes import Code
from notochord.services.organizations.api import KeyPlace
from support.exchanges import KeptExchange
from support.front_bench import Bench, refused


@pytest.mark.req("ORG-021", "ORG-022")
async def test_creating_needs_a_name_alone_and_asks_whether_to_switch(bench: Bench) -> None:
    exchange = await bench.give("org", "create", "beta", to=KeptExchange("", "yes", interactive=True))
    assert "Switch to “beta” now?" in exchange.questions[-1]
    assert (await bench.organizations.find()).id == "beta"


@pytest.mark.req("ORG-022")
async def test_a_no_leaves_the_current_organization(bench: Bench) -> None:
    await bench.give("org", "create", "beta", to=KeptExchange("", "n", interactive=True))
    assert (await bench.organizations.find()).id == "acme"


@pytest.mark.parametrize(
    ("words", "answers", "place"),
    [
        ((), (), "keychain"),
        (("--no-encrypt",), (), "file"),
        (("--key", "file"), (), "file"),
        (("--key", "keychain"), (), "keychain"),
    ],
)
@pytest.mark.req("SETUP-011")
async def test_the_data_is_encrypted_unless_told_otherwise(
    bench: Bench, words: tuple[str, ...], answers: tuple[str, ...], place: str
) -> None:
    exchange = await bench.give("org", "create", "beta", *words, to=KeptExchange(*answers, json=True))
    assert isinstance(exchange.values[0], dict)
    assert exchange.values[0]["key_place"] == place


@pytest.mark.parametrize("place", [(), ("--key", "keychain"), ("--key", "file"), ("--no-encrypt",)])
@pytest.mark.req("SETUP-023")
async def test_saving_the_recovery_key_says_to_keep_it_elsewhere(bench: Bench, place: tuple[str, ...]) -> None:
    words = ("org", "create", "beta", "--recovery-key", "beta.recovery")
    exchange = await bench.give(*words, *place, to=KeptExchange())
    assert (bench.folder / "beta.recovery").exists()
    assert "somewhere other than this computer" in exchange.said[0]


async def test_an_encrypted_organization_without_a_recovery_key_is_warned_of(bench: Bench) -> None:
    exchange = await bench.give("org", "create", "beta", to=KeptExchange())
    assert "notochord org recovery-key FILE beta" in exchange.said[0]


@pytest.mark.req("ORG-027")
async def test_the_list_marks_the_current_organization(bench: Bench) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    exchange = await bench.give("org", "list", to=KeptExchange())
    assert ["Current" in line for line in exchange.out.splitlines()] == [True, False]


@pytest.mark.req("ORG-023")
async def test_switching_makes_another_organization_the_current_one(bench: Bench) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    await bench.give("org", "switch", "beta", to=KeptExchange())
    assert (await bench.organizations.find()).id == "beta"


@pytest.mark.req("ORG-024")
async def test_renaming_changes_the_name(bench: Bench) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    exchange = await bench.give("org", "rename", "beta", "gamma", to=KeptExchange(json=True))
    assert isinstance(exchange.values[0], dict)
    assert exchange.values[0]["name"] == "gamma"


@pytest.mark.parametrize("words", [("create", "Acme"), ("rename", "beta", "Acme")])
async def test_a_name_that_another_organization_has_is_taken_and_told(bench: Bench, words: tuple[str, ...]) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    exchange = await bench.give("org", *words, to=KeptExchange())
    told = "Another organization is also named “Acme”. Choose this one by its id: Acme"
    assert exchange.said[-1] == told


async def test_a_name_of_its_own_is_told_nothing_about(bench: Bench) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    exchange = await bench.give("org", "rename", "beta", "gamma", to=KeptExchange())
    assert exchange.said == []


@pytest.mark.req("ORG-035")
async def test_deleting_needs_the_typed_name(bench: Bench) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    assert await refused(bench, "org", "delete", "beta", to=KeptExchange("Beta")) is Code.INPUT_INVALID
    assert await refused(bench, "org", "delete", "beta", to=KeptExchange()) is Code.ANSWER_NEEDED
    assert (await bench.organizations.find("beta")).id == "beta"
    await bench.give("org", "delete", "beta", to=KeptExchange("beta"))
    assert [one.id for one in await bench.organizations.all()] == ["acme"]


async def test_unlocking_proves_that_the_organization_opens_and_gives_it_back(bench: Bench) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    await bench.give("org", "recovery-key", "file", "beta", to=KeptExchange())
    exchange = await bench.give("org", "unlock", "beta", "--recovery-key", "file", to=KeptExchange())
    assert exchange.out == "“beta” opens with its key.\n"
    await bench.give("org", "unlock", "beta", to=KeptExchange())


async def test_the_recovery_key_is_that_of_the_organization_the_option_names(bench: Bench) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    exchange = await bench.give("--org", "beta", "org", "recovery-key", "file", to=KeptExchange())
    assert "The recovery key of “beta” was saved" in exchange.out
    await bench.give("org", "unlock", "beta", "--recovery-key", "file", to=KeptExchange())


@pytest.mark.parametrize("words", [("language", "zh_CN"), ("unlock",)])
async def test_without_a_name_the_option_chooses_the_organization(bench: Bench, words: tuple[str, ...]) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    exchange = await bench.give("--org", "beta", "org", *words, to=KeptExchange(json=True))
    assert isinstance(exchange.values[0], dict)
    assert exchange.values[0]["id"] == "beta"


@pytest.mark.parametrize(
    "words",
    [
        ("language", "zh_CN", "acme"),
        ("unlock", "acme"),
        ("recovery-key", "file", "acme"),
        ("rename", "acme", "gamma"),
        ("switch", "acme"),
        ("delete", "acme"),
    ],
)
async def test_a_name_and_an_option_that_differ_are_refused(bench: Bench, words: tuple[str, ...]) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    assert await refused(bench, "--org", "beta", "org", *words, to=KeptExchange("acme")) is Code.INPUT_INVALID
    assert not (bench.folder / "file").exists()


async def test_a_name_and_an_option_that_agree_are_taken(bench: Bench) -> None:
    await bench.organizations.create("beta", KeyPlace.FILE)
    exchange = await bench.give("--org", "beta", "org", "unlock", "beta", to=KeptExchange())
    assert "“beta” opens" in exchange.out


@pytest.mark.req("SETUP-010")
async def test_the_language_of_an_organization_is_changed(bench: Bench) -> None:
    exchange = await bench.give("org", "language", "zh_CN", to=KeptExchange(json=True))
    assert isinstance(exchange.values[0], dict)
    assert exchange.values[0]["language"] == "zh_CN"
    await bench.give("org", "language", "system", "acme", to=KeptExchange())
    assert (await bench.organizations.find("acme")).language == ""
