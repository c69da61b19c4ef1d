"""A schema of a tool cannot make the program reckon for ever; the keywords that could are refused when it is packed."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from notochord.core.strict_json import Json
from notochord.services.gems.input_schemas import MAX_NODES, compile_schema

EVIL = "^(a+)+$"
WORD = "a" * 40 + "!"
SLOW: dict[str, dict[str, Json]] = {
    "pattern": {"properties": {"x": {"type": "string", "pattern": EVIL}}},
    "pattern deep inside": {"properties": {"x": {"anyOf": [{"not": {"pattern": EVIL}}]}}},
    "pattern in a definition": {"properties": {"x": {"$ref": "#/$defs/X"}}, "$defs": {"X": {"pattern": EVIL}}},
    "pattern in an unused definition": {"$defs": {"X": {"pattern": EVIL}}},
    "pattern of names": {"patternProperties": {EVIL: {}}},
    "pattern of names of properties": {"propertyNames": {"pattern": EVIL}},
}
CHECK = """
import json, sys
from jsonschema import Draft202012Validator
schema, value = json.loads(sys.argv[1]), json.loads(sys.argv[2])
print("begins", flush=True)
list(Draft202012Validator(schema).iter_errors(value))
"""


@pytest.mark.req("TOOL-027", "TOOL-028", "TOOL-029")
@pytest.mark.parametrize("name", SLOW)
def test_a_schema_that_could_reckon_for_ever_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not supported"):
        compile_schema({"type": "object", **SLOW[name]})


NAMED: Json = {WORD: 1}
VALUES = {"pattern": {"x": WORD}, "pattern of names": NAMED, "pattern of names of properties": NAMED}


@pytest.fixture(scope="module")
def reckoning() -> Iterator[dict[str, "subprocess.Popen[str]"]]:
    """A validator for each schema, all at work together; each has said that it begins."""
    started: dict[str, subprocess.Popen[str]] = {}
    for name, value in VALUES.items():
        words = [sys.executable, "-c", CHECK, json.dumps({"type": "object", **SLOW[name]}), json.dumps(value)]
        started[name] = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    begun = [one.stdout.readline() for one in started.values() if one.stdout]
    assert begun == ["begins\n"] * len(started)
    time.sleep(1)
    yield started
    for one in started.values():
        with one:
            one.kill()


@pytest.mark.parametrize("name", VALUES)
def test_control_a_validator_that_takes_it_does_not_come_back(
    reckoning: dict[str, "subprocess.Popen[str]"], name: str
) -> None:
    assert reckoning[name].poll() is None
    reckoning[name].kill()


def doubling(depth: int) -> dict[str, Json]:
    """Return a schema in which each definition refers to the next one twice."""
    definitions: dict[str, Json] = {
        f"d{number}": {"allOf": [{"$ref": f"#/$defs/d{number + 1}"}, {"$ref": f"#/$defs/d{number + 1}"}]}
        for number in range(depth)
    }
    definitions[f"d{depth}"] = {"type": "string"}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions}


def nested(depth: int) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "object"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


def test_a_schema_that_grows_when_its_references_are_put_in_place_is_refused() -> None:
    with pytest.raises(ValueError, match=f"more than {MAX_NODES} parts"):
        compile_schema(doubling(40))
    assert compile_schema(doubling(4))


def test_a_schema_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(ValueError, match=r"does not compile|too deeply"):
        compile_schema(nested(2_000))
    assert compile_schema(nested(20))


@pytest.mark.parametrize(
    "reference", ["https://evil.example/s.json", "file:///etc/passwd", "other.json#/x", "#/nowhere"]
)
def test_a_reference_leads_nowhere_outside(reference: str) -> None:
    with pytest.raises(ValueError, match=r"\$ref"):
        compile_schema({"type": "object", "properties": {"x": {"$ref": reference}}})
