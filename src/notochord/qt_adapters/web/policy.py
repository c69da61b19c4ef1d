"""What a page may load and do, as the headers of its files say it, and which of it the engine says was violated."""

import re

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "media-src data: blob:",
        "connect-src 'none'",
        "frame-src 'none'",
        "worker-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

_CLOSED = (
    "accelerometer", "autoplay", "bluetooth", "camera", "clipboard-read", "display-capture", "encrypted-media",
    "fullscreen", "gamepad", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer",
    "microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial",
    "storage-access", "usb", "window-management", "xr-spatial-tracking",
)  # fmt: skip

HEADERS: dict[bytes, bytes] = {
    b"Content-Security-Policy": POLICY.encode(),
    b"Permissions-Policy": ", ".join(f"{name}=()" for name in _CLOSED).encode(),
    b"Cross-Origin-Opener-Policy": b"same-origin",
    b"Cross-Origin-Resource-Policy": b"same-origin",
    b"Referrer-Policy": b"no-referrer",
    b"X-Content-Type-Options": b"nosniff",
    b"X-DNS-Prefetch-Control": b"off",
    b"Cache-Control": b"no-store",
}

_NAMES = frozenset({*_CLOSED, *(part.partition(" ")[0] for part in POLICY.split("; "))})
_VIOLATION = re.compile(
    r'Content Security Policy directive: "([a-z-]{1,40})|ermissions policy violation: ([a-z-]{1,40})'
)


def violated(message: str) -> str | None:
    """Return what a message of the engine's console says was violated, None for any other message.

    A page can write such a message itself: it then reports itself, with a name of this policy and no other words.
    """
    found = _VIOLATION.search(message)
    name = (found[1] or found[2]) if found is not None else None
    return name if name in _NAMES else None
