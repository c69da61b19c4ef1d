"""A recovery key file is read whole or refused, however it was carried around."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.organizations.recovery import (
    RecoveryKey,
    parse_recovery,
    read_recovery_file,
    write_recovery_file,
)

KEY = bytes(range(32))
ORGANIZATION = "0123456789abcdefghjkmnpqrs"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("recovery") / "Notochord-Personal-recovery.key"
    write_recovery_file(file, RecoveryKey(ORGANIZATION, KEY))
    assert read_recovery_file(file) == RecoveryKey(ORGANIZATION, KEY)
    return file.read_bytes()


def refused(content: bytes) -> NotochordError:
    with pytest.raises(NotochordError) as caught:
        parse_recovery(content)
    assert caught.value.code is Code.RECOVERY_INVALID
    return caught.value


@pytest.mark.parametrize(
    "carried",
    [
        lambda content: content.replace(b"\n", b"\r\n"),
        lambda content: b"\xef\xbb\xbf" + content,
        lambda content: content.rstrip(b"\n"),
        lambda content: content + b"\n \n",
        lambda content: content.replace(b"\n", b"  \n\n"),
    ],
    ids=["windows", "bom", "no last line end", "more line ends", "spaces"],
)
def test_what_mail_and_editors_do_to_a_text_does_no_harm(content: bytes, carried: object) -> None:
    assert callable(carried)
    assert parse_recovery(carried(content)) == RecoveryKey(ORGANIZATION, KEY)


def test_each_changed_letter_of_organization_key_or_checksum_is_noticed(content: bytes) -> None:
    start = content.index(b"organization: ")
    for place in range(start, len(content)):
        if content[place : place + 1].strip() and content[place : place + 1] != b":":
            changed = bytearray(content)
            changed[place] = ord("x") if changed[place] != ord("x") else ord("y")
            refused(bytes(changed))


def test_each_shorter_file_is_refused(content: bytes) -> None:
    for length in range(len(content) - 1):
        refused(content[:length])


@given(st.binary(max_size=300))
def test_any_other_bytes_are_refused(noise: bytes) -> None:
    refused(noise)


def test_a_later_format_is_told(content: bytes) -> None:
    assert "newer" in refused(content.replace(b"format: 1", b"format: 2")).detail


def test_no_refusal_and_no_text_shows_the_key(content: bytes) -> None:
    encoded = content.split(b"key: ")[1].split(b"\n")[0].decode()
    failure = refused(content.replace(b"checksum: ", b"checksum: 0"))
    shown = f"{failure} {failure!r} {failure.parameters} {RecoveryKey(ORGANIZATION, KEY)!r}"
    assert encoded not in shown
    assert repr(KEY) not in shown
