"""Hostile zip files: refused before a byte is written; the same file without its fault is unpacked."""

import contextlib
import io
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.archive import MAX_FILES, Unpacked, unpack
from notochord.services.gems.names import fault_of, folded
from support.memory_folders import memory

MANIFEST = ("notochord.json", b"{}")
Entry = tuple[str, bytes]


def zipped(*entries: Entry, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in entries:
            entry = zipfile.ZipInfo("x")
            entry.filename = name  # as it is: the constructor would make it harmless
            entry.compress_type = method
            archive.NameToInfo.clear()  # else a name that is given twice draws a warning
            archive.writestr(entry, content)
    return buffer.getvalue()


def special(name: str, mode: int, content: bytes = b"/etc/passwd", attributes: int = 0) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(*MANIFEST)
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16 | attributes
        archive.writestr(entry, content)
    return buffer.getvalue()


def opened(content: bytes, folder: Path) -> Unpacked:
    package = folder / "package.gem"
    package.write_bytes(content)
    scratch = folder / "scratch"
    scratch.mkdir()
    return unpack(package, scratch)


def refusal(content: bytes, folder: Path) -> Code:
    """Return the code of the refusal, having looked that nothing was written anywhere."""
    with pytest.raises(NotochordError) as caught:
        opened(content, folder)
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")) == ["package.gem", "scratch"]
    return caught.value.code


def test_a_sound_package_is_unpacked(tmp_path: Path) -> None:
    unpacked = opened(zipped(MANIFEST, ("tools/a.ts", b"a"), ("skill/", b""), ("skill/ä.md", b"s")), tmp_path)
    assert unpacked.files == {"tools/a.ts", "skill/ä.md"}
    assert (unpacked.manifest, unpacked.signature) == (b"{}", None)
    assert (tmp_path / "scratch/skill/ä.md").read_bytes() == b"s"


@pytest.mark.req("PKG-016", "PKG-017", "PKG-044")
@pytest.mark.parametrize(
    "name",
    [
        "/x",
        "../x",
        "a/../../x",
        "a/..",
        "..",
        "./x",
        "a//x",
        "C:\\x",
        "C:/x",
        "c:x",
        "a\\..\\..\\x",
        "\\\\server\\share\\x",
        "a\x00.ts",
        "a\nb",
        "a\u2028b",
        "a\u202egpj.ts",
        "x\x7f",
        "file:stream",
        "a<b",
        "a|b",
        "a?",
        "CON",
        "nul.txt",
        "tools/LPT1.md",
        "aux.",
        "com¹.ts",
        "CONIN$",
        "prn .txt",
        "x.",
        "x ",
        " x",
        "a" * 256,
        "ä" * 128,
        "/".join("a" * 40),
        "a\u0308.ts",
    ],
)
def test_a_name_that_no_package_may_hold_is_refused(tmp_path: Path, name: str) -> None:
    assert refusal(zipped(MANIFEST, (name, b"x")), tmp_path) is Code.PATH_TRAVERSAL


@pytest.mark.req("PKG-018", "PKG-044")
@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK, stat.S_IFDIR])
def test_a_link_or_special_file_is_refused(tmp_path: Path, kind: int) -> None:
    assert refusal(special("a", kind | 0o777), tmp_path) is Code.PATH_TRAVERSAL


@pytest.mark.req("PKG-018")
def test_a_link_of_windows_is_refused(tmp_path: Path) -> None:
    assert refusal(special("a", stat.S_IFREG | 0o644, attributes=0x400), tmp_path) is Code.PATH_TRAVERSAL


def test_control_a_regular_file_of_the_same_name_is_unpacked(tmp_path: Path) -> None:
    assert opened(special("a", stat.S_IFREG | 0o777), tmp_path).files == {"a"}


