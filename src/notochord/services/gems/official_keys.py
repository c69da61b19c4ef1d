"""The public keys whose signatures are official; `installer/sign_gems.py` adds to them."""

OFFICIAL_KEYS: dict[str, bytes] = {
    "b377c86521ee6a07658b48f245c01f7e": bytes.fromhex(
        "50903d1e62218322aefc4de8fbeb591cd65608e6536cfbcdccb832c8592edcf8"
    ),
    "faa4b3da074d3ecbc2a670ea17278f16": bytes.fromhex(
        "87114d63973227fe3b41c662b68db7dd6a981122f5c28eb08672ff80ac5ed720"
    ),
}
