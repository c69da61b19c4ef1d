"""Reads the address of a provider as people type it, and says where its key may go."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.models.api import ProviderKind

USUAL = {
    ProviderKind.OPENAI: "https://api.openai.com/v1",
    ProviderKind.ANTHROPIC: "https://api.anthropic.com",
    ProviderKind.GEMINI: "https://generativelanguage.googleapis.com/v1beta/openai",
    ProviderKind.OPENROUTER: "https://openrouter.ai/api/v1",
    ProviderKind.OLLAMA: "http://localhost:11434/v1",
}
_LONGEST = 500
_BARE = re.compile(r"(?:\[[^\]]+\]|[^:/?#@\s]+)(?::\d+)?(?:/|$)")
"""A host with or without a port: a scheme that is mistyped has neither behind its colon."""

_VERSION = re.compile(r"v\d+(?:alpha|beta)?\d*")
_ENDPOINTS = ("/chat/completions", "/completions", "/messages", "/models", "/responses")
_PRIVATE_ENDINGS = (".local", ".localhost", ".lan", ".internal", ".home.arpa", ".home", ".intranet")
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """A provider's address: `base` for its client, `origin` and `host` (with a port that is not usual) for rules."""

    base: str
    origin: str
    host: str
    https: bool
    on_this_computer: bool
    private: bool


def read_address(typed: str, kind: ProviderKind) -> Address:
    """Normalise an address: with or without `/v1`, a slash at the end, or a whole endpoint, it leads to the same place.

    An address that is no local or internal one must be https. Raises INPUT_INVALID saying what is wrong.
    """
    text = typed.strip() or USUAL.get(kind, "")
    if not text:
        raise _invalid("this kind of provider needs an address", "why.address_needed")
    if "://" not in text and not _BARE.match(text):
        raise _invalid("not an http or https address", "why.address_http")
    if "://" not in text:
        text = f"{'http' if _is_private(text.split('/')[0].rsplit(':', 1)[0]) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _invalid(str(error), "why.address_http") from error
    if parts.scheme not in _DEFAULT_PORTS or not host or len(text) > _LONGEST or re.search(r"[\s\\\x00-\x1f]", text):
        raise _invalid("not an http or https address", "why.address_http")
    if ":" not in host and not all(host.removesuffix(".").split(".")):
        raise _invalid("a name of a host has no empty part", "why.address_http")
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise _invalid("an address has no user, no question mark and no #", "why.address_extras")
    private = _is_private(host)
    if parts.scheme == "http" and not private:
        raise _invalid(
            "http is for addresses on this computer and the internal network only; use https", "why.address_plain"
        )
    shown = f"[{host}]" if ":" in host else host
    authority = shown if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{shown}:{port}"
    origin = f"{parts.scheme}://{authority}"
    base = origin + _path(parts.path, kind)
    return Address(base, origin, authority, parts.scheme == "https", _is_this_computer(host), private)


def _path(typed: str, kind: ProviderKind) -> str:
    path = re.sub(r"/+", "/", typed).rstrip("/")
    whole = next((ending for ending in _ENDPOINTS if path.endswith(ending)), "")
    path = path.removesuffix(whole)
    if kind is ProviderKind.ANTHROPIC:
        return path.removesuffix("/v1")  # its client adds /v1 itself
    if kind is ProviderKind.OLLAMA:
        path = path.removesuffix("/api")
    if kind is ProviderKind.OPENROUTER and not path:
        path = "/api"
    if kind is ProviderKind.GEMINI:
        return path if path.endswith("/openai") else "/v1beta/openai" if not path else f"{path}/openai"
    versioned = any(_VERSION.fullmatch(step) for step in path.split("/"))
    return path if whole or versioned else f"{path}/v1"


def _is_this_computer(host: str) -> bool:
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_private(host: str) -> bool:
    name = host.strip("[]").rstrip(".").lower()
    try:
        address = ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        return "." not in name or name.endswith(_PRIVATE_ENDINGS)
    return address.is_private or address.is_loopback or address.is_link_local


def _invalid(detail: str, why: str) -> NotochordError:
    return NotochordError(Code.INPUT_INVALID, Fault.USER, detail, field="address", why=why)
