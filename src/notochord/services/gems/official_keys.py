"""The public keys whose signatures are official; `installer/sign_gems.py` adds to them."""

OFFICIAL_KEYS: dict[str, bytes] = {
    "b377c86521ee6a07658b48f245c01f7e": bytes.fromhex(
        "50903d1e62218322aefc4de8fbeb591cd65608e6536cfbcdccb832c8592edcf8"
    ),
}
