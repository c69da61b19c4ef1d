"""Signs manifests and tells what a signature is worth: Ed25519 over the canonical form of the JSON (RFC 8785)."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import rfc8785
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, decode, encode
from notochord.services.gems.api import Trust
from notochord.services.gems.official_keys import OFFICIAL_KEYS

ALGORITHM = "Ed25519"

_FIELDS = frozenset({"algorithm", "keyId", "publisherId", "signature"})
_SIGNATURE_BYTES = 64


@dataclass(frozen=True, slots=True)
class DeveloperKey:
    """A key that speaks for one publisher, and there for the gems whose ids begin with `prefix`, "" for all."""

    public: bytes
    publisher: str
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class TrustedKeys:
    """Whose signatures count, by key id. The official keys are built in, never read from a disk or a network."""

    official: Mapping[str, bytes] = field(default_factory=lambda: OFFICIAL_KEYS)
    developers: Mapping[str, tuple[DeveloperKey, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a package's signature says; `publisher` is empty for an unsigned package.

    A developer's counts for gems whose ids begin with one of the `prefixes` only.
    """

    trust: Trust
    publisher: str
    prefixes: tuple[str, ...] = ("",)
    key: str = ""

    def covers(self, gem: str) -> bool:
        """Tell whether the signature counts for a gem of this id: whole words of it are compared."""
        return any(not prefix or f"{gem}.".startswith((f"{prefix}.", f"{prefix}-")) for prefix in self.prefixes)


def key_id(public_key: bytes) -> str:
    """Return the name of a public key: the first 32 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(public_key).hexdigest()[:32]


def canonical(manifest: bytes) -> bytes:
    """Return the bytes that are signed. Raises ValueError for what is no JSON or has no canonical form."""
    return rfc8785.dumps(decode(manifest))


def sign(manifest: bytes, key: SigningKey, publisher: str) -> bytes:
    """Return the content of `SIGNATURE.json` for a manifest (GEMOPEN-070)."""
    signature = key.sign(canonical(manifest)).signature
    fields: dict[str, Json] = {
        "algorithm": ALGORITHM,
        "keyId": key_id(bytes(key.verify_key)),
        "publisherId": publisher,
        "signature": base64.b64encode(signature).decode(),
    }
    return (encode(fields) + "\n").encode()


def verify(manifest: bytes, signature: bytes | None, keys: TrustedKeys, *, allow_unsigned: bool = False) -> Verdict:
    """Tell what a signature is worth; the content of the manifest is looked at by nobody before (PKG-022).

    With `allow_unsigned` a signature with a key that is not known counts as much as none, not less. Raises
    NotochordError: SIG_INVALID (malformed, or not for this manifest), UNKNOWN_KEY.
    """
    if signature is None:
        return Verdict(Trust.UNSIGNED, "")
    key_name, publisher, raw = _parse(signature)
    verdict, key = _find(key_name, publisher, keys)
    if key is None and allow_unsigned:
        return verdict
    if key is None:
        raise unknown_key(key_name, publisher)
    try:
        VerifyKey(key).verify(canonical(manifest), raw)
    except (BadSignatureError, ValueError) as error:
        raise _invalid("the signature and the manifest do not match") from error
    return verdict


def unknown_key(key_name: str, publisher: str) -> NotochordError:
    """Return the error for a key that nobody trusts for what it signed."""
    detail = f"signed with the unknown key {key_name}"
    return NotochordError(Code.UNKNOWN_KEY, Fault.USER, detail, key=key_name, publisher=publisher)


def _find(key_name: str, publisher: str, keys: TrustedKeys) -> tuple[Verdict, bytes | None]:
    """Return what a key may say, and the key; a developer's speaks for no publisher but its own."""
    if key_name in keys.official:
        return Verdict(Trust.OFFICIAL, publisher, key=key_name), keys.official[key_name]
    known = [key for key in keys.developers.get(key_name, ()) if key.publisher == publisher]
    if known:
        return Verdict(Trust.DEVELOPER, publisher, tuple(key.prefix for key in known), key_name), known[0].public
    return Verdict(Trust.UNKNOWN_KEY, publisher, key=key_name), None


def _parse(signature: bytes) -> tuple[str, str, bytes]:
    try:
        value = decode(signature)
    except ValueError as error:
        raise _invalid("SIGNATURE.json is not JSON") from error
    if not isinstance(value, dict) or set(value) != _FIELDS or value["algorithm"] != ALGORITHM:
        raise _invalid(f"SIGNATURE.json has exactly the fields {', '.join(sorted(_FIELDS))}, algorithm {ALGORITHM}")
    name, publisher, text = value["keyId"], value["publisherId"], value["signature"]
    if not isinstance(name, str) or not isinstance(publisher, str) or not isinstance(text, str):
        raise _invalid("a field of SIGNATURE.json is not text")
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _invalid("the signature is not base64") from error
    if len(raw) != _SIGNATURE_BYTES:
        raise _invalid(f"the signature has not {_SIGNATURE_BYTES} bytes")
    if len(name) > 128 or not name.isprintable() or not publisher.isprintable():
        raise _invalid("a field of SIGNATURE.json is too long or has control characters")
    return name, publisher, raw


def _invalid(reason: str) -> NotochordError:
    return NotochordError(Code.SIG_INVALID, Fault.USER, reason, reason=reason)
