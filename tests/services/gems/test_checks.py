"""The checks of a package run in their fixed order, and each ends in its own code."""

from collections.abc import Callable
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.api import Trust
from notochord.services.gems.checks import Standing, finish, open_package
from notochord.services.gems.packing import pack
from notochord.services.gems.signatures import sign
from support.gems import DEVELOPER, FAULTS, OFFICIAL, STRANGER, TRUSTED, draft, manifest, rezipped

Files = dict[str, bytes]
NOTHING_INSTALLED = None


def outcome(package: bytes, folder: Path, installed: Standing | None = NOTHING_INSTALLED) -> str:
    """Return the code with which the checks refuse a package, or the trust of one that passes."""
    file = folder / "package.gem"
    file.write_bytes(package)
    scratch = folder / "scratch"
    scratch.mkdir()
    try:
        return finish(open_package(file, scratch, TRUSTED), installed, FAULTS, allow_unsigned=False).trust
    except NotochordError as error:
        return error.code


@pytest.fixture
def sound(tmp_path: Path) -> bytes:
    return pack(draft(tmp_path / "draft"), key=OFFICIAL)


def change_the_code(files: Files) -> None:
    files["tools/greet.ts"] = files["tools/greet.ts"].swapcase()


def shorten_the_code(files: Files) -> None:
    files["tools/greet.ts"] = files["tools/greet.ts"][:-1]


def take_the_code(files: Files) -> None:
    del files["tools/greet.ts"]


def add_an_empty_file(files: Files) -> None:
    files["extra.ts"] = b""


def change_the_manifest(files: Files) -> None:
    files["notochord.json"] = files["notochord.json"].replace(b"Greets", b"Robs")


def reformat_the_manifest(files: Files) -> None:
    files["notochord.json"] = files["notochord.json"].replace(b"\n", b" ").replace(b"  ", b"")


def strip_the_signature(files: Files) -> None:
    del files["SIGNATURE.json"]


def sign_again_as_a_developer(files: Files) -> None:
    files["SIGNATURE.json"] = sign(files["notochord.json"], DEVELOPER, "anna")


def sign_again_as_a_stranger(files: Files) -> None:
    files["SIGNATURE.json"] = sign(files["notochord.json"], STRANGER, "anna")


def sign_for_another_publisher(files: Files) -> None:
    files["SIGNATURE.json"] = sign(files["notochord.json"], OFFICIAL, "eve")


def break_the_signature_file(files: Files) -> None:
    files["SIGNATURE.json"] = b"{}"


OUTCOMES: list[tuple[Callable[[Files], None], str]] = [
    (change_the_code, Code.HASH_MISMATCH),
    (shorten_the_code, Code.SIZE_MISMATCH),
    (take_the_code, Code.HASH_MISMATCH),
    (add_an_empty_file, Code.HASH_MISMATCH),
    (change_the_manifest, Code.SIG_INVALID),
    (reformat_the_manifest, Trust.OFFICIAL),
    (strip_the_signature, Code.UNSIGNED),
    (sign_again_as_a_developer, Trust.DEVELOPER),
    (sign_again_as_a_stranger, Code.UNKNOWN_KEY),
    (sign_for_another_publisher, Code.PUBLISHER_MISMATCH),
    (break_the_signature_file, Code.SIG_INVALID),
]


@pytest.mark.req("PKG-031", "PKG-032", "PKG-033", "PKG-034")
@pytest.mark.parametrize(("change", "expected"), OUTCOMES, ids=lambda value: getattr(value, "__name__", str(value)))
def test_each_way_to_tamper_with_a_signed_package_ends_in_its_own_state(
    tmp_path: Path, sound: bytes, change: Callable[[Files], None], expected: str
) -> None:
    assert outcome(rezipped(sound, change), tmp_path) == expected


@pytest.mark.req("MAN-002")
def test_the_publisher_of_the_manifest_has_to_be_the_one_who_signed(tmp_path: Path, sound: bytes) -> None:
    assert outcome(rezipped(sound, sign_for_another_publisher), tmp_path) == Code.PUBLISHER_MISMATCH


@pytest.mark.req("PKG-045", "PKG-046", "PKG-048", "PKG-065")
def test_control_the_untouched_package_passes(tmp_path: Path, sound: bytes) -> None:
    assert outcome(sound, tmp_path) == Trust.OFFICIAL


def test_a_signature_behind_the_end_of_the_zip_is_no_package(tmp_path: Path, sound: bytes) -> None:
    assert outcome(sound + b"SIGNATURE", tmp_path) == Code.PACKAGE_INVALID


def test_a_signed_package_passes_wherever_the_unsigned_one_does(tmp_path: Path) -> None:
    gem = draft(tmp_path / "draft")
    for number, key in enumerate((None, DEVELOPER, OFFICIAL)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "package").write_bytes(pack(gem, key=key))
        (folder / "scratch").mkdir()
        opened = open_package(folder / "package", folder / "scratch", TRUSTED)
        assert (
            finish(opened, Standing("1.0.0", Trust.UNSIGNED, ""), FAULTS, allow_unsigned=True).manifest.id == "greeter"
        )


@pytest.mark.req("PKG-014", "PKG-022")
def test_of_several_faults_the_earliest_check_tells(tmp_path: Path) -> None:
    """Each step is broken in turn, from the last to the first; all later ones stay broken."""
    installed = Standing("9.0.0", Trust.OFFICIAL, "anna")

    def spoil(files: Files) -> None:
        change_the_code(files)

    bad = draft(tmp_path / "bad", manifest(tools=[{**manifest()["tools"][0], "entry": "none.ts"}]))
    steps: list[tuple[bytes, Standing | None, str]] = [
        (pack(bad, key=OFFICIAL), None, Code.PERM_INVALID),
        (rezipped(pack(bad, key=OFFICIAL), spoil), None, Code.HASH_MISMATCH),
        (rezipped(pack(bad, key=OFFICIAL), spoil), installed, Code.VERSION_OLDER),
    ]
    worse = draft(tmp_path / "worse", manifest(extra=1, tools=[]))
    steps += [
        (rezipped(pack(worse, key=OFFICIAL), spoil), installed, Code.PERM_INVALID),
        (rezipped(rezipped(pack(worse, key=OFFICIAL), spoil), change_the_manifest), installed, Code.SIG_INVALID),
    ]
    steps.append((steps[-1][0] + b"x", installed, Code.PACKAGE_INVALID))
    for number, (package, standing, expected) in enumerate(steps):
        folder = tmp_path / f"step{number}"
        folder.mkdir()
        assert outcome(package, folder, standing) == expected


@pytest.mark.req("PKG-035")
def test_an_unsigned_package_needs_integrity_too(tmp_path: Path, sound: bytes) -> None:
    def without(files: Files) -> None:
        strip_the_signature(files)
        files["notochord.json"] = files["notochord.json"].replace(b'"integrity"', b'"integrities"')

    assert outcome(rezipped(sound, without), tmp_path) == Code.PERM_INVALID
