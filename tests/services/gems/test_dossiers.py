"""What the owner of a gem sees of it and sets for it."""

import asyncio
import json
import stat
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.api import Insert
from notochord.services.gems.api import (
    AskedAccount,
    DocumentKind,
    ExtraFile,
    GemFailure,
    GemProcedure,
    GemRights,
)
from notochord.services.gems.contents import pages_in, procedures_in
from notochord.services.gems.manifest import read
from notochord.services.sandbox.api import Host
from support.gems import FILES, PackageMaker, Platform, manifest, platform, sop, tool
from support.shelves import CONTENT, MIRROR, resource
from support.vaults import MemoryVault

NOTES = {"collections": {"notes": {"kind": "table", "fields": {"title": {"type": "string"}}}}}
DOCS = {
    "docs/README.en.md": "# Greeter\n",
    "docs/README.zh-CN.md": "# 问候\n",
    "docs/prompts/hello.en.md": "Greet Anna.",
    "docs/prompts/hello.zh-CN.md": "问候安娜。",
    "docs/examples/day.en.md": "A day with it.",
    "docs/notes/other.md": "No part of the introduction.",
}


def connected(**changes: Any) -> dict[str, Any]:
    """Return a manifest that asks for an account and network."""
    return manifest(
        permissions={
            "network": {"hosts": ["api.example.com"], "reason": "Asks the weather service."},
            "connections": [{"id": "weather", "reason": "To ask for the weather."}],
        },
        **changes,
    )


def raw(**changes: Any) -> Any:
    """Return the recorded form of a manifest as later versions will accept it."""
    return read({**manifest(**changes), "integrity": {"files": {}}})


async def failing(_: Json, __: Host) -> Json:
    raise NotochordError(Code.TOOL_FAILED, Fault.GUEST, "secret content", message="secret content")


async def call(made: Platform, folder: Path) -> None:
    with pytest.raises(NotochordError):
        await made.service.call("greeter", "greet", {}, folder, Cause())


@pytest.mark.req("GEMUI-017", "GEMUI-043")
async def test_a_dossier_tells_what_a_gem_asks_for_and_which_account_was_chosen(
    notochord: Platform, packages: PackageMaker
) -> None:
    await notochord.service.install(packages.make(connected()))
    found = await notochord.service.dossiers.get("greeter")
    assert (found.gem.hosts, found.network_reason, found.local_network) == (
        ("api.example.com",),
        "Asks the weather service.",
        False,
    )
    assert found.accounts == (AskedAccount("weather", "To ask for the weather."),)
    await notochord.service.choose_connection("greeter", "weather", "conn-1")
    assert (await notochord.service.dossiers.all())[0].accounts[0].account == "conn-1"


@pytest.mark.req("GEMUI-048")
async def test_failures_of_a_gems_code_are_counted_by_place_and_code_without_content(
    greeter: Platform, talk: Path
) -> None:
    greeter.sandbox.tools["tools/greet.ts"] = failing
    for _ in range(3):
        await call(greeter, talk)
    found = (await greeter.service.dossiers.get("greeter")).failures
    assert found == (GemFailure("greet", "E_TOOL_FAILED", 3, found[0].last_at),)
    assert "secret" not in str(found)


async def test_what_was_not_the_gems_own_failure_is_not_counted(greeter: Platform, talk: Path) -> None:
    for error in (
        NotochordError(Code.CANCELLED, Fault.USER, "stopped"),
        NotochordError(Code.CANCELLED, Fault.GUEST, "the call is over"),
        NotochordError(Code.GUEST_START, Fault.SYSTEM, "no Deno"),
        NotochordError(Code.GUEST_CRASHED, Fault.GUEST, "another one", how="stopped"),
    ):

        async def fail(_: Json, __: Host, error: NotochordError = error) -> Json:
            raise error

        greeter.sandbox.tools["tools/greet.ts"] = fail
        await call(greeter, talk)
    with pytest.raises(NotochordError):
        await greeter.service.call("greeter", "greet", {"who": 5}, talk, Cause())
    assert (await greeter.service.dossiers.get("greeter")).failures == ()


@pytest.mark.req("GEMUI-048")
async def test_counts_outlive_the_program_and_begin_anew_with_another_version(tmp_path: Path, talk: Path) -> None:
    packages, vault = PackageMaker(tmp_path / "packages"), MemoryVault()
    async with platform(tmp_path / "org", vault=vault) as made:
        await made.service.install(packages.make())
        made.sandbox.tools["tools/greet.ts"] = failing
        await call(made, talk)
    async with platform(tmp_path / "org", vault=vault) as made:
        assert [one.count for one in (await made.service.dossiers.get("greeter")).failures] == [1]
        await made.service.install(packages.make(manifest(version="1.1.0")))
        assert (await made.service.dossiers.get("greeter")).failures == ()


