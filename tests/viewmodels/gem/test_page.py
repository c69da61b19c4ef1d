"""The page of a gem: what it shows, what it sets, and where it goes."""

from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.api import Insert
from notochord.services.gems.api import DocumentKind, KnowledgeFolder, ModelNotice, agent_model
from notochord.services.models.api import ModelRef, ProviderDraft, ProviderKind
from notochord.services.sandbox.api import Host
from notochord.services.store.api import StoreListed
from notochord.services.vault.api import Placement, Secret
from notochord.viewmodels.gem.accounts import NewAccount
from notochord.viewmodels.gem.folders import folder_rows
from notochord.viewmodels.gem.introduction import best_language
from notochord.viewmodels.gem.model import GemModel, Lost
from notochord.viewmodels.gem.needs import Need, NeedKind
from notochord.viewmodels.gem.place import GemPlace, View
from notochord.viewmodels.settings.agents import AgentsModel
from notochord.viewmodels.settings.pane import Pane
from notochord.viewmodels.shell.navigation import Page, Place
from support.eventually import until
from support.gems import FILES, SOP_FILE, manifest, sop

from .conftest import Bench

FOLDERS = "collections.read:user-selected"
FOOD = "facts.read:self:pref.food.*"
NOTES = {"collections": {"notes": {"kind": "table", "fields": {"title": {"type": "string"}}}}}
AGENT = {"agents/reader.md": "---\ndescription: Reads.\nmodels:\n  main:\n    requires: [image_input]\n---\nRead.\n"}


def asking(**changes: Any) -> dict[str, Any]:
    """Return a gem that asks for an account, mail and knowledge."""
    return manifest(
        permissions={
            "network": {"hosts": ["api.example.com"], "reason": "Asks."},
            "connections": [{"id": "weather", "reason": "To ask for the weather."}],
            "email": {"read": True},
            "knowledge": {"permissions": [FOOD], "reason": "To know what you like."},
        },
        **changes,
    )


def new_account(secret: str = "s3cret") -> NewAccount:
    return NewAccount("Weather", Placement.BEARER, Secret(secret), ("api.example.com",))


def kinds(page: GemModel) -> list[NeedKind]:
    return [need.kind for need in page.needs]


@pytest.mark.req("GEMUI-016", "GEMUI-017", "GEMUI-018")
async def test_what_is_missing_is_told_until_it_is_set(bench: Bench) -> None:
    await bench.install(asking())
    page = bench.page
    assert list(page.needs) == [
        Need(NeedKind.ACCOUNT, "weather"), Need(NeedKind.MAILBOX), Need(NeedKind.KNOWLEDGE),
    ]  # fmt: skip
    await page.create_account("weather", new_account())
    await page.choose_mailboxes(frozenset(), every=True)
    await page.allow_knowledge(FOOD, allowed=True)
    await until(lambda: not page.needs)
    await page.allow_knowledge(FOOD, allowed=False)
    await until(lambda: kinds(page) == [NeedKind.KNOWLEDGE])


async def test_a_gem_that_asks_for_nothing_needs_nothing(bench: Bench) -> None:
    await bench.install()
    assert (bench.page.state.value.pane, list(bench.page.needs)) == (Pane.READY, [])
    assert (list(bench.page.accounts.rows), list(bench.page.assistants.rows)) == ([], [])


@pytest.mark.req("GEMUI-023", "GEMUI-024", "CRED-017")
async def test_a_new_account_is_kept_by_the_vault_and_used_by_the_gem(bench: Bench) -> None:
    await bench.install(asking())
    await bench.page.create_account("weather", new_account("canary"))
    (row,) = bench.page.accounts.rows
    (option,) = bench.page.accounts.options.value
    assert (row.chosen, option.name, option.fits, bench.vault.secrets) == ("conn-1", "Weather", True, ["canary"])
    assert "canary" not in repr((row, option, bench.page.shown.value))
    await bench.page.save_account("weather", "")
    assert bench.page.accounts.rows[0].chosen == ""


@pytest.mark.req("CRED-021")
async def test_an_account_that_was_deleted_is_told_and_needed_again(bench: Bench) -> None:
    await bench.install(asking())
    await bench.page.create_account("weather", new_account())
    await bench.vault.remove("conn-1")
    await bench.page.load()
    (row,) = bench.page.accounts.rows
    assert (row.chosen, row.gone) == ("", True)
    assert kinds(bench.page)[0] is NeedKind.ACCOUNT


