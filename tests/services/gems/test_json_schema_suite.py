"""The public suite of JSON Schema: what is accepted as a schema of arguments is checked as the suite says, and what is
refused is refused by design."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.gems.input_schemas import UNSUPPORTED, compile_schema
from notochord.services.tools.schema import ArgumentCheck

SUITE = Path(__file__).parents[2] / "suites" / "json-schema" / "draft2020-12"
FILES = sorted(path.stem for path in SUITE.glob("*.json"))
BY_DESIGN = re.compile(
    rf"(?:{'|'.join(map(re.escape, sorted(UNSUPPORTED)))}) is not supported"
    r"|\$ref: only references inside the schema are supported, not .*"
    r"|does not compile: '\^\\\\p\{Letter\}\+\$' is not a 'regex'"
)
"""What schemas are refused for: keywords that could make a check take for ever, those that change what a reference
means, references to elsewhere, and patterns that no Python regular expression can be."""

AGREED, REFUSED = 837, 158
"""Tests whose outcome is that of the suite, and groups whose schema is refused: no fewer are checked one day unseen."""


def as_argument(schema: Json) -> dict[str, Json]:
    """Return the schema of arguments of which one, `value`, has to fit a schema of the suite."""
    inner = {key: part for key, part in schema.items() if key != "$schema"} if isinstance(schema, dict) else schema
    return {"type": "object", "properties": {"value": _moved(inner)}, "required": ["value"]}


def _moved(part: Json) -> Json:
    """Let references lead to where the schema stands now."""
    if isinstance(part, list):
        return [_moved(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    moved: dict[str, Json] = {}
    for key, value in part.items():
        if key == "$ref" and isinstance(value, str) and (value == "#" or value.startswith("#/")):
            moved[key] = f"#/properties/value{value[1:]}"
        else:
            moved[key] = value if key in ("enum", "const") else _moved(value)
    return moved


def groups(file: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((SUITE / f"{file}.json").read_text(encoding="utf-8"))
    return found


def outcome(schema: dict[str, Json], value: Json) -> str:
    """Return the code of a refusal, empty for none."""
    try:
        ArgumentCheck().run(schema, {"value": value})
    except NotochordError as error:
        return error.code
    return ""


@cache
def run(file: str) -> tuple[list[str], int, Counter[str]]:
    """Return the tests whose outcome is another than the suite's, the number of the others, and why schemas were
    refused."""
    wrong, agreed, refused = [], 0, Counter[str]()
    for group in groups(file):
        try:
            schema = compile_schema(as_argument(group["schema"]))
        except ValueError as error:
            refused[str(error)] += 1
            continue
        for test in group["tests"]:
            if outcome(schema, test["data"]) == ("" if test["valid"] else Code.TOOL_ARGUMENTS):
                agreed += 1
            else:
                wrong.append(f"{group['description']}: {test['description']}")
    return wrong, agreed, refused


@pytest.mark.req("TOOL-021", "TOOL-022", "TOOL-023")
@pytest.mark.parametrize("file", FILES)
def test_arguments_are_checked_as_the_suite_says(file: str) -> None:
    assert run(file)[0] == []


@pytest.mark.req("TOOL-027", "TOOL-028", "TOOL-029")
def test_what_is_refused_is_refused_by_design_and_most_is_not() -> None:
    outcomes = [run(file) for file in FILES]
    reasons = sum((refused for _, _, refused in outcomes), Counter[str]())
    assert [reason for reason in reasons if not BY_DESIGN.fullmatch(reason)] == []
    assert (sum(agreed for _, agreed, _ in outcomes), reasons.total()) == (AGREED, REFUSED)
