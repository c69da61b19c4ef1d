"""The public keys whose signatures are official; `installer/sign_gems.py` adds to them."""

OFFICIAL_KEYS: dict[str, bytes] = {}