async def test_an_account_for_other_websites_than_the_gem_reaches_is_marked(bench: Bench) -> None:
    await bench.install(asking())
    await bench.page.create_account(
        "weather", NewAccount("Elsewhere", Placement.HEADER, Secret("x"), ("else.example.com",), "X-Key")
    )
    assert [one.fits for one in bench.page.accounts.options.value] == [False]


@pytest.mark.req("MODEL-108", "MODEL-109", "MODEL-112", "MODEL-113")
async def test_each_assistant_has_a_model_once_there_is_one_and_keeps_it_where_the_settings_do(bench: Bench) -> None:
    await bench.install(manifest(tools=[]), files=AGENT)
    page = bench.page
    assert list(page.assistants.rows) == []
    await bench.models.add_provider(ProviderDraft("Cloud", ProviderKind.OPENAI, models=("gpt",)), Secret("k"))
    await page.load()
    (row,) = page.assistants.rows
    assert (row.name, row.value, row.requires) == ("reader", "", ("image_input",))
    options = page.assistants.options.value
    assert ([role.name for role in options.roles], [one.value for one in options.models]) == (["chat"], ["Cloud/gpt"])
    await page.assistants.choose("reader", "Cloud/gpt")
    assert bench.settings.current(agent_model("greeter", "reader")) == "Cloud/gpt"
    await until(lambda: page.assistants.rows[0].value == "Cloud/gpt")


@pytest.mark.req("MODEL-112", "MODEL-115", "AGENT-037")
async def test_the_settings_list_the_assistants_of_gems_with_the_same_choice(bench: Bench) -> None:
    await bench.models.add_provider(ProviderDraft("Cloud", ProviderKind.OPENAI, models=("gpt",)), Secret("k"))
    await bench.install(manifest(tools=[]), files=AGENT)
    listed = AgentsModel(
        models=bench.models, settings=bench.settings, events=bench.platform.bus, gems=bench.platform.service,
    )  # fmt: skip
    await listed.start()
    assert [(row.name, row.gem, row.title) for row in listed.agents][4:] == [
        ("gem.greeter.reader", "Greeter", "reader")
    ]
    await listed.choose("gem.greeter.reader", "Cloud/gpt")
    await until(lambda: bench.page.assistants.rows[0].value == "Cloud/gpt")
    await bench.page.assistants.choose("reader", "chat")
    await until(lambda: listed.agents[4].value == "chat")
    await listed.close()


@pytest.mark.req("GEMUI-019", "MODEL-111", "MODEL-118", "MODEL-119")
async def test_a_model_that_may_not_be_able_is_a_need_of_its_assistant(bench: Bench) -> None:
    await bench.models.add_provider(ProviderDraft("Cloud", ProviderKind.OPENAI, models=("made-up",)), Secret("k"))
    await bench.models.set_role("chat", ModelRef("Cloud", "made-up"))
    await bench.platform.models.set_role("chat", ModelRef("Cloud", "made-up"))
    await bench.install(manifest(tools=[]), files=AGENT)
    (row,) = bench.page.assistants.rows
    assert row.uses is not None
    assert row.uses.model == "made-up"
    assert row.notice is not ModelNotice.NONE
    assert list(bench.page.needs) == [Need(NeedKind.MODEL, "reader")]


@pytest.mark.req("GEMUI-048", "GEMUI-049")
async def test_failures_appear_on_the_page_and_are_copied_without_content(bench: Bench, tmp_path: Path) -> None:
    async def fail(_: Json, __: Host) -> Json:
        raise NotochordError(Code.TOOL_FAILED, Fault.GUEST, "secret content")

    await bench.install()
    bench.platform.sandbox.tools["tools/greet.ts"] = fail
    with pytest.raises(NotochordError):
        await bench.platform.service.call("greeter", "greet", {}, tmp_path, Cause())
    await until(lambda: bench.page.shown.value is not None and bool(bench.page.shown.value.failures))
    assert bench.page.shown.value is not None
    assert bench.page.shown.value.report == "greeter 1.0.0\ngreet E_TOOL_FAILED 1"


async def test_files_that_changed_are_told_and_that_they_are_right_again(bench: Bench) -> None:
    await bench.install()
    file = next(bench.platform.folder.packages.glob("greeter/*/tools/greet.ts"))
    before = file.read_bytes()
    file.chmod(0o644)
    file.write_bytes(b"y" * len(before))
    await bench.page.verify()
    shown = bench.page.shown.value
    assert shown is not None
    assert (shown.problem, shown.changed_file, bench.page.verified.value) == (
        "E_FILES_CHANGED", "tools/greet.ts", False,
    )  # fmt: skip
    file.write_bytes(before)
    file.chmod(0o444)
    await bench.page.verify()
    assert bench.page.verified.value
    assert bench.page.shown.value is not None
    assert bench.page.shown.value.problem == ""


