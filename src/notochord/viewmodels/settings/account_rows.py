"""What the list of accounts shows, and what its form asks for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from notochord.services.accounts.api import KIND, Template
from notochord.services.vault.api import (
    Connection,
    ConnectionDraft,
    OAuthClient,
    Placement,
    Registration,
    SignIn,
)
from notochord.viewmodels.settings.provider_rows import Check

_SEPARATOR = re.compile(r"[\s,;，；、]+")
_PLAIN = "http://"


class Method(StrEnum):
    """How a service knows who asks, as the form offers it for a service of the user's own."""

    BEARER = "bearer"
    HEADER = "header"
    QUERY = "query"
    BASIC = "basic"
    OAUTH = "oauth"


@dataclass(frozen=True, slots=True)
class AccountRow:
    """A kept secret, which is not part of it; `provider` is the model provider whose key it is, if it is one.

    `service` is the name of its template, empty for one of the user's own. `gems` are the names of the gems that may
    use it. `last_used` is in milliseconds since 1970, 0 for never. `address` is where to sign in if no browser opened.
    """

    id: str
    name: str
    hosts: tuple[str, ...]
    provider: str = ""
    service: str = ""
    method: Method = Method.BEARER
    sign_in: SignIn = SignIn.READY
    gems: tuple[str, ...] = ()
    projects: int = 0
    uses: int = 0
    last_used: int = 0
    can_test: bool = False
    has_client_secret: bool = False
    registration: Registration = field(default_factory=lambda: Registration(()))
    signing_in: bool = False
    address: str = ""
    check: Check = field(default_factory=Check)


@dataclass(frozen=True, slots=True)
class AccountForm:
    """What was typed: texts as they stand in the fields; `secret` shows itself in no text."""

    template: Template | None
    name: str
    method: Method = Method.BEARER
    field_name: str = ""
    prefix: str = ""
    user: str = ""
    places: str = ""
    paths: str = ""
    authorize_url: str = ""
    token_url: str = ""
    client_id: str = ""
    scopes: str = ""
    secret: str = field(default="", repr=False)


def row_of(connection: Connection, template: str, provider: str, *, can_test: bool) -> AccountRow:
    """Return what is shown of a connection, before anything is known of who may use it."""
    registration = connection.registration
    plain = (registration.plain_http,) if registration.plain_http else ()
    return AccountRow(
        id=connection.id,
        name=connection.name,
        hosts=(*registration.hosts, *plain),
        provider=provider,
        service=template,
        method=Method.OAUTH if connection.oauth is not None else Method(connection.placement.value),
        sign_in=connection.sign_in,
        uses=connection.uses,
        last_used=connection.last_used,
        can_test=can_test,
        registration=registration,
    )


def draft_of(form: AccountForm) -> ConnectionDraft:
    """Return what an account is made from; what is wrong in it the vault says."""
    scopes = words(form.scopes)
    if form.template is not None:
        return form.template.draft(form.name.strip(), user=form.user, client_id=form.client_id.strip(), scopes=scopes)
    placement = Placement.BEARER if form.method is Method.OAUTH else Placement(form.method.value)
    prefix = form.prefix.strip()
    return ConnectionDraft(
        name=form.name.strip(),
        kind=KIND,
        placement=placement,
        registration=registration_of(form.places, form.paths),
        field=form.user if placement is Placement.BASIC else form.field_name.strip(),
        prefix=f"{prefix} " if prefix and placement is Placement.HEADER else "",
        oauth=_client(form, scopes) if form.method is Method.OAUTH else None,
    )


def registration_of(places: str, paths: str) -> Registration:
    """Read the websites and beginnings of paths that were typed; one website may be a local http address."""
    found = words(places)
    plain = [place for place in found if place.lower().startswith(_PLAIN)]
    hosts = tuple(place for place in found if place not in plain[:1])
    return Registration(hosts, words(paths), plain[0].rstrip("/") if plain else "")


def is_plain(places: str) -> bool:
    """Tell whether a website was typed that is reached without encryption."""
    return any(place.lower().startswith(_PLAIN) for place in words(places))


def words(text: str) -> tuple[str, ...]:
    """Return what stands between blanks, commas and line breaks, each once."""
    return tuple(dict.fromkeys(word for word in _SEPARATOR.split(text) if word))


def names_of(templates: tuple[Template, ...]) -> Mapping[str, str]:
    """Return the names of services by the ids of their templates."""
    return {template.id: template.name for template in templates}


def _client(form: AccountForm, scopes: tuple[str, ...]) -> OAuthClient:
    return OAuthClient(
        authorize_url=form.authorize_url.strip(),
        token_url=form.token_url.strip(),
        client_id=form.client_id.strip(),
        scopes=scopes,
        typed=True,
    )
