"""What a manifest may say of the files that are downloaded for a gem."""

from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.checks import finish, open_package
from support.drafts import draft_manifest, export, written_draft
from support.gems import FAULTS, TRUSTED, PackageMaker, manifest
from support.shelves import MIRROR, resource
from support.workshops import checked_draft


def checked(folder: Path, *entries: Any) -> tuple[Code | None, str]:
    """Return how the checks of a package end."""
    package = PackageMaker(folder / "made").make(manifest(resources=list(entries)), key=None)
    scratch = folder / "scratch"
    scratch.mkdir()
    try:
        finish(open_package(package, scratch, TRUSTED), None, FAULTS, allow_unsigned=True)
    except NotochordError as error:
        return error.code, error.detail
    return None, ""


@pytest.mark.req("RES-004", "RES-008", "RES-012", "RES-013")
def test_a_resource_with_and_without_its_optional_fields_passes(tmp_path: Path) -> None:
    whole = resource(id="Table-2.v1", mirrors=[MIRROR], required=True, description="Prices")
    assert checked(tmp_path, resource(), whole) == (None, "")


@pytest.mark.req("RES-001", "RES-002", "RES-007", "RES-009")
@pytest.mark.parametrize("field", ["id", "url", "sha256", "size"])
def test_a_field_that_is_required_is_missed_by_its_name(tmp_path: Path, field: str) -> None:
    code, detail = checked(tmp_path, {name: value for name, value in resource().items() if name != field})
    assert (code, f"'{field}' is a required property" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("RES-003", "RES-005", "RES-008", "RES-024")
@pytest.mark.parametrize(
    "changes",
    [
        {"url": "http://files.example.com/a"},
        {"url": "HTTPS://files.example.com/a"},
        {"url": "https://"},
        {"url": "https:///a"},
        {"url": "https://user@files.example.com/a"},
        {"url": "https://files.example.com:99999/a"},
        {"url": "https://127.0.0.1/a"},
        {"url": "https://localhost/a"},
        {"url": "https://[::1]/a"},
        {"url": "https://2130706433/a"},
        {"url": "https://files.example.com/a b"},
        {"url": "https://files.example.com/a\n"},
        {"mirrors": ["http://files.example.com/a"]},
        {"mirrors": [MIRROR, "https://10.0.0.1/a"]},
        {"mirrors": MIRROR},
        {"sha256": "A" * 64},
        {"sha256": "a" * 63},
        {"sha256": "a" * 64 + "\n"},
        {"size": 0},
        {"size": -1},
        {"size": 1.5},
        {"size": "12"},
        {"required": "yes"},
        {"id": ""},
        {"id": "../a"},
        {"id": "a/b"},
        {"id": "a" * 65},
        {"description": ""},
        {"path": "/etc/passwd"},
    ],
    ids=str,
)
def test_a_resource_of_another_form_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    code, detail = checked(tmp_path, resource(**changes))
    assert (code, "resources.0" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("PKG-039")
def test_two_resources_with_one_id_are_refused(tmp_path: Path) -> None:
    code, detail = checked(tmp_path, resource(), resource(url=MIRROR))
    assert (code, detail) == (Code.PERM_INVALID, "resources.1.id: two resources are named model")


def test_a_draft_is_told_of_the_same_in_its_own_places(tmp_path: Path) -> None:
    wrong = [resource(), resource(url="https://127.0.0.1/a")]
    draft = written_draft(tmp_path, draft_manifest(exports=[export()], resources=wrong))
    assert [(one.path, one.kind) for one in checked_draft(draft)] == [
        ("resources.1.id", "resource_repeated"),
        ("resources.1", "resource_address"),
    ]
    assert (
        checked_draft(written_draft(tmp_path / "2", draft_manifest(exports=[export()], resources=[resource()]))) == []
    )
