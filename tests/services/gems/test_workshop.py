"""The workshop: drafts from templates, packages that are the same each time, keys and signatures."""

import os
import stat
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import decode
from notochord.services.gem_authoring.api import DraftIdentity
from notochord.services.gems.api import Trust
from notochord.services.gems.key_files import read_key
from notochord.services.gems.signatures import TrustedKeys, key_id
from notochord.services.gems.templates import template_names
from support.drafts import draft_manifest, export, written_draft
from support.gems import platform, trusted_for
from support.workshops import made_packages, made_workshop

IDENTITY = DraftIdentity("word-counter", 'Words "and" more', "anna")
WORKSHOP = made_workshop()


@pytest.mark.req("STUDIO-002", "STUDIO-003", "STUDIO-004")
@pytest.mark.parametrize("template", template_names())
async def test_a_draft_from_a_template_can_be_packed_and_installed(tmp_path: Path, template: str) -> None:
    files = await WORKSHOP.new(tmp_path / "draft", template, IDENTITY)
    assert {
        path.relative_to(tmp_path / "draft").as_posix() for path in (tmp_path / "draft").rglob("*.*") if path.is_file()
    } == set(files)
    assert await WORKSHOP.check(tmp_path / "draft") == []
    packed = await WORKSHOP.pack(tmp_path / "draft")
    assert packed.package == tmp_path / "word-counter-0.1.0.gem"
    async with platform(tmp_path / "org") as notochord:
        gem = await notochord.service.install(packed.package, allow_unsigned=True)
    assert (gem.id, gem.name, gem.trust) == ("word-counter", 'Words "and" more', Trust.UNSIGNED)


async def test_the_first_template_is_the_simplest(tmp_path: Path) -> None:
    assert (await WORKSHOP.templates())[0] == "tool"