@pytest.mark.req("PKG-019")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a.ts", "A.ts"),
        ("a.ts", "a.ts"),
        ("tools/a.ts", "Tools/b.ts"),
        ("straße", "STRASSE"),
        ("ä", "Ä"),
        ("a", "a/b"),
        ("a/b", "a"),
        ("a/b", "A"),
        ("a/", "a"),
        ("a/", "a/"),
        ("A/", "a/b"),
    ],
)
def test_two_entries_that_are_one_on_some_computer_are_refused(tmp_path: Path, first: str, second: str) -> None:
    entries = [(name, b"" if name.endswith("/") else b"x") for name in (first, second)]
    assert refusal(zipped(MANIFEST, *entries), tmp_path) is Code.PATH_TRAVERSAL


def test_a_link_in_one_unicode_form_and_its_content_in_the_other_are_refused(tmp_path: Path) -> None:
    """Known fault Q2."""
    linked = io.BytesIO()
    with zipfile.ZipFile(linked, "w") as archive:
        archive.writestr(*MANIFEST)
        link = zipfile.ZipInfo("\u00e4")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, b"/tmp/out")
        archive.writestr("a\u0308/evil", b"x")
    plain = zipped(MANIFEST, ("\u00e4", b""), ("a\u0308/evil", b"x"))
    for name, content in (("linked", linked.getvalue()), ("plain", plain)):
        (tmp_path / name).mkdir()
        assert refusal(content, tmp_path / name) is Code.PATH_TRAVERSAL


@pytest.mark.req("PKG-020")
def test_more_than_ten_thousand_files_are_refused_and_ten_thousand_are_not(tmp_path: Path) -> None:
    files = [(f"d/{number}", b"") for number in range(MAX_FILES)]
    assert refusal(zipped(MANIFEST, *files, method=zipfile.ZIP_STORED), tmp_path) is Code.PATH_TRAVERSAL
    (tmp_path / "fewer").mkdir()
    without_manifest = zipped(*files, method=zipfile.ZIP_STORED)
    assert refusal(without_manifest, tmp_path / "fewer") is Code.PACKAGE_INVALID


def with_sizes(content: bytes, size: int) -> bytes:
    """Return a package whose last file is said to unpack to `size` bytes, in both of its headers."""
    changed = bytearray(content)
    struct.pack_into("<I", changed, content.rindex(b"PK\x03\x04") + 22, size)
    struct.pack_into("<I", changed, content.rindex(b"PK\x01\x02") + 24, size)
    return bytes(changed)


def many_from_one(count: int) -> bytes:
    """Return a package of `count` names for one file, which is there once, to unpack to gigabytes."""
    sound = zipped(MANIFEST, ("bomb000", bytes(10 * 1024 * 1024)))
    directory = sound.index(b"PK\x01\x02")
    last = sound.rindex(b"PK\x01\x02")
    end = sound.index(b"PK\x05\x06")
    again = b"".join(sound[last:end].replace(b"bomb000", b"bomb%03d" % number) for number in range(1, count))
    tail = bytearray(sound[end:])
    struct.pack_into("<HHII", tail, 8, count + 1, count + 1, end - directory + len(again), directory)
    return sound[:end] + again + bytes(tail)


@pytest.mark.req("PKG-021")
def test_a_package_of_42_kb_that_unpacks_to_4_gb_is_refused(tmp_path: Path) -> None:
    """Known fault Q1."""
    told = with_sizes(zipped(MANIFEST, ("bomb", bytes(40 * 1024 * 1024))), 2**32 - 2)
    shared = many_from_one(410)
    assert max(len(told), len(shared)) < 60_000
    for name, content, code in (("told", told, Code.SIZE_MISMATCH), ("shared", shared, Code.PACKAGE_INVALID)):
        (tmp_path / name).mkdir()
        assert refusal(content, tmp_path / name) is code


@pytest.mark.req("PKG-020")
def test_a_hundred_thousand_empty_files_are_refused(tmp_path: Path) -> None:
    """Known fault Q1."""
    names = [b"%06d" % number for number in range(100_000)]
    files = b"".join(struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 0, 0, 0, 0, 0, 0, 6, 0) + name for name in names)
    entries = b"".join(
        struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 36 * at) + name
        for at, name in enumerate(names)
    )
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, len(entries), len(files), 0)
    assert refusal(files + entries + end, tmp_path) in (Code.PACKAGE_INVALID, Code.PATH_TRAVERSAL)


