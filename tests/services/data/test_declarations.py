"""What a `data` section may say: the limits of the page, each one step inside and one step outside."""

from typing import Any

import pytest

from notochord.core.strict_json import Json
from notochord.services.data.declaration import SCALARS, FieldType
from notochord.services.data.parsing import parse
from support.data import sample, table
from support.declared import BEYOND_A_SCHEMA, told_by

STRING = {"type": "string"}
KINDS = [kind.value for kind in FieldType]


def req(*rows: str) -> pytest.MarkDecorator:
    return pytest.mark.req(*rows)


def faults(declared: Json) -> tuple[str, ...]:
    return parse(declared)[1]


def fields(**given: Any) -> dict[str, Any]:
    return table(given)


def log(**more: Any) -> dict[str, Any]:
    return {"collections": {"items": {"kind": "log", "fields": {"a": STRING}, **more}}}


def named(*names: str) -> dict[str, Any]:
    return {"collections": {name: {"kind": "table", "fields": {"a": STRING}} for name in names}}


@req("DATA-026", "DATA-021", "DATA-027", "DECL-001")
def test_the_sample_of_the_page_is_accepted() -> None:
    declaration, wrong = parse(sample())
    assert wrong == ()
    assert (sorted(declaration.tables), sorted(declaration.logs)) == (["notes", "projects"], ["readings"])
    assert declaration.tables["notes"].indexes == (("status", "due"), ("project",))


@req("DECL-005", "DATA-053", "DECL-024", "DATA-034")
def test_what_is_left_out_has_its_default() -> None:
    declaration, _ = parse(table({"a": STRING}))
    assert (declaration.change_days, declaration.tables["items"].version) == (180, 1)
    assert parse({}) == (parse({"collections": {}})[0], ())


ACCEPTED = [
    pytest.param(fields(**{f"f{n}": STRING for n in range(128)}), id="128 fields", marks=req("DATA-032", "DECL-021")),
    pytest.param(named(*(f"c{n}" for n in range(64))), id="64 collections", marks=req("DATA-051", "DECL-002")),
    pytest.param(named("a" * 64, "a_9"), id="names", marks=req("DATA-048", "DECL-010", "DATA-047", "DECL-009")),
    pytest.param(fields(**{"b" * 64: STRING}), id="field names", marks=req("DATA-050", "DECL-013", "DECL-012")),
    pytest.param(table({"a": STRING}, description="d" * 500), id="description", marks=req("DATA-033", "DECL-022")),
    pytest.param(fields(a={**STRING, "description": "字" * 500}), id="described", marks=req("DATA-086", "DECL-076")),
    pytest.param({"eventRetentionDays": 1}, id="one day", marks=req("DECL-003", "DATA-052")),
    pytest.param({"eventRetentionDays": 3650}, id="ten years", marks=req("DECL-004", "DATA-052")),
    pytest.param(
        table({f"f{n}": STRING for n in range(16)}, indexes=[[f"f{n}"] for n in range(16)]),
        id="16 indexes",
        marks=req("DATA-036", "DECL-027"),
    ),
    pytest.param(
        table({f"f{n}": STRING for n in range(8)}, indexes=[[f"f{n}" for n in range(8)]]),
        id="8 fields of an index",
        marks=req("DATA-037", "DECL-029"),
    ),
    pytest.param(fields(a={**STRING, "enum": [str(n) for n in range(256)]}), id="256 values", marks=req("DATA-076")),
    pytest.param(log(retention={"days": 36500, "maxEntries": 10000000}), id="retention", marks=req("DECL-042")),
    pytest.param(log(retention={"maxEntries": 1}), id="retention by count", marks=req("DECL-043", "DATA-044")),
    pytest.param(log(), id="no retention", marks=req("DATA-046", "DECL-039")),
    pytest.param(fields(a={"type": "array"}), id="array without items", marks=req("DATA-085", "DECL-074")),
    *(
        pytest.param(fields(a={"type": kind, "enum": [1]}), id=f"enum of {kind}", marks=req("DATA-079", "DECL-067"))
        for kind in ("number", "integer")
    ),
    *(
        pytest.param(table({"a": {"type": kind, "to": "items"} if kind == "ref" else {"type": kind}}, indexes=[["a"]]),
                     id=f"index on {kind}", marks=req("DATA-065", "DECL-053", "DECL-050"))
        for kind in sorted(SCALARS)
    ),
    *(
        pytest.param(fields(a={"type": "array", "items": kind, **({"to": "items"} if kind == "ref" else {})}),
                     id=f"array of {kind}", marks=req("DATA-084", "DECL-073"))
        for kind in sorted(SCALARS)
    ),
]  # fmt: skip


@pytest.mark.parametrize("declared", ACCEPTED)
def test_what_lies_within_the_limits_is_accepted(declared: Json) -> None:
    assert faults(declared) == ()


