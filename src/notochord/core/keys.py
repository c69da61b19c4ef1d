"""Keys made from an organization's key: one for each purpose, and a fingerprint that tells keys apart."""

import hashlib

KEY_BYTES = 32


def derived_key(key: bytes, purpose: str) -> bytes:
    """Return the 32-byte key for one purpose ("main.db", "history"); it tells nothing of `key` or of the others.

    BLAKE2b keyed with `key`, over a label and the purpose. Raises ValueError unless `key` has 32 bytes.
    """
    return _keyed(key, "key", purpose)


def fingerprint(key: bytes) -> str:
    """Return a text that tells keys apart and may be shown and stored in the open."""
    return _keyed(key, "fingerprint", "").hex()[:32]


def _keyed(key: bytes, label: str, purpose: str) -> bytes:
    if len(key) != KEY_BYTES:
        raise ValueError("an organization's key has 32 bytes")
    message = f"notochord/1/{label}/{purpose}".encode()
    return hashlib.blake2b(message, digest_size=KEY_BYTES, key=key).digest()
