"""OAuth 2 as far as it is text: authorization code with PKCE (RFC 6749, 7636, 8252, 9207), and token answers."""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import decode
from notochord.services.accounts.ports import Parameters
from notochord.services.vault.api import ClientSecrets, OAuthClient, Secret, Tokens

MOST_ANSWER_BYTES = 64 * 1024
MOST_CODE_CHARACTERS = 4_096
EARLY_SECONDS = 60
"""How long before its end a token is renewed: the way takes time, and clocks differ. At most half of its life."""

LONGEST_LIFE_SECONDS = 10 * 365 * 24 * 3_600

PASSING = frozenset({"temporarily_unavailable", "server_error", "internal_error", "slow_down", "ratelimited"})
"""Refusals after which it is worth asking again with the same refresh token; after any other the user signs in anew."""

_ERROR = re.compile(r"[a-z_]{1,40}")
_CODE = re.compile(rf"[\x20-\x7e]{{1,{MOST_CODE_CHARACTERS}}}")
_BYTES = 32


@dataclass(frozen=True, slots=True)
class Attempt:
    """One sign-in: what only this program knows, and what the redirect must bring back."""

    client: OAuthClient
    redirect_uri: str
    state: str
    verifier: str

    @classmethod
    def begin(cls, client: OAuthClient, redirect_uri: str, clock: Clock, *, state: str) -> "Attempt":
        return cls(client, redirect_uri, state, unguessable(clock))

    @property
    def page(self) -> str:
        """The address for the browser. It holds nothing that would be enough to get a token."""
        parts = urlsplit(self.client.authorize_url)
        ours = {
            "response_type": "code",
            "client_id": self.client.client_id,
            "redirect_uri": self.redirect_uri,
            "state": self.state,
            "code_challenge": challenge_of(self.verifier),
            "code_challenge_method": "S256",
        }
        if self.client.scopes:
            ours["scope"] = " ".join(self.client.scopes)
        given = [*parse_qsl(parts.query, keep_blank_values=True), *self.client.parameters]
        query = [(name, value) for name, value in given if name not in ours]
        return urlunsplit(parts._replace(query=urlencode([*query, *ours.items()])))

    def exchange(self, code: str, secrets: ClientSecrets) -> bytes:
        """Return the form that turns the code into tokens."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": self.verifier,
        }
        return _form(form, secrets)


def unguessable(clock: Clock) -> str:
    """Return 256 random bits as 43 characters that need no escape (RFC 7636, section 4.1)."""
    return base64.urlsafe_b64encode(clock.random_bytes(_BYTES)).rstrip(b"=").decode()


def challenge_of(verifier: str) -> str:
    """Return the S256 challenge of a verifier."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def verdict(query: Parameters, state: str) -> bool | None:
    """Judge a redirect: a yes with a code, a no, or None: it does not belong to this sign-in.

    None for whoever does not know the state: another page that scans ports or plants a code of its own.
    """
    if any(len(query.get(name, ())) > 1 for name in ("state", "code", "error", "iss")):
        return None
    if not hmac.compare_digest(_one(query, "state").encode(), state.encode()):
        return None
    return bool(_one(query, "code")) and "error" not in query


def code_of(query: Parameters, client: OAuthClient) -> str:
    """Return the code of an accepted redirect. Raises SIGN_IN_REFUSED, SIGN_IN_FAILED."""
    if "error" in query or not _one(query, "code"):
        raise refused(_error_name(_one(query, "error")))
    issuer = _one(query, "iss")
    if issuer and client.issuer and issuer != client.issuer:
        raise failed("the answer comes from another service than the one that was asked")
    code = _one(query, "code")
    if not _CODE.fullmatch(code):
        raise failed("the code is not plain text")
    return code


def renewal(secrets: ClientSecrets, refresh: Secret) -> bytes:
    """Return the form that turns a refresh token into new tokens."""
    return _form({"grant_type": "refresh_token", "refresh_token": refresh.reveal()}, secrets)


def tokens_of(status: int, body: bytes, now: int) -> Tokens:
    """Read the answer of a token endpoint; `now` in milliseconds. No text of an error holds a part of it.

    Raises SIGN_IN_REFUSED with a known reason, SIGN_IN_FAILED for anything else that is no bearer token.
    """
    try:
        answer = decode(body)
    except ValueError:
        answer = None
    answer = answer if isinstance(answer, dict) else {}
    error = answer.get("error")
    if status in (400, 401) or (status < 500 and error):  # some services say no with 200
        raise refused(_error_name(error if isinstance(error, str) else ""))
    if status != 200:
        raise failed(f"it answered {status}")
    access, kind, refresh = answer.get("access_token"), answer.get("token_type"), answer.get("refresh_token")
    if not isinstance(access, str) or not access or not isinstance(kind, str) or kind.lower() != "bearer":
        raise failed("it gave no bearer token")
    if not (refresh is None or isinstance(refresh, str)):
        raise failed("its refresh token is not text")
    return Tokens(Secret(access), Secret(refresh) if refresh else None, _end(answer.get("expires_in"), now))


def is_final(error: NotochordError) -> bool:
    """Tell whether the service refused, so that asking again with the same token cannot help."""
    return error.code is Code.SIGN_IN_REFUSED and error.parameters.get("reason") not in PASSING


def refused(reason: str) -> NotochordError:
    """Return the error for a service or user that said no."""
    return NotochordError(Code.SIGN_IN_REFUSED, Fault.USER, f"the service answered {reason}", reason=reason)


def failed(detail: str) -> NotochordError:
    """Return the error for an answer that nothing can be done with."""
    return NotochordError(Code.SIGN_IN_FAILED, Fault.PROVIDER, detail)


def _form(fields: dict[str, str], secrets: ClientSecrets) -> bytes:
    fields |= {"client_id": secrets.client.client_id}
    if secrets.client_secret is not None:
        fields |= {"client_secret": secrets.client_secret.reveal()}
    return urlencode(fields).encode()


def _one(query: Parameters, name: str) -> str:
    return next(iter(query.get(name, ())), "")


def _error_name(text: str) -> str:
    return text if _ERROR.fullmatch(text) else "unknown_error"


def _end(seconds: object, now: int) -> int:
    if isinstance(seconds, str) and seconds.isascii() and seconds.isdigit() and len(seconds) < 20:
        seconds = int(seconds)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < LONGEST_LIFE_SECONDS:
        return 0
    return now + int(max(seconds - EARLY_SECONDS, seconds / 2) * 1000)
