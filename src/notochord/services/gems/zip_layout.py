"""Reads the structure of a zip file strictly: one directory at the end, contents without gaps, sizes that are true."""

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_END = struct.Struct("<4s4H2LH")
_LOCAL = struct.Struct("<4s5H3L2H")
_ZIP64_LOCATOR_BYTES = 20
_HAS_DESCRIPTOR = 0x08
_UTF8_NAME = 0x800
_ALLOWED_FLAGS = _HAS_DESCRIPTOR | _UTF8_NAME | 0x06
"""The last two bits only tell how hard the packer tried."""

_LONGEST_ENTRY = 16 * 1024
"""Bytes of one entry in the directory, which is read whole: its name, and what packers add to it."""

_CHUNK = 1024 * 1024


class LayoutError(Exception):
    """The file is no zip file, or one whose parts contradict each other."""


@dataclass(frozen=True, slots=True)
class ZipEntry:
    """One entry as the directory has it; `start` is where its packed bytes begin."""

    name: str
    size: int
    packed: int
    crc: int
    deflated: bool
    attributes: int
    name_is_utf8: bool
    start: int

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/")


def read_directory(file: BinaryIO, *, max_entries: int) -> list[ZipEntry]:
    """Return every entry. Raises LayoutError, also for more than `max_entries`, before any content is read."""
    try:
        _check_end(file, max_entries)
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            end = archive.start_dir
        _check_count(file, len(members))
        return _entries(file, members, end)
    except (zipfile.BadZipFile, NotImplementedError, struct.error, UnicodeDecodeError) as error:
        raise LayoutError(f"no sound zip file: {error}") from error


def content(file: BinaryIO, entry: ZipEntry) -> Iterator[bytes]:
    """Return the unpacked bytes of an entry in pieces, never more than it says. Raises LayoutError if it lied."""
    file.seek(entry.start)
    left, crc, size = entry.packed, 0, 0
    inflater = zlib.decompressobj(-zlib.MAX_WBITS) if entry.deflated else None
    while True:
        taken = file.read(min(_CHUNK, left))
        left -= len(taken)
        for piece in _inflated(inflater, taken, last=left == 0) if inflater else (taken,):
            size += len(piece)
            if size > entry.size:
                raise LayoutError(f"more bytes than it says: {entry.name!r}")
            crc = zlib.crc32(piece, crc)
            yield piece
        if not left or not taken:
            break
    whole = inflater is None or (inflater.eof and not inflater.unused_data)
    if left or not whole or size != entry.size or crc != entry.crc:
        raise LayoutError(f"other bytes than it says: {entry.name!r}")


def _inflated(inflater: "zlib._Decompress", taken: bytes, *, last: bool) -> Iterator[bytes]:
    try:
        piece = inflater.decompress(taken, _CHUNK)
        while piece:
            yield piece
            piece = inflater.decompress(inflater.unconsumed_tail, _CHUNK)
        if last and not inflater.eof:
            yield inflater.flush()
    except zlib.error as error:
        raise LayoutError(f"damaged: {error}") from error


def _check_end(file: BinaryIO, max_entries: int) -> None:
    """Check that one plain directory ends the file: nothing behind it, no second directory, no comment."""
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        raise LayoutError("not a regular file")
    size = file.seek(0, os.SEEK_END)
    if size < _END.size:
        raise LayoutError("too short for a zip file")
    file.seek(size - _END.size)
    magic, disk, directory_disk, here, total, length, offset, comment = _END.unpack(file.read(_END.size))
    if magic != b"PK\x05\x06" or comment or disk or directory_disk or here != total:
        raise LayoutError("the zip file does not end with its directory")
    if offset + length + _END.size != size:
        raise LayoutError("the directory of the zip file is not where it says")
    if total > max_entries:
        raise LayoutError(f"more than {max_entries} entries")
    if length > total * _LONGEST_ENTRY:
        raise LayoutError("the directory of the zip file is larger than its entries need")
    if size >= _END.size + _ZIP64_LOCATOR_BYTES:
        file.seek(size - _END.size - _ZIP64_LOCATOR_BYTES)
        if file.read(4) == b"PK\x06\x07":
            raise LayoutError("a second directory (zip64)")


def _check_count(file: BinaryIO, found: int) -> None:
    file.seek(-_END.size, os.SEEK_END)
    if _END.unpack(file.read(_END.size))[4] != found:
        raise LayoutError("the directory of the zip file has another count than it says")


def _entries(file: BinaryIO, members: list[zipfile.ZipInfo], end: int) -> list[ZipEntry]:
    """Check that the contents fill the file one after the other, without gaps and without sharing bytes."""
    position = 0
    entries = []
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset != position:
            raise LayoutError("bytes that belong to no file, or to two")
        _check_plain(member)
        start = _start(file, member)
        entries.append(_entry(member, start))
        position = start + member.compress_size
        if member.flag_bits & _HAS_DESCRIPTOR:
            position += _descriptor_size(file, position, member)
    if position != end:
        raise LayoutError("bytes that belong to no file")
    return entries


def _check_plain(member: zipfile.ZipInfo) -> None:
    known = member.compress_type in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
    if member.flag_bits & ~_ALLOWED_FLAGS or not known:
        raise LayoutError(f"encrypted or packed in an unknown way: {member.orig_filename!r}")
    if member.comment or member.volume:
        raise LayoutError(f"an entry with more than a file has: {member.orig_filename!r}")
    if member.compress_type == zipfile.ZIP_STORED and member.file_size != member.compress_size:
        raise LayoutError(f"a size that is not true: {member.orig_filename!r}")


def _start(file: BinaryIO, member: zipfile.ZipInfo) -> int:
    """Check that the header before the content says what the directory says; return where the content begins."""
    file.seek(member.header_offset)
    magic, _, flags, method, _, _, _, _, _, name_length, extra = _LOCAL.unpack(file.read(_LOCAL.size))
    encoding = "utf-8" if flags & _UTF8_NAME else "cp437"
    name = file.read(name_length).decode(encoding)
    if magic != b"PK\x03\x04" or (flags, method, name) != (
        member.flag_bits,
        member.compress_type,
        member.orig_filename,
    ):
        raise LayoutError(f"two different headers: {member.orig_filename!r}")
    return int(member.header_offset + _LOCAL.size + name_length + extra)


def _descriptor_size(file: BinaryIO, position: int, member: zipfile.ZipInfo) -> int:
    file.seek(position)
    bare = struct.pack("<3L", member.CRC, member.compress_size, member.file_size)
    found = file.read(16)
    for descriptor in (b"PK\x07\x08" + bare, bare):
        if found.startswith(descriptor):
            return len(descriptor)
    raise LayoutError(f"a file without its closing record: {member.orig_filename!r}")


def _entry(member: zipfile.ZipInfo, start: int) -> ZipEntry:
    return ZipEntry(
        name=member.orig_filename,
        size=member.file_size,
        packed=member.compress_size,
        crc=member.CRC,
        deflated=member.compress_type == zipfile.ZIP_DEFLATED,
        attributes=member.external_attr,
        name_is_utf8=bool(member.flag_bits & _UTF8_NAME),
        start=start,
    )
