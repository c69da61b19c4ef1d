"""Rows of the table of connections, read and made; what is secret in them is read by nobody else than who sends it."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, select

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.database import Database
from notochord.services.vault.api import Connection, ConnectionDraft, OAuthClient, Placement, Registration, SignIn
from notochord.services.vault.tables import CONNECTIONS

_SECRET = ("secret", "client_secret", "refresh_token")
SHOWN = [column for column in CONNECTIONS.columns if column.name not in _SECRET]


def connection_of(row: Row[Any]) -> Connection:
    """Return what may be known of a connection."""
    return Connection(
        id=row.id,
        name=row.name,
        kind=row.kind,
        placement=Placement(row.placement),
        registration=Registration(tuple(json.loads(row.hosts)), tuple(json.loads(row.paths)), row.plain_http),
        field=row.field,
        prefix=row.prefix,
        template=row.template,
        oauth=_client(row.oauth),
        sign_in=SignIn(row.sign_in),
        uses=row.uses,
        last_used=row.last_used,
    )


def values_of(draft: ConnectionDraft) -> dict[str, str | int]:
    """Return the columns of a new connection, without any secret; it was never used."""
    return {
        "name": draft.name,
        "kind": draft.kind,
        "placement": draft.placement.value,
        "field": draft.field,
        **places_of(draft.registration),
        "prefix": draft.prefix,
        "template": draft.template,
        "oauth": "" if draft.oauth is None else _client_text(draft.oauth),
        "secret": "",
        "client_secret": "",
        "refresh_token": "",
        "expires_at": 0,
        "sign_in": SignIn.READY.value,
        "uses": 0,
        "last_used": 0,
    }


def places_of(registration: Registration) -> dict[str, str]:
    """Return the columns that say where a secret may go."""
    return {
        "hosts": json.dumps(registration.hosts),
        "paths": json.dumps(registration.paths),
        "plain_http": registration.plain_http,
    }


async def shown(database: Database, identifier: str) -> Connection:
    """Return one connection. Raises NOT_FOUND."""
    question = select(*SHOWN).where(CONNECTIONS.c.id == identifier)
    row = await database.read(lambda transaction: transaction.execute(question).one_or_none())
    if row is None:
        raise not_found(identifier)
    return connection_of(row)


def not_found(connection: str) -> NotochordError:
    """Return the error for a connection that is not there (any more)."""
    return NotochordError(
        Code.NOT_FOUND, Fault.USER, f"no connection {connection}", name=connection, why="why.connection_gone"
    )


def _client_text(client: OAuthClient) -> str:
    return json.dumps(
        {
            "authorize_url": client.authorize_url,
            "token_url": client.token_url,
            "client_id": client.client_id,
            "scopes": client.scopes,
            "parameters": client.parameters,
            "issuer": client.issuer,
            "typed": client.typed,
        }
    )


def _client(text: str) -> OAuthClient | None:
    if not text:
        return None
    kept: Mapping[str, Any] = json.loads(text)
    return OAuthClient(
        authorize_url=kept["authorize_url"],
        token_url=kept["token_url"],
        client_id=kept["client_id"],
        scopes=tuple(kept["scopes"]),
        parameters=tuple((name, value) for name, value in kept["parameters"]),
        issuer=kept["issuer"],
        typed=kept["typed"],
    )
