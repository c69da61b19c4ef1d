"""Keys for different purposes have nothing to do with each other."""

import pytest

from notochord.core.keys import derived_key, fingerprint

KEY = bytes(range(32))


def test_each_purpose_and_each_organization_has_its_own_key() -> None:
    keys = {derived_key(key, purpose) for key in (KEY, bytes(32)) for purpose in ("main.db", "history", "")}
    assert len(keys) == 6
    assert all(len(key) == 32 for key in keys)


def test_a_derived_key_stays_the_same_in_every_version() -> None:
    assert derived_key(KEY, "main.db").hex() == "bdf9d18458224766e4c5e8ec9ce8ddb7f4e1ca3cf156d0c4fbd18f1ca2423d72"
    assert fingerprint(KEY) == "f7b462b996e68a5f8a98dcf6f262e893"


def test_the_fingerprint_tells_keys_apart_and_shows_none() -> None:
    assert fingerprint(KEY) != fingerprint(bytes(32))
    assert KEY.hex()[:8] not in fingerprint(KEY)
    assert derived_key(KEY, "").hex()[:8] not in fingerprint(KEY)


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33)])
def test_a_key_of_another_length_is_refused(key: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        derived_key(key, "main.db")