@pytest.mark.req("PKG-083", "PKG-084")
def test_what_systems_leave_in_folders_is_skipped(tmp_path: Path) -> None:
    unpacked = opened(
        zipped(MANIFEST, (".DS_Store", b"x"), ("docs/Thumbs.db", b"x"), ("a/desktop.ini", b"x")), tmp_path
    )
    assert unpacked.files == frozenset()
    assert [path.name for path in (tmp_path / "scratch").rglob("*")] == ["notochord.json"]


@pytest.mark.req("PKG-021")
def test_more_content_than_the_manifest_declares_is_refused(tmp_path: Path) -> None:
    declared = b'{"integrity": {"files": {"a": {"sha256": "", "size": 3}}}}'
    assert refusal(zipped(("notochord.json", declared), ("a", b"1234")), tmp_path) is Code.SIZE_MISMATCH


def bomb(_: bytes) -> bytes:
    return zipped(MANIFEST, ("bomb", bytes(8 * 1024 * 1024)))


def trailing(sound: bytes) -> bytes:
    return sound + b"signature"


def leading(sound: bytes) -> bytes:
    return b"#!/bin/sh\n" + sound


def truncated(sound: bytes) -> bytes:
    return sound[:-30]


def commented(sound: bytes) -> bytes:
    return sound[:-2] + struct.pack("<H", 3) + b"abc"


def second_directory(sound: bytes) -> bytes:
    start = sound.index(b"PK\x01\x02")
    return sound + sound[start:]


def smaller_count(sound: bytes) -> bytes:
    end = len(sound) - 22
    return sound[: end + 8] + struct.pack("<HH", 1, 1) + sound[end + 12 :]


def smaller_size(sound: bytes) -> bytes:
    """Let both headers of the second file say that it is shorter, with the checksum of the short content."""
    crc = struct.pack("<L", zlib.crc32(b"x" * 10))
    local, central = sound.rindex(b"PK\x03\x04"), sound.rindex(b"PK\x01\x02")
    changed = bytearray(sound)
    changed[local + 14 : local + 18], changed[central + 16 : central + 20] = crc, crc
    changed[local + 22 : local + 26] = changed[central + 24 : central + 28] = struct.pack("<L", 10)
    return bytes(changed)


def larger_size(sound: bytes) -> bytes:
    local, central = sound.rindex(b"PK\x03\x04"), sound.rindex(b"PK\x01\x02")
    changed = bytearray(sound)
    changed[local + 22 : local + 26] = changed[central + 24 : central + 28] = struct.pack("<L", 5000)
    return bytes(changed)


def wrong_checksum(sound: bytes) -> bytes:
    central = sound.rindex(b"PK\x01\x02")
    changed = bytearray(sound)
    changed[central + 16] ^= 1
    return bytes(changed)


def encrypted(sound: bytes) -> bytes:
    local, central = sound.rindex(b"PK\x03\x04"), sound.rindex(b"PK\x01\x02")
    changed = bytearray(sound)
    changed[local + 6] |= 1
    changed[central + 8] |= 1
    return bytes(changed)


def other_local_name(sound: bytes) -> bytes:
    local = sound.rindex(b"PK\x03\x04")
    return sound[: local + 30] + b"Z" + sound[local + 31 :]


def shared_bytes(sound: bytes) -> bytes:
    """Let the second entry begin where the first does."""
    central = sound.rindex(b"PK\x01\x02")
    return sound[: central + 42] + struct.pack("<L", 0) + sound[central + 46 :]


def swollen_directory(sound: bytes) -> bytes:
    """Let one entry carry all that fits into its directory entry; thousands of these would fill the memory."""
    central, end = sound.rindex(b"PK\x01\x02"), sound.rindex(b"PK\x05\x06")
    more = struct.pack("<HH", 0xCAFE, 60_000) + bytes(60_000)
    entry = bytearray(sound[central:end])
    entry[30:32] = struct.pack("<H", len(more))
    name = struct.unpack_from("<H", entry, 28)[0]
    grown = bytes(entry[: 46 + name]) + more + bytes(entry[46 + name :])
    ending = bytearray(sound[end:])
    length = struct.unpack_from("<L", ending, 12)[0] + len(more)
    ending[12:16] = struct.pack("<L", length)
    return sound[:central] + grown + bytes(ending)


