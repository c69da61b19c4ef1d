"""Signatures: the public suites, and each way in which a signature can be wrong."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.api import Trust
from notochord.services.gems.signatures import TrustedKeys, canonical, key_id, sign, verify
from support.gems import DEVELOPER, OFFICIAL, STRANGER, TRUSTED

SUITES = Path(__file__).parents[2] / "suites"
JCS = SUITES / "jcs" / "testdata"
ED25519 = json.loads((SUITES / "ed25519" / "ed25519_test.json").read_text(encoding="utf-8"))
MANIFEST = b'{"id": "a", "n": 1.5, "list": [3, 1], "author": {"publisherId": "anna"}}'


@pytest.mark.req("PKG-062")
@pytest.mark.parametrize("name", sorted(path.name for path in (JCS / "input").iterdir()))
def test_canonical_form_is_that_of_the_public_suite(name: str) -> None:
    expected = bytes.fromhex((JCS / "outhex" / name.replace(".json", ".txt")).read_text())
    assert canonical((JCS / "input" / name).read_bytes()) == expected


def test_every_case_of_the_public_ed25519_suite_ends_as_it_says() -> None:
    def accepted(public_key: str, case: dict[str, Any]) -> bool:
        try:
            VerifyKey(bytes.fromhex(public_key)).verify(bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"]))
        except (BadSignatureError, ValueError):
            return False
        return True

    wrong = [
        case["tcId"]
        for group in ED25519["testGroups"]
        for case in group["tests"]
        if accepted(group["publicKey"]["pk"], case) != (case["result"] == "valid")
    ]
    assert wrong == []


def failure(manifest: bytes, signature: bytes, keys: TrustedKeys = TRUSTED) -> Code:
    with pytest.raises(NotochordError) as caught:
        verify(manifest, signature, keys)
    return caught.value.code


@pytest.mark.req("PKG-061", "PKG-068", "PKG-070", "PKG-072")
def test_the_key_decides_the_level_of_trust() -> None:
    assert verify(MANIFEST, sign(MANIFEST, OFFICIAL, "anna"), TRUSTED).trust is Trust.OFFICIAL
    assert verify(MANIFEST, sign(MANIFEST, DEVELOPER, "anna"), TRUSTED).trust is Trust.DEVELOPER
    assert verify(MANIFEST, None, TRUSTED).trust is Trust.UNSIGNED


@pytest.mark.req("PKG-047")
def test_a_valid_signature_of_an_unknown_key_is_neither_unsigned_nor_invalid() -> None:
    assert failure(MANIFEST, sign(MANIFEST, STRANGER, "anna")) is Code.UNKNOWN_KEY


@pytest.mark.req("PKG-064")
def test_another_layout_of_the_same_manifest_keeps_the_signature_valid() -> None:
    signature = sign(MANIFEST, OFFICIAL, "anna")
    again = json.dumps(json.loads(MANIFEST), indent=7, sort_keys=True).encode().replace(b"1.5", b"15e-1")
    assert verify(again, signature, TRUSTED).trust is Trust.OFFICIAL


@pytest.mark.req("PKG-046", "PKG-063")
@pytest.mark.parametrize(
    ("old", "new"),
    [(b'"a"', b'"b"'), (b"1.5", b"1.6"), (b"[3, 1]", b"[1, 3]"), (b'{"id"', b'{"x":0,"id"'), (b"}}", b"}")],
)
def test_any_other_content_makes_the_signature_invalid(old: bytes, new: bytes) -> None:
    assert failure(MANIFEST.replace(old, new), sign(MANIFEST, OFFICIAL, "anna")) is Code.SIG_INVALID


def test_every_flipped_bit_of_a_signature_is_noticed() -> None:
    fields = json.loads(sign(MANIFEST, OFFICIAL, "anna"))
    raw = base64.b64decode(fields["signature"])
    for place in range(len(raw) * 8):
        changed = bytearray(raw)
        changed[place // 8] ^= 1 << place % 8
        content = json.dumps({**fields, "signature": base64.b64encode(bytes(changed)).decode()}).encode()
        assert failure(MANIFEST, content) is Code.SIG_INVALID


@pytest.mark.req("PKG-045")
@pytest.mark.parametrize(
    "change",
    [
        {"algorithm": "RSA"},
        {"algorithm": None},
        {"signature": "!!!!"},
        {"signature": "AAAA"},
        {"signature": 7},
        {"keyId": None},
        {"keyId": ["x"]},
        {"publisherId": {}},
        {"publisherId": "a\nb"},
        {"more": 1},
        {"keyId": "k" * 200},
    ],
)
def test_a_malformed_signature_is_invalid(change: dict[str, Any]) -> None:
    fields = json.loads(sign(MANIFEST, OFFICIAL, "anna"))
    assert failure(MANIFEST, json.dumps({**fields, **change}).encode()) is Code.SIG_INVALID


@pytest.mark.req("PKG-045")
@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"null", b"\xff", b'{"a":1,"a":2}'])
def test_a_signature_file_without_its_fields_is_invalid(content: bytes) -> None:
    assert failure(MANIFEST, content) is Code.SIG_INVALID


@pytest.mark.parametrize(
    "manifest", [b"no json", b'{"a":1,"a":1}', b'{"a":1e999}', b'{"a":"\\ud800"}', b'{"a":9007199254740993}']
)
def test_a_manifest_without_a_canonical_form_cannot_be_signed_validly(manifest: bytes) -> None:
    assert failure(manifest, sign(MANIFEST, OFFICIAL, "anna")) is Code.SIG_INVALID


def test_a_key_under_the_name_of_another_does_not_verify() -> None:
    keys = TrustedKeys(official={key_id(bytes(STRANGER.verify_key)): bytes(OFFICIAL.verify_key)})
    assert failure(MANIFEST, sign(MANIFEST, STRANGER, "anna"), keys) is Code.SIG_INVALID


def test_what_is_signed_is_the_canonical_form() -> None:
    fields = json.loads(sign(MANIFEST, OFFICIAL, "anna"))
    signed = rfc8785.dumps(json.loads(MANIFEST))
    OFFICIAL.verify_key.verify(signed, base64.b64decode(fields["signature"]))