@pytest.mark.req("GEMUI-050", "GEMUI-051", "GEMUI-052")
async def test_what_is_destroyed_is_counted_before_a_gem_is_removed(bench: Bench) -> None:
    await bench.install(asking(data=NOTES))
    store = await bench.platform.service.data("greeter")
    for title in ("a", "b"):
        await store.records.insert(Insert("notes", {"title": title}), Caller(Actor.USER, ""))
    await store.kv_set("k", "v", Caller(Actor.USER, ""))
    lost = await bench.page.what_is_lost()
    assert (lost.known, lost.records, lost.keys, lost.uses_knowledge) == (True, 2, 1, True)
    assert lost.size > 0
    await bench.page.remove()
    assert bench.navigation.place.value == Place(Page.HOME)
    assert await bench.platform.service.all() == ()


async def test_a_store_that_cannot_be_looked_into_does_not_keep_a_gem_from_being_removed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: str) -> Any:
        raise NotochordError(Code.STORE_UNREADABLE, Fault.SYSTEM, "no key")

    await bench.install()
    monkeypatch.setattr(bench.platform.service, "data", broken)
    assert await bench.page.what_is_lost() == Lost(known=False)
    await bench.page.remove()
    assert await bench.platform.service.all() == ()


async def test_a_gem_that_is_not_there_is_told_and_another_one_is_shown_next(bench: Bench) -> None:
    bench.navigation.go(Page.GEM, "nobody")
    await bench.page.start()
    assert bench.page.state.value.pane is Pane.FAILED
    await bench.platform.service.install(bench.packages.make())
    bench.navigation.go(Page.GEM, "greeter")
    await until(lambda: bench.page.state.value.pane is Pane.READY)
    assert bench.page.shown.value is not None
    assert bench.page.shown.value.id == "greeter"


async def test_an_upgrade_shows_the_new_version_at_once(bench: Bench) -> None:
    await bench.install()
    await bench.platform.service.install(bench.packages.make(manifest(version="1.1.0")))
    await until(lambda: bench.page.shown.value is not None and bench.page.shown.value.version == "1.1.0")


async def test_what_the_author_wrote_is_one_line_without_anything_unseen(bench: Bench) -> None:
    await bench.install(manifest(description="Nice\n\u202egem\u0000  really"))
    assert bench.page.shown.value is not None
    assert bench.page.shown.value.description == "Nice gem really"


async def test_downloading_again_is_offered_only_where_it_is_possible(bench: Bench) -> None:
    repaired: list[str] = []

    class Source:
        async def available(self, gem: str) -> bool:
            return gem == "greeter"

        async def repair(self, gem: str) -> None:
            repaired.append(gem)

    await bench.install()
    assert not bench.page.can_repair.value
    bench.page._repair = Source()
    await bench.page.load()
    assert bench.page.can_repair.value
    await bench.page.download_again()
    assert repaired == ["greeter"]


async def test_a_refused_switch_is_shown_as_it_is_in_truth(bench: Bench) -> None:
    await bench.install(asking())
    seen: list[bool] = []
    bench.page.shown.watch(lambda found: seen.append(found is not None))
    with pytest.raises(NotochordError):
        await bench.page.choose_mailboxes(frozenset({"nowhere"}), every=False)
    assert seen[-2:] == [False, True]


@pytest.mark.parametrize(
    ("subject", "place"),
    [
        ("greeter", GemPlace("greeter")),
        ("greeter#data", GemPlace("greeter", View.DATA)),
        ("greeter#introduction", GemPlace("greeter", View.INTRODUCTION)),
        ("greeter#else", GemPlace("greeter")),
        ("", GemPlace("")),
    ],
)
def test_a_subject_names_a_gem_and_a_view_of_it(subject: str, place: GemPlace) -> None:
    assert GemPlace.of(subject) == place
    assert GemPlace.of(place.subject) == place