def empty(_: bytes) -> bytes:
    return b""


def no_zip(_: bytes) -> bytes:
    return b"%PDF-1.7" * 100


def no_manifest(_: bytes) -> bytes:
    return zipped(("a", b"x"))


def unknown_method(_: bytes) -> bytes:
    return zipped(MANIFEST, ("a", b"x" * 100), method=zipfile.ZIP_LZMA)


FAULTS: list[Callable[[bytes], bytes]] = [
    bomb,
    trailing,
    leading,
    truncated,
    commented,
    second_directory,
    smaller_count,
    wrong_checksum,
    encrypted,
    other_local_name,
    shared_bytes,
    swollen_directory,
    empty,
    no_zip,
    no_manifest,
    unknown_method,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_zip_that_is_damaged_or_ambiguous_is_refused(tmp_path: Path, fault: Callable[[bytes], bytes]) -> None:
    sound = zipped(MANIFEST, ("content.txt", b"x" * 4000))
    with pytest.raises(NotochordError) as caught:
        opened(fault(sound), tmp_path)
    assert caught.value.code is Code.PACKAGE_INVALID
    assert not (tmp_path / "scratch/content.txt").exists() or fault is wrong_checksum


@pytest.mark.parametrize("fault", [smaller_size, larger_size])
def test_a_size_that_is_not_true_is_noticed(tmp_path: Path, fault: Callable[[bytes], bytes]) -> None:
    sound = zipped(MANIFEST, ("content.txt", b"x" * 4000))
    with pytest.raises(NotochordError) as caught:
        opened(fault(sound), tmp_path)
    assert caught.value.code is Code.PACKAGE_INVALID
    assert sum(path.stat().st_size for path in (tmp_path / "scratch").rglob("*")) < 5000


def test_control_python_unpacks_the_shortened_file_without_a_word() -> None:
    sound = smaller_size(zipped(MANIFEST, ("content.txt", b"x" * 4000)))
    with zipfile.ZipFile(io.BytesIO(sound)) as archive:
        assert archive.read("content.txt") == b"x" * 10


def test_entries_written_to_a_stream_are_read(tmp_path: Path) -> None:
    class Stream(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise io.UnsupportedOperation

        def tell(self) -> int:
            raise io.UnsupportedOperation

    stream = Stream()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notochord.json", b"{}")
        archive.writestr("a.txt", b"x" * 1000)
    unpacked = opened(stream.getvalue(), tmp_path)
    assert (unpacked.folder / "a.txt").read_bytes() == b"x" * 1000


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
@settings(max_examples=300)
def test_an_accepted_name_stays_inside_its_folder_and_is_itself(name: str) -> None:
    if fault_of(name):
        return
    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        place = (Path(folder) / name).resolve()
        assert place.is_relative_to(Path(folder).resolve())
        assert place != Path(folder).resolve()
    assert folded(folded(name)) == folded(name)


@given(st.binary(max_size=400), st.integers(0, 400), st.integers(0, 255))
@settings(max_examples=150)
def test_any_bytes_end_in_an_error_or_in_files_inside(noise: bytes, place: int, value: int) -> None:
    sound = bytearray(zipped(MANIFEST, ("tools/a.ts", b"export default 1;" * 5)))
    sound[place % len(sound)] = value
    for content in (bytes(sound), noise, bytes(sound) + noise):
        with tempfile.TemporaryDirectory(dir=memory()) as folder:
            with contextlib.suppress(NotochordError):
                unpacked = opened(content, Path(folder))
                assert all((unpacked.folder / path).is_file() for path in unpacked.files)
            assert {path.name for path in Path(folder).iterdir()} == {"package.gem", "scratch"}


def test_a_folder_is_told_from_a_file_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "gem").mkdir()
    for name, code in (("gem", Code.INPUT_INVALID), ("gone", Code.FILE_MISSING)):
        with pytest.raises(NotochordError) as caught:
            unpack(tmp_path / name, tmp_path)
        assert caught.value.code is code
