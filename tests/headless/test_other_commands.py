"""`notochord gem`, `network`, `usage`, `undo` and `doctor`."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.headless.commands.undo import cause_named
from notochord.headless.services import Finding, Health
from notochord.services.egress.api import without_password
from notochord.services.gems.api import GemResource, GemResourceChanged, KnowledgeFolder, ResourceState
from support.exchanges import KeptExchange
from support.fakes.gems import FakeGems
from support.front_bench import Bench, refused
from support.front_program import SteadyProbe


class FailingDownloads(FakeGems):
    """A download that comes half the way."""

    def __init__(self, events: EventBus) -> None:
        super().__init__()
        self._events = events
        self._failure: NotochordError | None = None
        self.asked: list[str] = []

    async def resources(self, gem: str) -> tuple[GemResource, ...]:
        (one,) = await super().resources(gem)
        return (replace(one, state=ResourceState.FAILED, failure=self._failure),) if self._failure else (one,)

    async def download(self, gem: str, resource: str) -> None:
        self.asked.append(resource)
        self._events.publish(GemResourceChanged(gem, resource, 1024))
        for _ in range(5):
            await asyncio.sleep(0)
        self._failure = NotochordError(Code.RESOURCE_FAILED, Fault.NETWORK, "gone", resource=resource, reason="gone")
        raise self._failure


async def test_a_gem_is_called_with_json_from_the_line_or_the_input(bench: Bench) -> None:
    for words, given in ((('{"a":1}',), ""), (("-",), '{"a":1}')):
        exchange = await bench.give("gem", "call", "g", "add", *words, to=KeptExchange(given=given, json=True))
        assert exchange.values == [{"arguments": {"a": 1}, "folder": str(bench.folder)}]


async def test_a_gem_works_in_no_folder_that_a_chat_could_not_be_held_about(bench: Bench) -> None:
    words = ("gem", "call", "g", "add", "{}", "--folder", "refused")
    assert await refused(bench, *words, to=KeptExchange()) is Code.FOLDER_REFUSED


async def test_arguments_of_a_gem_that_are_no_json_are_refused(bench: Bench) -> None:
    assert await refused(bench, "gem", "call", "g", "add", "{a:1}", to=KeptExchange()) is Code.TOOL_ARGUMENTS


async def test_an_unsigned_package_needs_the_option(bench: Bench) -> None:
    assert await refused(bench, "gem", "install", "unsigned.gem", to=KeptExchange()) is Code.UNSIGNED
    exchange = await bench.give("gem", "install", "unsigned.gem", "--unsigned", to=KeptExchange())
    assert exchange.out == "Sums 1.0.0 is installed.\n"


async def test_what_a_gem_has_stored_is_listed_with_its_last_changes(bench: Bench) -> None:
    exchange = await bench.give("gem", "data", "eu.example.sums", to=KeptExchange())
    assert "notes  table  2 entries  2.0 KiB\nseen   Log    0 entries  0 B      (no longer used by the gem)" in (
        exchange.out.replace("log  ", "Log  ")
    )
    assert "Files: 1 (5 B)" in exchange.out
    assert "totals  3 rows" in exchange.out
    assert "Whole data folder: 3.0 MiB" in exchange.out
    assert "1970-01-01 00:00:00  added  record notes/a  gem sums" in exchange.out
    exchange = await bench.give("gem", "data", "eu.example.sums", "--changes", "0", to=KeptExchange(json=True))
    (value,) = exchange.values
    assert isinstance(value, dict)
    assert (value["keys"], value["last_changes"]) == (3, [])


async def test_the_log_of_a_gem_is_shown(bench: Bench) -> None:
    exchange = await bench.give("gem", "log", "eu.example.sums", to=KeptExchange())
    assert exchange.out == (
        "1970-01-01 00:00:00  sum  first\n1970-01-01 00:00:00  sum  second\n"
        "1970-01-01 00:00:01  sum  E_TOOL_FAILED: no\n"
    )
    exchange = await bench.give("gem", "log", "eu.example.sums", "--lines", "1", to=KeptExchange(json=True))
    assert exchange.values == [{"lines": [{"tool": "sum", "at": 1000, "text": "E_TOOL_FAILED: no"}]}]


async def test_a_collection_of_a_gem_is_exported_as_json_lines(bench: Bench) -> None:
    exchange = await bench.give("gem", "data", "eu.example.sums", "--export", "notes", to=KeptExchange())
    assert exchange.out == '{"id":"a","data":{"of":"notes"}}\n{"id":"b","data":{"of":"notes"}}\n'
    assert await refused(bench, "gem", "data", "none", to=KeptExchange()) is Code.GEM_UNKNOWN


async def test_the_files_that_are_downloaded_for_a_gem_are_listed_with_how_far_they_are(bench: Bench) -> None:
    exchange = await bench.give("gem", "resources", "eu.example.sums", to=KeptExchange())
    assert exchange.out.split("  ") == ["table", "2.0 KiB", "files.example", "downloaded when first used", "A table\n"]
    exchange = await bench.give("gem", "resources", "eu.example.sums", to=KeptExchange(json=True))
    assert exchange.values[0] == {"resources": [{
        "id": "table", "description": "A table", "size": 2048, "hosts": ["files.example"], "required": False,
        "state": "absent", "received": 0, "failure": None,
    }]}  # fmt: skip


async def test_missing_files_are_downloaded_and_a_failure_is_one_of_the_command(bench: Bench) -> None:
    exchange = KeptExchange()
    failing = FailingDownloads(bench.services.events)
    bench.services = replace(bench.services, gems=failing)  # type: ignore[arg-type]
    code = await refused(bench, "gem", "resources", "eu.example.sums", "--download", to=exchange)
    assert (code, failing.asked) == (Code.RESOURCE_FAILED, ["table"])
    assert "table: 50 %" in exchange.said
    assert "failed: E_RESOURCE_FAILED" in exchange.out


async def test_a_collection_of_a_gem_is_written_into_a_file(bench: Bench) -> None:
    words = ("gem", "data", "eu.example.sums", "--export", "notes", "--to", "notes.jsonl")
    exchange = await bench.give(*words, to=KeptExchange())
    assert exchange.out == f"1 record was written to {bench.folder / 'notes.jsonl'}.\n"
    assert (bench.folder / "notes.jsonl").read_text() == '{"id":"1"}\n'


@pytest.mark.req("GEMUI-043", "GEMUI-044", "GEMUI-045", "GEMUI-048")
async def test_everything_that_is_known_of_a_gem_is_shown(bench: Bench) -> None:
    exchange = await bench.give("gem", "show", "eu.example.sums", to=KeptExchange())
    for line in (
        "Sums 1.0.0 (eu.example.sums)",
        "Publisher: example",
        "Account bank: –",
        "Mailboxes: –",
        "Knowledge, off: facts.read:self:pref.food.*",
        "helper",
        "Procedures (this version does not run them yet)",
        "digest  cron 0 8 * * *  storage.kv.get, tool.add  Sums up.",
        "add  E_TOOL_FAILED  3",
    ):
        assert line in exchange.out
    exchange = await bench.give("gem", "show", "eu.example.sums", "--verify", to=KeptExchange(json=True))
    (value,) = exchange.values
    assert isinstance(value, dict)
    assert (value["id"], value["state"], value["changed_file"]) == (
        "eu.example.sums",
        "E_FILES_CHANGED",
        "tools/add.js",
    )
    assert await refused(bench, "gem", "show", "none", to=KeptExchange()) is Code.GEM_UNKNOWN


async def test_a_gem_is_allowed_for_one_conversation(bench: Bench) -> None:
    await bench.give("chat", "hello", to=KeptExchange())
    await bench.give("gem", "allow", "eu.example.sums", "--chat", "c1", to=KeptExchange())
    assert await bench.services.approvals.permitted("c1", "gem", "eu.example.sums")


async def test_what_a_gem_may_use_of_the_knowledge_base_is_shown_and_changed(bench: Bench) -> None:
    gems, chosen = bench.services.gems, "collections.read:user-selected"
    assert isinstance(gems, FakeGems)
    shown = await bench.give("gem", "rights", "eu.example.sums", to=KeptExchange())
    assert [line.split()[1] for line in shown.out.splitlines()] == ["off", "off", "off", "off"]
    told = await bench.give("gem", "knowledge", "eu.example.sums", chosen, to=KeptExchange())
    assert any("this version has no knowledge base" in line for line in told.said)
    gems.grants.there = (KnowledgeFolder("f1", "Recipes"),)
    await bench.give("gem", "knowledge", "eu.example.sums", chosen, "--folder", "f1", to=KeptExchange())
    shown = await bench.give("gem", "rights", "eu.example.sums", to=KeptExchange())
    assert shown.out.splitlines()[1].split() == [chosen, "on", "Recipes"]
    await bench.give("gem", "knowledge", "eu.example.sums", chosen, "--off", "--folder", "none", to=KeptExchange())
    assert (gems.grants.allowed, gems.grants.chosen) == (set(), ())


async def test_the_working_folder_of_a_gem_is_chosen_shown_and_taken_back(bench: Bench) -> None:
    gem = "eu.example.sums"
    none = await bench.give("gem", "folder", gem, to=KeptExchange())
    assert none.out.startswith("No folder is chosen")
    chosen = await bench.give("gem", "folder", gem, "papers/gone", to=KeptExchange())
    assert "work in " in chosen.out
    place = str(bench.folder / "papers/gone")
    shown = await bench.give("gem", "folder", gem, to=KeptExchange())
    assert (shown.out.strip(), len(shown.said)) == (place, 1)
    rights = await bench.give("gem", "rights", gem, to=KeptExchange())
    assert rights.out.splitlines()[-1].split() == ["workspace", "on", place]
    await bench.give("gem", "folder", gem, "--off", to=KeptExchange())
    assert (await bench.services.gems.grants.rights(gem)).working_folder == ""


async def test_developers_are_trusted_listed_and_trusted_no_more(bench: Bench) -> None:
    key, developers = "ab" * 32, bench.opener.developers
    none = await bench.give("gem", "trust", to=KeptExchange())
    assert "No developer's key is trusted" in none.out
    assert await refused(bench, "gem", "trust", key, to=KeptExchange()) is Code.INPUT_INVALID
    assert await refused(bench, "gem", "trust", "ab", "--publisher", "anna", to=KeptExchange()) is Code.INPUT_INVALID
    await bench.give("gem", "trust", key, "--publisher", "anna", "--gems", "org.anna", to=KeptExchange())
    assert [(one.publisher, one.prefix) for one in developers.kept] == [("anna", "org.anna")]
    listed = await bench.give("gem", "trust", to=KeptExchange())
    assert listed.out.split()[:3] == [key[:32], "anna", "org.anna…"]
    await bench.give("gem", "distrust", key[:32], to=KeptExchange())
    assert developers.kept == []
    assert await refused(bench, "gem", "distrust", key[:32], to=KeptExchange()) is Code.NOT_FOUND


async def test_the_network_mode_is_changed_and_both_lists_stay(bench: Bench) -> None:
    await bench.give("network", "add", "blocked", "bad.example", to=KeptExchange())
    exchange = await bench.give("network", "set", "--mode", "allow", to=KeptExchange(json=True))
    expected = {"allowed": [], "blocked": ["bad.example"], "local": [], "outside_mode": "allow", "proxy": ""}
    assert exchange.values == [expected]


async def test_two_changes_of_the_network_rules_at_once_lose_neither(bench: Bench) -> None:
    await asyncio.gather(
        *(bench.give("network", "add", "local", f"box{number}:1", to=KeptExchange()) for number in range(5))
    )
    assert len(bench.services.egress.rules().local) == 5


@pytest.mark.parametrize("json", [True, False])
async def test_the_password_of_a_proxy_is_asked_for_and_never_shown(bench: Bench, json: bool) -> None:
    words = ("network", "set", "--proxy", "http://me@proxy.example:3128")
    exchange = await bench.give(*words, to=KeptExchange("p@ss:word", json=json))
    assert bench.services.egress.rules().proxy == "http://me:p%40ss%3Aword@proxy.example:3128"
    shown = await bench.give("network", "show", to=KeptExchange(json=json))
    for told in (exchange, shown):
        text = f"{told.out}{told.values}{told.said}"
        assert "http://me:…@proxy.example:3128" in text
        assert "word" not in text


async def test_a_password_among_the_words_of_a_command_is_refused(bench: Bench) -> None:
    words = ("network", "set", "--proxy", "http://me:secret@proxy.example:3128")
    assert await refused(bench, *words, to=KeptExchange()) is Code.INPUT_INVALID
    assert bench.services.egress.rules().proxy == ""


async def test_a_network_entry_is_removed_again(bench: Bench) -> None:
    await bench.give("network", "add", "allowed", "a.example", "b.example", "a.example", to=KeptExchange())
    await bench.give("network", "remove", "allowed", "a.example", to=KeptExchange())
    assert bench.services.egress.rules().allowed == ("b.example",)


async def test_a_network_entry_in_another_spelling_is_the_same_entry(bench: Bench) -> None:
    first = await bench.give("network", "add", "allowed", "A.Example", to=KeptExchange())
    again = await bench.give("network", "add", "allowed", "a.example.", to=KeptExchange())
    assert first.said == ["A.Example is kept as a.example."]
    assert again.said == ["a.example is already on the list."]
    assert bench.services.egress.rules().allowed == ("a.example",)
    await bench.give("network", "remove", "allowed", "A.EXAMPLE", to=KeptExchange())
    assert bench.services.egress.rules().allowed == ()


async def test_removing_a_network_entry_that_is_not_there_is_told(bench: Bench) -> None:
    await bench.give("network", "add", "allowed", "a.example", to=KeptExchange())
    words = ("network", "remove", "allowed", "a.example", "b.example")
    assert await refused(bench, *words, to=KeptExchange()) is Code.NOT_FOUND
    assert bench.services.egress.rules().allowed == ("a.example",)


async def test_usage_is_told_by_day_and_model(bench: Bench) -> None:
    exchange = await bench.give("usage", to=KeptExchange())
    assert "2026-11-30  chat  here/small  2      100        20" in exchange.out


@pytest.mark.parametrize(("text", "part"), [("t1", "turn"), ("turn:t1", "turn"), ("conversation:t1", "conversation")])
async def test_a_cause_is_named_by_its_part(text: str, part: str) -> None:
    assert getattr(cause_named(text), part) == "t1"


@pytest.mark.parametrize("day", ["2026-02-30", "yesterday", "20260101", "2026-1-1"])
async def test_usage_since_an_impossible_day_is_refused(bench: Bench, day: str) -> None:
    assert await refused(bench, "usage", "--since", day, to=KeptExchange()) is Code.INPUT_INVALID


@pytest.mark.parametrize("words", [("undo", "nothing"), ("undo", "nothing", "--show")])
async def test_undoing_a_cause_that_nobody_knows_is_told(bench: Bench, words: tuple[str, ...]) -> None:
    assert await refused(bench, *words, to=KeptExchange()) is Code.NOT_FOUND


async def test_a_step_is_named_within_its_conversation() -> None:
    cause = cause_named("step:c1/call_1")
    assert (cause.conversation, cause.step) == ("c1", "call_1")


@pytest.mark.parametrize("text", ["", ":", "turn:", "step", "actor:x", "step:call_1", "step:/call_1", "step:c1/"])
async def test_undoing_everything_by_mistake_is_impossible(text: str) -> None:
    if text == "step":
        assert cause_named(text).turn == "step"
        return
    with pytest.raises(NotochordError):
        cause_named(text)


async def test_undo_names_what_went_back(bench: Bench) -> None:
    exchange = await bench.give("undo", "t1", to=KeptExchange())
    assert exchange.out == "Undone: 1\nfiles  t1  report.md overwritten\n"


async def test_doctor_names_what_it_checked_in_the_users_language(bench: Bench) -> None:
    disk = Finding("Disk", Health.GOOD, "doctor.disk", {"free": "1.0", "path": "/"})
    named = Finding("Disk", Health.GOOD, "doctor.org.good", {"count": 2})

    class Probe:
        async def findings(self) -> Sequence[Finding]:
            return (disk, named)

    bench.surroundings = replace(bench.surroundings, probes=(Probe(),))
    exchange = await bench.give("doctor", to=KeptExchange(language="zh_CN"))
    assert [line.split(":")[0] for line in exchange.out.splitlines()] == ["✓ 磁盘", "✓ Disk"]


async def test_doctor_fails_when_a_check_does(bench: Bench) -> None:
    assert (await bench.give("doctor", to=KeptExchange())).out == "✓ Python: Python 3.11\n"
    bench.surroundings = replace(bench.surroundings, probes=(SteadyProbe(Health.BAD),))
    exchange = KeptExchange(json=True)
    assert await refused(bench, "doctor", to=exchange) is Code.CHECKS_FAILED
    assert isinstance(exchange.values[0], dict)
    assert exchange.values[0]["healthy"] is False


@pytest.mark.parametrize("proxy", ["", "direct", "proxy.example:3128", "https://proxy.example", "ann@proxy.example"])
async def test_a_proxy_without_a_password_is_shown_as_it_is(proxy: str) -> None:
    assert without_password(proxy) == proxy


async def test_removing_a_gem_asks_first(bench: Bench) -> None:
    kept = await bench.give("gem", "remove", "eu.example.sums", to=KeptExchange("n"))
    removed = await bench.give("gem", "remove", "eu.example.sums", "--yes", to=KeptExchange())
    assert (kept.out == removed.out, "Nothing was removed" in kept.out) == (False, True)
