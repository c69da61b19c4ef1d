"""`notochord gem new`, `check`, `test`, `pack` and `sign` on the command line."""

import json

import pytest

from notochord.core.codes import Code
from notochord.core.paths import shipped
from support.drafts import draft_manifest, export, written_draft
from support.exchanges import KeptExchange
from support.front_bench import Bench, refused
from support.shelves import resource


async def test_a_draft_is_made_checked_and_packed_in_three_commands(bench: Bench) -> None:
    made = await bench.give("gem", "new", "word-counter", "--publisher", "anna", to=KeptExchange())
    assert "The draft word-counter is in" in made.out
    manifest = json.loads((bench.folder / "word-counter/manifest.json").read_text(encoding="utf-8"))
    assert (manifest["id"], manifest["name"], manifest["author"]["publisherId"]) == (
        "word-counter",
        "Word counter",
        "anna",
    )
    checked = await bench.give("gem", "check", "word-counter", to=KeptExchange())
    assert checked.out == "The draft can be packed and installed.\n"
    packed = await bench.give("gem", "pack", "word-counter", to=KeptExchange(json=True))
    [value] = packed.values
    assert isinstance(value, dict)
    assert (value["package"], value["key"]) == (str(bench.folder / "word-counter-0.1.0.gem"), "")
    assert (bench.folder / "word-counter-0.1.0.gem").is_file()


@pytest.mark.parametrize("command", ["check", "pack", "test"])
async def test_every_problem_is_shown_with_code_place_and_what_to_do(bench: Bench, command: str) -> None:
    written_draft(bench.folder / "draft", draft_manifest(version="1", exports=[export(entry="no.ts")]))
    exchange = KeptExchange()
    assert await refused(bench, "gem", command, "draft", to=exchange) is Code.CHECKS_FAILED
    first, second = exchange.out.splitlines()
    assert first.startswith("✗ E_PERM_INVALID version This is not a version. Write three numbers")
    assert second.startswith("✗ E_PERM_INVALID exports.0.entry no.ts is not a code file")
    assert list(bench.folder.glob("*.gem")) == []


async def test_a_script_gets_the_problems_as_json_and_a_person_in_chinese(bench: Bench) -> None:
    written_draft(bench.folder / "draft", draft_manifest(version="1"))
    script, person = KeptExchange(json=True), KeptExchange(language="zh_CN")
    for exchange in (script, person):
        assert await refused(bench, "gem", "check", "draft", to=exchange) is Code.CHECKS_FAILED
    message = "This is not a version. Write three numbers, such as 1.0.0, following Semantic Versioning."
    problem = {"code": "E_PERM_INVALID", "path": "version", "kind": "form_version", "message": message}
    assert script.values == [{"problems": [problem]}]
    assert person.out.startswith("✗ E_PERM_INVALID version 这不是版本号。")


async def test_a_package_is_signed_with_a_new_key_that_is_never_shown(bench: Bench) -> None:
    written_draft(bench.folder / "draft")
    await bench.give("gem", "pack", "draft", "a.gem", to=KeptExchange())
    words = ("gem", "sign", "a.gem", "--key", "my.key")
    assert await refused(bench, *words, to=KeptExchange()) is Code.FILE_MISSING
    signed = await bench.give(*words, "--new-key", to=KeptExchange())
    again = await bench.give(*words, to=KeptExchange(json=True))
    secret = (bench.folder / "my.key").read_text(encoding="ascii").strip()
    shown = f"{signed.out}{signed.said}{again.out}{again.values}{again.said}"
    assert "signed with the key" in signed.out
    assert secret not in shown
    assert await refused(bench, *words, "--new-key", to=KeptExchange()) is Code.FILE_EXISTS
    packed = await bench.give("gem", "pack", "draft", "b.gem", "--key", "my.key", to=KeptExchange())
    assert (bench.folder / "b.gem").read_bytes() == (bench.folder / "a.gem").read_bytes()
    assert secret not in packed.out


async def test_the_outcome_of_each_test_is_told_and_one_that_fails_fails_the_command(bench: Bench) -> None:
    written_draft(bench.folder / "draft")
    written_draft(bench.folder / "failing")
    passed = await bench.give("gem", "test", "draft", to=KeptExchange())
    assert passed.out == "✓ tests/a.test.ts adds\nPassed: 1. Failed: 0.\n"
    exchange = KeptExchange()
    assert await refused(bench, "gem", "test", "failing", to=exchange) is Code.CHECKS_FAILED
    assert "✗ tests/b.test.ts adds: E_TOOL_FAILED 1 is not 2" in exchange.out