async def test_a_call_that_outlives_an_upgrade_is_not_counted_against_the_new_version(
    greeter: Platform, packages: PackageMaker, talk: Path
) -> None:
    async def upgrade_then_fail(_: Json, __: Host) -> Json:
        await greeter.service.install(packages.make(manifest(version="2.0.0")))
        raise NotochordError(Code.TOOL_FAILED, Fault.GUEST, "old code")

    greeter.sandbox.tools["tools/greet.ts"] = upgrade_then_fail
    await call(greeter, talk)
    assert (await greeter.service.dossiers.get("greeter")).failures == ()


@pytest.mark.req("GEMUI-045")
def test_procedures_and_pages_are_read_with_what_starts_them() -> None:
    found = raw(
        workflows=[
            sop("digest", trigger={"type": "cron", "expr": "0 8 * * *"}),
            sop("sort", trigger={"type": "event", "source": "email", "name": "onNewMessage"}),
            sop("once"),
        ],
        pages=[{"name": "board", "title": "Board"}, {"name": "main"}, "no page"],
    )
    assert procedures_in(found, {"once": ("tool.greet",)}) == (
        GemProcedure("digest", "Does digest.", "cron", "0 8 * * *"),
        GemProcedure("sort", "Does sort.", "event", "email.onNewMessage"),
        GemProcedure("once", "Does once.", calls=("tool.greet",)),
    )
    assert pages_in(found) == (("board", "Board"), ("main", "main"))


@pytest.mark.req("GEMUI-014", "GEMUI-021")
async def test_a_dossier_has_the_rights_as_they_are_now(notochord: Platform, packages: PackageMaker) -> None:
    await notochord.service.install(packages.make(manifest(permissions={"email": {"read": True}})))
    assert (await notochord.service.dossiers.get("greeter")).rights == GemRights(reads_mail=True)
    await notochord.service.grants.choose_mailboxes("greeter", (), every=True)
    assert (await notochord.service.dossiers.get("greeter")).rights.every_mailbox


async def test_every_method_refuses_a_gem_that_is_not_installed(notochord: Platform, tmp_path: Path) -> None:
    dossiers = notochord.service.dossiers
    for attempt in (
        dossiers.get("nobody"),
        dossiers.verify("nobody"),
        dossiers.document("nobody", "docs/README.en.md"),
        dossiers.export("nobody", "notes", tmp_path / "notes.jsonl"),
    ):
        with pytest.raises(NotochordError) as caught:
            await attempt
        assert caught.value.code is Code.GEM_UNKNOWN


async def test_verifying_tells_which_file_changed_and_that_it_is_right_again(greeter: Platform) -> None:
    file = next(greeter.folder.packages.glob("greeter/*/tools/greet.ts"))
    before = file.read_bytes()
    file.chmod(0o644)
    file.write_bytes(b"x" * len(before))
    found = await greeter.service.dossiers.verify("greeter")
    assert (found.gem.state, found.changed_file) == ("E_FILES_CHANGED", "tools/greet.ts")
    file.write_bytes(before)
    file.chmod(0o444)
    found = await greeter.service.dossiers.verify("greeter")
    assert (found.gem.state, found.changed_file) == ("ready", "")


@pytest.mark.req("DOCS-009", "DOCS-010", "DOCS-013", "DOCS-019")
async def test_an_introduction_is_told_by_kind_name_and_language(notochord: Platform, packages: PackageMaker) -> None:
    await notochord.service.install(packages.make(files={**FILES, **DOCS}))
    found = (await notochord.service.dossiers.get("greeter")).documents
    assert [(one.kind, one.name, one.language) for one in found] == [
        (DocumentKind.README, "README", "en"),
        (DocumentKind.README, "README", "zh-CN"),
        (DocumentKind.PROMPT, "hello", "en"),
        (DocumentKind.PROMPT, "hello", "zh-CN"),
        (DocumentKind.EXAMPLE, "day", "en"),
    ]
    assert await notochord.service.dossiers.document("greeter", found[1].path) == "# 问候\n"


@pytest.mark.parametrize("path", ["docs/notes/other.md", "tools/greet.ts", "../../main.db", "docs/README.fr.md"])
async def test_nothing_but_documents_is_read(notochord: Platform, packages: PackageMaker, path: str) -> None:
    await notochord.service.install(packages.make(files={**FILES, **DOCS}))
    with pytest.raises(NotochordError) as caught:
        await notochord.service.dossiers.document("greeter", path)
    assert caught.value.code is Code.NOT_FOUND


