"""The shipped services: each file keeps to its schema, makes an account, and is tried where its secret may go."""

import json
from contextlib import nullcontext

import jsonschema
import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.paths import shipped
from notochord.services.accounts.api import Template, Trial
from notochord.services.accounts.service import _judge
from notochord.services.accounts.templates import bundled
from notochord.services.egress.api import CredentialDenied, Response
from notochord.services.vault.api import Connection, Placement, Registration
from notochord.services.vault.rules import checked_draft, denial

TEMPLATES = bundled()
FILES = sorted((shipped("resources") / "accounts").glob("*.json"))
ACCOUNT = Connection("a", "Mine", "service", Placement.BEARER, Registration(("a.example",)), "")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_file_keeps_to_the_schema_and_is_called_as_its_id(file: object) -> None:
    schema = json.loads((shipped("resources") / "schemas" / "account.schema.json").read_text())
    found = json.loads(next(one for one in FILES if one == file).read_text())
    jsonschema.Draft202012Validator(schema).validate(found)
    assert f"{found['id']}.json" in str(file)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_each_service_makes_an_account_and_is_tried_where_its_secret_may_go(template: Template) -> None:
    draft = checked_draft(template.draft(user="me", client_id="my-client"))
    assert (draft.template, draft.registration.plain_http) == (template.id, "")
    assert template.trial is None or denial(draft.registration, template.trial.url) is None


def test_every_way_of_sending_a_secret_has_a_service() -> None:
    assert {template.placement for template in TEMPLATES} == set(Placement)
    assert any(template.oauth is not None for template in TEMPLATES)


@pytest.mark.parametrize(
    ("status", "body", "denied", "code"),
    [
        (200, b'{"ok":true}', None, None),
        (200, b'{"ok":false}', None, Code.ACCOUNT_REFUSED),
        (200, b"<html>", None, Code.ACCOUNT_REFUSED),
        (401, b"", None, Code.ACCOUNT_REFUSED),
        (403, b"", None, Code.ACCOUNT_REFUSED),
        (302, b"", None, Code.ACCOUNT_UNTESTED),
        (503, b"", None, Code.ACCOUNT_UNTESTED),
        (401, b"", CredentialDenied("needs_reauth", "a.example"), Code.ACCOUNT_SIGNED_OUT),
        (200, b'{"ok":true}', CredentialDenied("host_not_granted", "a.example"), Code.ACCOUNT_REFUSED),
    ],
)
def test_a_trial_is_a_yes_a_no_or_neither(
    status: int, body: bytes, denied: CredentialDenied | None, code: Code | None
) -> None:
    response = Response(status, "https://a.example/", (), body, denied)
    with nullcontext() if code is None else pytest.raises(NotochordError, match=f"^{code}"):
        _judge(ACCOUNT, Trial("https://a.example/", flag="ok"), response)