@pytest.mark.parametrize("folder", ["我的 gem", "...", "A_b C"])
async def test_a_folder_of_any_name_gives_an_id(bench: Bench, folder: str) -> None:
    await bench.give("gem", "new", f"x/{folder}/draft-1", to=KeptExchange())
    await bench.give("gem", "new", f"y/{folder}", to=KeptExchange())
    found = json.loads((bench.folder / "y" / folder / "manifest.json").read_text(encoding="utf-8"))
    assert found["id"] in {"gem", "me", "a-b-c"}
    checked = await bench.give("gem", "check", f"y/{folder}", to=KeptExchange())
    assert checked.out == "The draft can be packed and installed.\n"


async def test_a_package_becomes_a_draft_again(bench: Bench) -> None:
    written_draft(bench.folder / "draft")
    await bench.give("gem", "pack", "draft", "a.gem", to=KeptExchange())
    opened = await bench.give("gem", "new", "again", "--from", "a.gem", to=KeptExchange())
    assert "The draft of the package is in" in opened.out
    await bench.give("gem", "pack", "again", "b.gem", to=KeptExchange())
    assert (bench.folder / "a.gem").read_bytes() == (bench.folder / "b.gem").read_bytes()


@pytest.mark.req("PKG-072")
async def test_a_package_is_checked_for_itself_and_its_signature_told(bench: Bench) -> None:
    written_draft(bench.folder / "draft")
    await bench.give("gem", "pack", "draft", "a.gem", to=KeptExchange())
    checked = await bench.give("gem", "check", "a.gem", to=KeptExchange(json=True))
    [value] = checked.values
    assert isinstance(value, dict)
    assert (value["trust"], value["id"]) == ("unsigned", "greeter")
    assert await refused(bench, "gem", "verify", "a.gem", to=KeptExchange()) is Code.UNSIGNED
    await bench.give("gem", "sign", "a.gem", "--key", "my.key", "--new-key", to=KeptExchange())
    assert await refused(bench, "gem", "verify", "a.gem", to=KeptExchange()) is Code.UNKNOWN_KEY
    shown = await bench.give("gem", "check", "a.gem", to=KeptExchange())
    assert shown.out.splitlines()[:2] == ["Greeter 1.0.0 (greeter)", "Greets people."]
    included = shipped("resources") / "gems" / "sales-summary.gem"
    official = await bench.give("gem", "verify", str(included), to=KeptExchange())
    assert "official" in official.out
    (bench.folder / "a.gem").write_bytes((bench.folder / "a.gem").read_bytes()[:-30])
    assert await refused(bench, "gem", "check", "a.gem", to=KeptExchange()) is Code.PACKAGE_INVALID


@pytest.mark.req("DOCS-012")
async def test_a_draft_that_people_will_not_understand_is_packed_with_advice(bench: Bench) -> None:
    draft = written_draft(bench.folder / "draft", files={"docs/README.md": "Hello", "docs/README.de.md": "Hallo"})
    checked = await bench.give("gem", "check", "draft", to=KeptExchange())
    sound, first, second = checked.out.splitlines()
    assert sound == "The draft can be packed and installed."
    assert first.startswith("! docs/README.en.md The gem has no introduction in English")
    assert second.startswith("! docs/README.md Nobody will see this file")
    script = await bench.give("gem", "check", "draft", to=KeptExchange(json=True))
    readme, unseen = checked.out.split("! ")[1:]
    assert script.values == [
        {
            "problems": [],
            "advice": [
                {"path": "docs/README.en.md", "kind": "readme_missing", "message": readme.split(" ", 1)[1].strip()},
                {"path": "docs/README.md", "kind": "document_unseen", "message": unseen.split(" ", 1)[1].strip()},
            ],
        }
    ]
    packed = await bench.give("gem", "pack", "draft", to=KeptExchange())
    assert packed.said[0].startswith("! docs/README.en.md The gem has")
    (draft / "docs/README.md").rename(draft / "docs/README.en.md")
    checked = await bench.give("gem", "check", "draft", to=KeptExchange(language="zh_CN"))
    assert len(checked.out.splitlines()) == 1


@pytest.mark.req("PERM-008", "RES-019")
async def test_what_a_package_would_reach_and_download_is_told_before_it_is_installed(bench: Bench) -> None:
    content = draft_manifest(
        network={"hosts": ["api.example.com"], "reason": "Weather"}, resources=[resource(description="A model")]
    )
    written_draft(bench.folder / "draft", content)
    await bench.give("gem", "pack", "draft", "a.gem", to=KeptExchange())
    shown = (await bench.give("gem", "check", "a.gem", to=KeptExchange())).out
    for part in ("May reach: api.example.com", "greet  write  Does greet.", "A model  112.3 KiB  files.example.com"):
        assert part in shown