async def test_a_draft_is_never_made_over_files(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(NotochordError) as refused:
        await WORKSHOP.new(tmp_path, "tool", IDENTITY)
    assert refused.value.code is Code.FILE_EXISTS
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


async def test_an_unknown_template_is_told_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(NotochordError) as refused:
        await WORKSHOP.new(tmp_path / "draft", "../tool", IDENTITY)
    assert (refused.value.code, "skill" in str(refused.value.parameters["names"])) == (Code.NOT_FOUND, True)
    assert not (tmp_path / "draft").exists()


async def test_an_id_that_no_gem_may_have_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(NotochordError) as refused:
        await WORKSHOP.new(tmp_path / "draft", "tool", DraftIdentity("Not An Id", "x", "anna"))
    assert refused.value.code is Code.PERM_INVALID
    assert not (tmp_path / "draft").exists()


async def test_the_same_draft_gives_the_same_package_wherever_and_whenever(tmp_path: Path) -> None:
    packages = []
    for name, order in (("a", 1), ("b", -1)):
        content = draft_manifest(exports=[export(permissions=[]), export("second")])
        files = {"lib/z.ts": "z", "agents_note/a.txt": "a", "docs/README.en.md": "# A"}
        folder = tmp_path / name / "draft"
        written_draft(folder, content, dict(sorted(files.items(), reverse=order < 0)))
        for path in folder.rglob("*"):
            os.utime(path, (order * 1000 + 5000, order * 1000 + 5000))
        packages.append((await WORKSHOP.pack(folder)).package.read_bytes())
    assert packages[0] == packages[1]


async def test_a_draft_with_problems_is_not_packed(tmp_path: Path) -> None:
    written_draft(tmp_path / "draft", draft_manifest(exports=[export(entry="none.ts")]))
    with pytest.raises(NotochordError) as refused:
        await WORKSHOP.pack(tmp_path / "draft", tmp_path / "out.gem")
    assert (refused.value.code, "exports.0.entry" in refused.value.detail) == (Code.PERM_INVALID, True)
    assert not (tmp_path / "out.gem").exists()


async def test_a_key_is_in_a_file_that_only_its_owner_reads_and_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "key"
    name = await WORKSHOP.make_key(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert name == key_id(bytes(read_key(file).verify_key))
    before = file.read_bytes()
    with pytest.raises(NotochordError) as refused:
        await WORKSHOP.make_key(file)
    assert (refused.value.code, file.read_bytes()) == (Code.FILE_EXISTS, before)


@pytest.mark.parametrize("content", [b"", b"abc", b"zz" * 32, b"0" * 63, b"\xff" * 64, b"0" * 5_000])
async def test_a_file_that_is_no_key_is_refused_without_showing_it(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)
    (tmp_path / "key").chmod(0o600)
    with pytest.raises(NotochordError) as refused:
        read_key(tmp_path / "key")
    assert refused.value.code is Code.INPUT_INVALID
    shown = f"{refused.value} {refused.value.parameters}"
    assert not content or content.decode("latin-1") not in shown


async def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    await WORKSHOP.make_key(tmp_path / "key")
    (tmp_path / "key").chmod(0o640)
    with pytest.raises(NotochordError) as refused:
        read_key(tmp_path / "key")
    assert (refused.value.code, refused.value.parameters["why"]) == (Code.INPUT_INVALID, "why.key_open")


@pytest.mark.req("PKG-008", "PKG-061", "PKG-070")
async def test_a_signed_package_is_installed_as_its_developers_where_the_key_is_known(tmp_path: Path) -> None:
    name = await WORKSHOP.make_key(tmp_path / "key")
    draft = written_draft(tmp_path / "draft")
    signed = await WORKSHOP.pack(draft, tmp_path / "a.gem", key=tmp_path / "key")
    later = await WORKSHOP.sign((await WORKSHOP.pack(draft, tmp_path / "b.gem")).package, key=tmp_path / "key")
    assert signed.key == later.key == name
    assert signed.package.read_bytes() == later.package.read_bytes()
    key = read_key(tmp_path / "key")
    async with platform(tmp_path / "org", keys=TrustedKeys(developers=trusted_for(key, "anna"))) as notochord:
        assert (await notochord.service.install(later.package)).trust is Trust.DEVELOPER


@pytest.mark.req("PKG-047", "PKG-072")
async def test_a_signature_with_an_unknown_key_is_told_as_such_and_is_no_worse_than_none(tmp_path: Path) -> None:
    await WORKSHOP.make_key(tmp_path / "key")
    draft = written_draft(tmp_path / "draft")
    signed = (await WORKSHOP.pack(draft, tmp_path / "a.gem", key=tmp_path / "key")).package
    unsigned = (await WORKSHOP.pack(draft, tmp_path / "b.gem")).package
    async with platform(tmp_path / "org") as notochord:
        for package, code in ((signed, Code.UNKNOWN_KEY), (unsigned, Code.UNSIGNED)):
            for work in (notochord.service.install(package), made_packages().verify(package)):
                with pytest.raises(NotochordError) as refused:
                    await work
                assert refused.value.code is code
        assert (await notochord.service.install(unsigned, allow_unsigned=True)).trust is Trust.UNSIGNED
        assert (await notochord.service.install(signed, allow_unsigned=True)).trust is Trust.UNKNOWN_KEY
        assert (await notochord.service.install(unsigned, allow_unsigned=True)).trust is Trust.UNSIGNED


async def test_what_is_no_package_is_not_signed(tmp_path: Path) -> None:
    await WORKSHOP.make_key(tmp_path / "key")
    (tmp_path / "a.gem").write_bytes(b"PK no")
    with pytest.raises(NotochordError) as refused:
        await WORKSHOP.sign(tmp_path / "a.gem", key=tmp_path / "key")
    assert (refused.value.code, (tmp_path / "a.gem").read_bytes()) == (Code.PACKAGE_INVALID, b"PK no")


def test_the_templates_of_the_command_line_are_those_there_are() -> None:
    from notochord.headless.commands.gem_authoring import TEMPLATES

    assert set(TEMPLATES) == set(template_names())


async def test_the_manifest_of_a_new_draft_names_its_schema_for_editors(tmp_path: Path) -> None:
    await WORKSHOP.new(tmp_path / "draft", "tool", IDENTITY)
    manifest = decode((tmp_path / "draft/manifest.json").read_bytes())
    assert isinstance(manifest, dict)
    assert (tmp_path / "draft" / str(manifest["$schema"])).is_file()


async def test_the_public_half_of_a_key_is_shown_and_makes_its_packages_trusted(tmp_path: Path) -> None:
    await WORKSHOP.make_key(tmp_path / "key")
    identifier, public = await WORKSHOP.public_key(tmp_path / "key")
    signed = await WORKSHOP.pack(written_draft(tmp_path / "draft"), tmp_path / "a.gem", key=tmp_path / "key")
    assert (signed.key, len(public)) == (identifier, 64)
    assert public not in (tmp_path / "key").read_text()
    async with platform(tmp_path / "org") as notochord:
        await notochord.service.developers.add(public, "anna")
        assert (await notochord.service.install(signed.package)).trust is Trust.DEVELOPER