REFUSED = [
    pytest.param({"more": 1}, "more", id="unknown key"),
    pytest.param([], "object", id="no object"),
    pytest.param(named(*(f"c{n}" for n in range(65))), "64", id="65 collections", marks=req("DATA-051", "DECL-002")),
    pytest.param({"eventRetentionDays": 0}, "3650", id="no day", marks=req("DECL-003", "DATA-052")),
    pytest.param({"eventRetentionDays": 3651}, "3650", id="too many days", marks=req("DECL-004", "DATA-052")),
    pytest.param(named("Notes"), "Notes", id="capital", marks=req("DATA-047", "DECL-008")),
    pytest.param(named("9a"), "9a", id="digit first", marks=req("DATA-047", "DECL-008")),
    pytest.param(named("a-b"), "a-b", id="dash", marks=req("DATA-047", "DECL-009")),
    pytest.param(named("a" * 65), "64", id="long name", marks=req("DATA-048", "DECL-010")),
    pytest.param(fields(_a=STRING), "_a", id="field name", marks=req("DATA-049", "DECL-011")),
    pytest.param(fields(**{"a b": STRING}), "a b", id="blank in a name", marks=req("DATA-049", "DECL-012")),
    pytest.param(fields(**{"b" * 65: STRING}), "64", id="long field name", marks=req("DATA-050", "DECL-013")),
    pytest.param({"collections": {"a": {"fields": {"b": STRING}}}}, "kind", marks=req("DATA-029", "DECL-015")),
    pytest.param({"collections": {"a": {"kind": "list", "fields": {"b": STRING}}}}, "kind",
                 marks=req("DATA-028", "DECL-016")),
    pytest.param({"collections": {"a": {"kind": "table"}}}, "fields", marks=req("DATA-030", "DECL-019")),
    pytest.param({"collections": {"a": {"kind": "log"}}}, "fields", marks=req("DATA-030", "DECL-019")),
    pytest.param(fields(), "0 fields", id="no field", marks=req("DATA-031", "DECL-020")),
    pytest.param(fields(**{f"f{n}": STRING for n in range(129)}), "129", id="129 fields",
                 marks=req("DATA-032", "DECL-021")),
    pytest.param(table({"a": STRING}, description="d" * 501), "500", id="long description", marks=req("DATA-033")),
    pytest.param(table({"a": STRING}, version="2"), "integer", id="version as text", marks=req("DECL-023")),
    pytest.param(table({"a": STRING}, version=1.5), "integer", id="half a version", marks=req("DECL-023")),
    pytest.param(table({"a": STRING}, version=0), "version", id="version 0", marks=req("DECL-023")),
    pytest.param(log(version=1), "version", id="log with version", marks=req("DATA-035", "DECL-026")),
    pytest.param(log(indexes=[["a"]]), "indexes", id="log with indexes", marks=req("DATA-039", "DECL-032")),
    pytest.param(log(migrations="m.js"), "migrations", id="log with migrations", marks=req("DATA-041", "DECL-038")),
    pytest.param(table({"a": STRING}, retention={"days": 1}), "retention", id="table with retention",
                 marks=req("DATA-042", "DECL-040")),
    pytest.param(table({"a": STRING}, version=2), "migrations", id="no migrations",
                 marks=req("DATA-040", "DECL-033", "DATA-099")),
    pytest.param(table({"a": STRING}, version=2, migrations="m.py"), ".mjs", id="no module",
                 marks=req("DATA-376", "DECL-034")),
    pytest.param(table({"a": STRING}, version=2, migrations="../m.js"), "..", id="outside",
                 marks=req("DATA-377", "DECL-035")),
    pytest.param(table({"a": STRING}, version=2, migrations="/m.js"), "inside", id="absolute", marks=req("DECL-034")),
    pytest.param(table({f"f{n}": STRING for n in range(17)}, indexes=[[f"f{n}"] for n in range(17)]), "16",
                 id="17 indexes", marks=req("DATA-036", "DECL-027")),
    pytest.param(table({f"f{n}": STRING for n in range(9)}, indexes=[[f"f{n}" for n in range(9)]]), "8",
                 id="9 fields of an index", marks=req("DATA-037", "DECL-029")),
    pytest.param(table({"a": STRING}, indexes=[[]]), "1 to 8", id="empty index", marks=req("DATA-038", "DECL-028")),
    pytest.param(table({"a": STRING}, indexes=[["a"], ["a"]]), "repeats", id="index twice", marks=req("DECL-030")),
    pytest.param(table({"a": STRING}, indexes=[["a", "a"]]), "repeats", id="field twice", marks=req("DECL-030")),
    pytest.param(table({"a": STRING}, indexes=[["b"]]), "'b'", id="index on nothing", marks=req("DATA-191")),
    *(
        pytest.param(table({"a": {"type": kind}}, indexes=[["a"]]), "scalar", id=f"index on {kind}",
                     marks=req("DATA-191", "DECL-031", "DATA-068", "DATA-069"))
        for kind in ("array", "object", "any")
    ),
    pytest.param(log(retention={"days": 0}), "36500", id="no days", marks=req("DATA-043", "DECL-041")),
    pytest.param(log(retention={"days": 36501}), "36500", id="days", marks=req("DATA-043", "DECL-042")),
    pytest.param(log(retention={"maxEntries": 0}), "10000000", id="no entries", marks=req("DATA-044", "DECL-043")),
    pytest.param(log(retention={"maxEntries": 10000001}), "10000000", id="entries", marks=req("DATA-044", "DECL-044")),
    pytest.param(log(retention={}), "maxEntries", id="empty retention", marks=req("DATA-045", "DECL-045")),
    pytest.param(fields(a={}), "type", id="no type", marks=req("DECL-048",)),
    pytest.param(fields(a={"type": "date"}), "type", id="unknown type", marks=req("DECL-049",)),
    pytest.param(fields(a={**STRING, "description": "d" * 501}), "500", id="described",
                 marks=req("DATA-086", "DECL-076")),
    pytest.param(fields(a={**STRING, "more": 1}), "more", id="unknown option"),
    *(
        pytest.param(fields(a={"type": kind, "unique": True}), "unique", id=f"unique {kind}",
                     marks=req("DATA-072", "DECL-062"))
        for kind in ("array", "object", "any")
    ),
    pytest.param({"collections": {"a": {"kind": "log", "fields": {"b": {**STRING, "unique": True}}}}}, "unique",
                 id="unique in a log", marks=req("DATA-073", "DECL-063")),
    pytest.param(fields(a={**STRING, "enum": []}), "256", id="no value", marks=req("DATA-075", "DECL-064")),
    pytest.param(fields(a={**STRING, "enum": [str(n) for n in range(257)]}), "256", id="257 values",
                 marks=req("DATA-076", "DECL-065")),
    pytest.param(fields(a={**STRING, "enum": ["x", "x"]}), "twice", id="value twice",
                 marks=req("DATA-077", "DECL-066")),
    pytest.param(fields(a={"type": "number", "enum": [1, 1.0]}), "twice", id="number twice",
                 marks=req("DATA-077", "DECL-066")),
    pytest.param(fields(a={"type": "integer", "enum": [1.5]}), "integer", id="wrong value",
                 marks=req("DATA-078", "DECL-068")),
    pytest.param(fields(a={"type": "number", "enum": [True]}), "number", id="true is no number",
                 marks=req("DATA-078", "DECL-068")),
    *(
        pytest.param(fields(a={"type": kind, "enum": ["x"]}), "enum", id=f"enum of {kind}",
                     marks=req("DATA-079", "DECL-067"))
        for kind in KINDS if kind not in ("string", "number", "integer")
    ),
    pytest.param(fields(a={"type": "ref"}), "to", id="ref to nothing", marks=req("DATA-080", "DECL-069")),
    pytest.param(fields(a={"type": "array", "items": "ref"}), "to", id="refs to nothing",
                 marks=req("DATA-081", "DECL-070")),
    pytest.param(fields(a={"type": "ref", "to": "none"}), "'none'", id="ref to no table",
                 marks=req("DATA-082", "DECL-071")),
    pytest.param({"collections": {"a": {"kind": "table", "fields": {"r": {"type": "ref", "to": "b"}}},
                                  "b": {"kind": "log", "fields": {"c": STRING}}}}, "'b'", id="ref to a log",
                 marks=req("DATA-082", "DECL-071")),
    pytest.param(fields(a={**STRING, "items": "string"}), "items", id="items of a string",
                 marks=req("DATA-083", "DECL-072")),
    pytest.param(fields(a={"type": "array", "items": "object"}), "items", id="items that are objects",
                 marks=req("DATA-084", "DECL-073")),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "said"), REFUSED)
def test_what_lies_outside_the_limits_is_refused_and_named(declared: Json, said: str) -> None:
    found = faults(declared)
    assert found
    assert said in "\n".join(found)


def test_the_schemas_that_ship_accept_all_that_is_accepted() -> None:
    for case in ACCEPTED:
        declared: Any = case.values[0]
        assert told_by("manifest", declared) == told_by("notochord", declared) == [], case.id


def test_the_schema_that_editors_check_with_refuses_all_that_a_schema_can() -> None:
    for case in REFUSED:
        declared: Any = case.values[0]
        beyond = any(BEYOND_A_SCHEMA.search(fault) for fault in faults(declared))
        assert bool(told_by("manifest", declared)) is not beyond, case.values