@pytest.mark.parametrize("trick", ["content", "link", "gone"])
async def test_a_document_that_was_tampered_with_is_not_shown(
    notochord: Platform, packages: PackageMaker, tmp_path: Path, trick: str
) -> None:
    await notochord.service.install(packages.make(files={**FILES, **DOCS}))
    file = next(notochord.folder.packages.glob("greeter/*/docs/README.en.md"))
    elsewhere = tmp_path / "secret.txt"
    elsewhere.write_text("# Greeter\n")
    file.parent.chmod(0o755)
    file.unlink()
    if trick == "content":
        file.write_text("# Gr3eter\n")
    if trick == "link":
        file.symlink_to(elsewhere)
    with pytest.raises(NotochordError) as caught:
        await notochord.service.dossiers.document("greeter", "docs/README.en.md")
    assert caught.value.code is Code.FILES_CHANGED


async def test_a_document_that_nobody_could_read_is_refused_before_it_is_loaded(
    notochord: Platform, packages: PackageMaker
) -> None:
    await notochord.service.install(packages.make(files={**FILES, "docs/README.en.md": "x" * 1_048_577}))
    with pytest.raises(NotochordError) as caught:
        await notochord.service.dossiers.document("greeter", "docs/README.en.md")
    assert caught.value.code is Code.PAYLOAD_TOO_LARGE


async def with_notes(made: Platform, packages: PackageMaker, count: int) -> None:
    await made.service.install(packages.make(manifest(data=NOTES)))
    store = await made.service.data("greeter")
    for number in range(count):
        await store.records.insert(Insert("notes", {"title": f"Note {number}"}), Caller(Actor.USER, ""))


async def test_a_collection_is_exported_as_json_lines_into_a_private_file(
    notochord: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    await with_notes(notochord, packages, 3)
    file, heard = tmp_path / "notes.jsonl", [0]
    file.write_text("before")
    assert await notochord.service.dossiers.export("greeter", "notes", file, progress=heard.append) == 3
    titles = sorted(json.loads(line)["data"]["title"] for line in file.read_text().splitlines())
    assert titles == ["Note 0", "Note 1", "Note 2"]
    assert (stat.S_IMODE(file.stat().st_mode), heard[-1]) == (0o600, 3)


async def test_an_export_that_fails_or_is_cancelled_leaves_the_file_as_it_was(
    notochord: Platform, packages: PackageMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notochord.services.gems.data_export.CHUNK_CHARACTERS", 1)
    await with_notes(notochord, packages, 3)
    file = tmp_path / "out" / "notes.jsonl"
    file.parent.mkdir()
    file.write_text("before")
    with pytest.raises(NotochordError):
        await notochord.service.dossiers.export("greeter", "nothing", file)
    task: asyncio.Task[int]

    def stop(_: int) -> None:
        task.cancel()

    task = asyncio.create_task(notochord.service.dossiers.export("greeter", "notes", file, progress=stop))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (file.read_text(), [one.name for one in file.parent.iterdir()]) == ("before", ["notes.jsonl"])


async def test_an_empty_collection_gives_an_empty_file(
    notochord: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    await with_notes(notochord, packages, 0)
    assert await notochord.service.dossiers.export("greeter", "notes", tmp_path / "notes.jsonl") == 0
    assert (tmp_path / "notes.jsonl").read_bytes() == b""


async def test_a_gem_tool_list_is_the_same_in_the_dossier(greeter: Platform) -> None:
    assert (await greeter.service.dossiers.get("greeter")).gem == await greeter.service.get("greeter")
    assert tool()["name"] == (await greeter.service.dossiers.get("greeter")).gem.tools[0].name


@pytest.mark.req("RES-013", "RES-014", "RES-022")
async def test_a_dossier_tells_which_files_are_downloaded_as_declared(
    notochord: Platform, packages: PackageMaker
) -> None:
    declared = [
        resource(mirrors=[MIRROR], description="A model", required=True),
        resource(id="plain", url="https://files.example.com:8443/x"),
    ]
    await notochord.service.install(packages.make(manifest(resources=declared)))
    assert (await notochord.service.dossiers.get("greeter")).files == (
        ExtraFile("A model", len(CONTENT), ("files.example.com", "mirror.example.org"), True),
        ExtraFile("plain", len(CONTENT), ("files.example.com:8443",), False),
    )


@pytest.mark.req("DOCS-015")
async def test_examples_are_part_of_an_introduction_that_has_some(notochord: Platform, packages: PackageMaker) -> None:
    without = {path: text for path, text in DOCS.items() if "examples" not in path}
    for files, expected in ((DOCS, ["docs/examples/day.en.md"]), (without, [])):
        await notochord.service.install(packages.make(manifest(), {**FILES, **files}))
        documents = (await notochord.service.dossiers.get("greeter")).documents
        assert [one.path for one in documents if one.kind is DocumentKind.EXAMPLE] == expected