async def test_the_data_view_counts_what_is_stored_and_writes_a_collection(bench: Bench, tmp_path: Path) -> None:
    await bench.install(manifest(data=NOTES))
    store = await bench.platform.service.data("greeter")
    await store.records.insert(Insert("notes", {"title": "a"}), Caller(Actor.GEM, "greeter"))
    bench.page.go_to(View.DATA)
    data = bench.page.data
    await until(lambda: data.state.value.pane is Pane.READY)
    assert data.overview.value is not None
    assert [(one.name, one.count) for one in data.overview.value.collections] == [("notes", 1)]
    assert [one.what for one in data.overview.value.last_changes] == ["added"]
    data.begin_export("notes", tmp_path / "notes.jsonl")
    await until(lambda: data.export.value is not None and data.export.value.done)
    assert (tmp_path / "notes.jsonl").read_text().count("\n") == 1
    data.dismiss()
    assert data.export.value is None


async def test_an_export_that_fails_says_why_and_one_that_is_cancelled_is_gone(bench: Bench, tmp_path: Path) -> None:
    await bench.install(manifest(data=NOTES))
    data = bench.page.data
    await data.load("greeter")
    data.begin_export("notes", tmp_path / "missing" / "notes.jsonl")
    await until(lambda: data.export.value is not None and not data.export.value.running)
    assert data.export.value is not None
    assert data.export.value.error is not None
    data.dismiss()
    data.begin_export("notes", tmp_path / "notes.jsonl")
    data.cancel()
    assert data.export.value is None
    await bench.page.close()
    assert not (tmp_path / "notes.jsonl").exists()


DOCS = {
    **FILES,
    "docs/README.en.md": "# Greeter",
    "docs/README.zh-CN.md": "# 问候",
    "docs/prompts/hello.en.md": "Hello",
    "docs/prompts/hello.zh-CN.md": "你好",
    "docs/prompts/only.en.md": "Only English",
}


@pytest.mark.req("DOCS-011", "DOCS-014", "DOCS-018", "DOCS-019")
async def test_an_introduction_is_shown_in_the_chosen_language_tab_by_tab(bench: Bench) -> None:
    await bench.install(files=DOCS)
    bench.page.go_to(View.INTRODUCTION)
    shown = bench.page.introduction
    await until(lambda: shown.state.value.pane is Pane.READY)
    assert (list(shown.languages), list(shown.tabs)) == (["en", "zh-CN"], [DocumentKind.README, DocumentKind.PROMPT])
    assert [one.text for one in shown.chapters] == ["# Greeter"]
    await shown.choose_language("zh-CN")
    assert [one.text for one in shown.chapters] == ["# 问候"]
    await shown.choose_tab(DocumentKind.PROMPT)
    assert [(one.name, one.text) for one in shown.chapters] == [("hello", "你好"), ("only", "Only English")]


@pytest.mark.parametrize(
    ("offered", "wanted", "best"),
    [
        (["de", "en", "zh-CN"], "zh-CN", "zh-CN"),
        (["en", "zh-TW"], "zh-CN", "zh-TW"),
        (["de", "en-GB"], "zh-CN", "en-GB"),
        (["de"], "zh-CN", "de"),
        ([], "en", ""),
    ],
)
def test_the_language_that_comes_closest_is_shown(offered: list[str], wanted: str, best: str) -> None:
    assert best_language(offered, wanted) == best


@pytest.mark.req("GEMUI-031", "PERM-160", "GEMUI-018")
async def test_folders_are_chosen_one_by_one_and_a_permission_on_folders_needs_one(bench: Bench) -> None:
    await bench.install(manifest(permissions={"knowledge": {"permissions": [FOLDERS]}}))
    page = bench.page
    assert [folder.id for folder in page.folders.value] == ["work", "plans", "old", "home"]
    await page.allow_knowledge(FOLDERS, allowed=True)
    await page.load()
    assert kinds(page) == [NeedKind.KNOWLEDGE]
    for folder in ("plans", "home"):
        await page.choose_folder(FOLDERS, folder, chosen=True)
        await page.load()
    assert kinds(page) == []
    await page.choose_folder(FOLDERS, "home", chosen=False)
    (right,) = (await bench.platform.service.grants.rights("greeter")).knowledge
    assert right.collections == ("plans",)


async def test_where_there_is_no_knowledge_base_the_permission_is_all_that_is_needed(bench: Bench) -> None:
    bench.knowledge.parents.clear()
    await bench.install(manifest(permissions={"knowledge": {"permissions": [FOLDERS]}}))
    assert (kinds(bench.page), bench.page.folders.value) == ([NeedKind.KNOWLEDGE], ())
    await bench.page.allow_knowledge(FOLDERS, allowed=True)
    await bench.page.load()
    assert kinds(bench.page) == []


