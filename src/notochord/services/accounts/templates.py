"""Reads the templates of known services that are shipped with the program (`resources/accounts/*.json`)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from notochord.core.paths import shipped
from notochord.services.accounts.api import Template, Trial
from notochord.services.vault.api import OAuthClient, Placement, Registration

FOLDER = "accounts"


def bundled() -> tuple[Template, ...]:
    """Return the shipped templates, by name."""
    return read_folder(shipped("resources") / FOLDER)


def read_folder(folder: Path) -> tuple[Template, ...]:
    """Return the templates in a folder, by name; `resources/schemas/account.schema.json` says what they are."""
    found = [_read(json.loads(file.read_text(encoding="utf-8"))) for file in folder.glob("*.json")]
    return tuple(sorted(found, key=lambda template: (template.name.casefold(), template.id)))


def _read(text: Mapping[str, Any]) -> Template:
    oauth = text.get("oauth")
    trial = text.get("test")
    return Template(
        id=text["id"],
        name=text["name"],
        placement=Placement(text["placement"]),
        registration=Registration(tuple(text["hosts"]), tuple(text.get("paths", ()))),
        field=text.get("field", ""),
        prefix=text.get("prefix", ""),
        has_user=text.get("user", False),
        oauth=None if oauth is None else _client(oauth),
        has_client_secret=bool(oauth and oauth.get("client_secret", False)),
        help_url=text.get("help", ""),
        trial=None if trial is None else _trial(trial),
    )


def _client(text: Mapping[str, Any]) -> OAuthClient:
    return OAuthClient(
        authorize_url=text["authorize_url"],
        token_url=text["token_url"],
        client_id="",
        scopes=tuple(text.get("scopes", ())),
        parameters=tuple(text.get("parameters", {}).items()),
        issuer=text.get("issuer", ""),
    )


def _trial(text: Mapping[str, Any]) -> Trial:
    return Trial(text["url"], tuple(text.get("headers", {}).items()), text.get("flag", ""))
