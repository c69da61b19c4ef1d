"""Entries of the lists: what is accepted, what is refused and what to write instead, how they are kept."""

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import NetworkRules, OutsideMode
from notochord.services.egress.rules import DEFAULT, SETTING, from_json, normal_entry, normal_rules, read_rules, to_json
from support.egress import PUBLIC, RecordingSender, bench, get, rules


def refusal(code: Code = Code.NETWORK_RULE_INVALID, /, **lists: object) -> NotochordError:
    with pytest.raises(NotochordError) as caught:
        read_rules(rules(**lists))  # type: ignore[arg-type]
    assert caught.value.code is code
    return caught.value


@pytest.mark.req("SET-022", "SET-025", "SET-026")
@pytest.mark.parametrize(
    ("entry", "instead"),
    [
        ("http://nas.local", "nas.local"),
        ("https://nas.local:5000/x", "nas.local:5000"),
        ("HTTP://nas.local", "nas.local"),
        ("nas.local/", "nas.local"),
        ("nas.local/files", "nas.local"),
        ("nas.local?x", "nas.local"),
        ("192.168.0.0/16", "192.168.0.0"),
        ("localhost", "localhost:5173"),
        ("LOCALHOST.", "localhost:5173"),
        ("127.0.0.1", "127.0.0.1:5173"),
        ("[::1]", "[::1]:5173"),
        ("*.localhost", "localhost:5173"),
        ("0.0.0.0", "0.0.0.0:5173"),
        ("::1", "[::1]"),
        ("fd00::1:8080", "[fd00::1:8080]"),
        ("[fd00::1", "nas.local:5000"),
        ("nas.local:0", "nas.local:8080"),
        ("nas.local:70000", "nas.local:8080"),
        ("nas.local:http", "nas.local:5000"),
        ("nas local", "nas.local:5000"),
        (" nas.local", "nas.local"),
        ("nas..local", "nas.local"),
        ("", "nas.local:5000"),
        ("*", "*.example.com"),
        ("*nas.local", "*.nas.local"),
        ("nas.*.local", "*.example.com"),
        ("*.192.168.1.20", "192.168.1.20"),
        ("0xc0.168.1.20", "192.168.1.20"),
        ("3232235796:80", "192.168.1.20:80"),
        ("me@nas.local", "nas.local"),
    ],
)
def test_a_bad_local_entry_is_refused_with_what_to_write(entry: str, instead: str) -> None:
    error = refusal(local=["nas.local", entry])
    assert error.parameters["entry"] == entry
    assert error.parameters["instead"] == instead


@pytest.mark.req("SET-014")
@pytest.mark.parametrize("name", ["blocked", "allowed"])
@pytest.mark.parametrize(
    ("entry", "instead"),
    [
        ("http://example.com", "example.com"),
        ("example.com/path", "example.com"),
        ("example.com:8443", "example.com"),
        ("*.example.com:443", "*.example.com"),
        ("*", "*.example.com"),
    ],
)
def test_a_bad_outside_entry_is_refused_with_what_to_write(name: str, entry: str, instead: str) -> None:
    assert refusal(Code.NETWORK_RULE_INVALID, **{name: [entry]}).parameters["instead"] == instead


@pytest.mark.req("SET-009")
@pytest.mark.parametrize("entry", ["localhost", "localhost:5173", "nas.local", "router", "192.168.1.20", "[::1]"])
def test_an_entry_in_the_wrong_list_is_refused(entry: str) -> None:
    for name in ("blocked", "allowed"):
        assert refusal(Code.NETWORK_RULE_OTHER_LIST, **{name: [entry]}).parameters["entry"] == entry
    refusal(Code.NETWORK_RULE_OTHER_LIST, local=[PUBLIC])


@pytest.mark.req("SET-019")
async def test_a_refused_change_changes_nothing() -> None:
    parts = await bench(RecordingSender(), lists=rules(local=["nas.local"]))
    with pytest.raises(NotochordError):
        await parts.egress.change_rules(rules(local=["nas.local", "localhost"]))
    assert parts.egress.rules() == rules(local=["nas.local"])
    await parts.egress.close()


async def test_both_outside_lists_are_kept_when_the_mode_changes() -> None:
    parts = await bench(RecordingSender(), lists=rules(blocked=["a.example"], allowed=["b.example"]))
    await parts.egress.change_rules(rules(mode="allow", blocked=["a.example"], allowed=["b.example"]))
    assert parts.egress.rules().blocked == ("a.example",)
    assert parts.egress.rules().allowed == ("b.example",)
    await parts.egress.close()


@pytest.mark.req("PERM-036", "PERM-037", "SET-011")
async def test_before_the_user_chose_the_outside_is_open_and_nothing_local_is_listed() -> None:
    parts = await bench(RecordingSender())
    assert parts.egress.rules() == DEFAULT == rules()
    assert to_json(DEFAULT) == SETTING.default
    await parts.egress.close()


@pytest.mark.parametrize(
    "stored",
    [
        {"outside_mode": "open"},
        {"outside_mode": 1},
        {"blocked": "example.com"},
        {"blocked": [1]},
        {"local": ["http://x"]},
        {"proxy": 1},
        {"proxy": "socks5://127.0.0.1:1080"},
    ],
)
async def test_while_stored_rules_cannot_be_read_nothing_goes_out(stored: dict[str, object]) -> None:
    sender = RecordingSender()
    parts = await bench(sender, names={"example.com": [PUBLIC]})
    parts.settings.values[SETTING.name] = stored  # type: ignore[assignment]
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get("https://example.com/"))
    assert caught.value.code is Code.NETWORK_RULE_INVALID
    assert sender.sent == []
    parts.settings.values.clear()
    await parts.egress.fetch(get("https://example.com/"))
    assert len(sender.sent) == 1
    await parts.egress.close()


def test_rules_survive_being_stored() -> None:
    lists = rules(mode="allow", blocked=["a.example"], allowed=["b.example"], local=["nas.local:1"], proxy="direct")
    assert from_json(to_json(lists)) == lists


def test_a_list_has_a_largest_size() -> None:
    read_rules(rules(blocked=[f"h{number}.example" for number in range(10_000)]))
    refusal(blocked=["h.example"] * 10_001)


@pytest.mark.parametrize(
    ("entry", "instead"),
    [("*foo.example.org", "*.foo.example.org"), ("a..example", "a.example")],
)
def test_what_to_write_is_made_from_what_was_written(entry: str, instead: str) -> None:
    assert refusal(Code.NETWORK_RULE_INVALID, blocked=[entry]).parameters["instead"] == instead


@pytest.mark.parametrize(
    ("typed", "local", "kept"),
    [
        ("API.Example.com.", False, "api.example.com"),
        ("例子.example", False, "xn--fsqu00a.example"),
        ("*.Example.com", False, "*.example.com"),
        ("NAS.local:5000", True, "nas.local:5000"),
        ("[::1]:80", True, "[::1]:80"),
    ],
)
def test_an_entry_has_one_normal_form(typed: str, local: bool, kept: str) -> None:
    assert normal_entry(typed, local=local) == kept
    assert normal_entry(kept, local=local) == kept


def test_entries_that_mean_the_same_are_kept_once() -> None:
    rules = NetworkRules(OutsideMode.BLOCK, ("a.example", "A.example", "a.example."), (), ("nas:1", "NAS:1"))
    assert (normal_rules(rules).blocked, normal_rules(rules).local) == (("a.example",), ("nas:1",))