def test_folders_stand_below_the_one_that_they_lie_in_and_go_with_a_chosen_one() -> None:
    folders = [
        KnowledgeFolder("p", "Plans", "w"), KnowledgeFolder("w", "Work"), KnowledgeFolder("h", "a\u202eb"),
        KnowledgeFolder("o", "Old", "p"), KnowledgeFolder("l", "Lost", "gone"),
    ]  # fmt: skip
    rows = [(row.name, row.depth, row.chosen, row.included) for row in folder_rows(folders, {"w", "o"})]
    assert rows == [
        ("ab", 0, False, False), ("Lost", 0, False, False), ("Work", 0, True, False), ("Plans", 1, False, True),
        ("Old", 2, True, True),
    ]  # fmt: skip


async def test_a_later_version_is_told_when_the_list_is_read_and_taken_when_the_user_wants_it(bench: Bench) -> None:
    await bench.install(asking())
    page = bench.page
    assert page.update.value == ""
    await page.allow_knowledge(FOOD, allowed=True)
    package = bench.packages.make(asking(version="1.1.0"))
    bench.later.packages["greeter"] = ("1.1.0", package)
    bench.platform.bus.publish(StoreListed())
    await until(lambda: page.update.value == "1.1.0")
    await page.update_now()
    assert page.update.value == ""
    shown = page.shown.value
    assert shown is not None
    assert (shown.version, [one.allowed for one in shown.knowledge]) == ("1.1.0", [True])


async def test_an_update_that_fails_leaves_the_version_and_the_offer(bench: Bench) -> None:
    await bench.install(asking())
    broken = bench.packages.keep(b"no package")
    bench.later.packages["greeter"] = ("1.1.0", broken)
    await bench.page.load()
    with pytest.raises(NotochordError) as failed:
        await bench.page.update_now()
    assert failed.value.code is Code.PACKAGE_INVALID
    await bench.page.load()
    shown = bench.page.shown.value
    assert (shown.version if shown else "", bench.page.update.value) == ("1.0.0", "1.1.0")


@pytest.mark.req("SOP-150", "SOP-151")
@pytest.mark.parametrize("more", [True, False])
async def test_an_update_is_told_with_whether_it_asks_for_more(bench: Bench, more: bool) -> None:
    class Later:
        async def updates(self) -> dict[str, str]:
            return {"greeter": "2.0.0"}

        async def asks_more(self, gem: str) -> bool:
            return more

    bench.page._updates = Later()  # type: ignore[assignment]
    await bench.install()
    assert (bench.page.update.value, bench.page.update_asks_more.value) == ("2.0.0", more)


@pytest.mark.req("PERM-116")
async def test_a_working_folder_is_shown_for_what_starts_by_itself_and_taken_back(bench: Bench, tmp_path: Path) -> None:
    page = bench.page
    scheduled = sop(trigger={"type": "cron", "expr": "0 8 * * *"})
    await bench.install(manifest(workflows=[scheduled]), files={**FILES, **SOP_FILE})
    assert page.shown.value is not None
    assert (page.shown.value.works_alone, page.shown.value.working_folder) == (True, "")
    assert kinds(page) == []

    def shows(folder: str) -> bool:
        return page.shown.value is not None and page.shown.value.working_folder == folder

    await page.choose_working_folder(tmp_path)
    await until(lambda: shows(str(tmp_path)))
    await page.choose_working_folder(None)
    await until(lambda: shows(""))
    await bench.platform.service.install(bench.packages.make(manifest(version="2.0.0")))
    await until(lambda: page.shown.value is not None and not page.shown.value.works_alone)


async def test_that_the_working_folder_is_lost_is_told_with_the_page(bench: Bench, tmp_path: Path) -> None:
    page, place = bench.page, tmp_path / "papers"
    place.mkdir()
    scheduled = sop(trigger={"type": "cron", "expr": "0 8 * * *"})
    await bench.install(manifest(workflows=[scheduled]), files={**FILES, **SOP_FILE})
    await page.choose_working_folder(place)
    await page.load()
    assert not page.folder_lost.value
    place.rmdir()
    await page.load()
    assert page.folder_lost.value


@pytest.mark.req("GEMUI-037")
async def test_what_an_author_says_of_facts_is_shown_without_what_is_unseen(bench: Bench) -> None:
    added = {"predicate": "pref.food.rated", "cardinality": "many", "description": "Dishes\u202e\nrated."}
    await bench.install(manifest(permissions={"knowledge": {"permissions": [FOOD], "predicates": [added]}}))
    assert bench.page.shown.value is not None
    assert bench.page.shown.value.introduced == (("pref.food.rated", "Dishes rated."),)
