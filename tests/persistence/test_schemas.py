"""The comparison of declared and migrated tables sees every difference that matters."""

import pytest
from sqlalchemy import Column, ForeignKey, Index, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

from notochord.persistence.migrations import Component, Step
from support.schemas import assert_same_schema

TABLES = MetaData()
Table("owners", TABLES, Column("id", Text, primary_key=True), Column("key", LargeBinary, nullable=False))
Table(
    "notes",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("owner", Text, ForeignKey("owners.id")),
    Column("body", Text, nullable=False),
    UniqueConstraint("owner", "body"),
    Index("notes_by_body", "body"),
)
OWNERS = "CREATE TABLE owners (id TEXT PRIMARY KEY, key BLOB NOT NULL) STRICT"
NOTES = (
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, owner TEXT REFERENCES owners (id), body TEXT NOT NULL,"
    " UNIQUE (owner, body)) STRICT"
)
INDEX = "CREATE INDEX notes_by_body ON notes (body)"


def step(statement: str) -> Step:
    return lambda connection: connection.execute(statement)


def component(*statements: str) -> Component:
    return Component("notes", tuple(step(statement) for statement in statements))


def test_the_same_schema_passes() -> None:
    assert_same_schema(TABLES, (component(OWNERS, NOTES, INDEX),))


@pytest.mark.parametrize(
    "statements",
    [
        (OWNERS, NOTES),
        (OWNERS, NOTES.replace(" STRICT", ""), INDEX),
        (OWNERS, NOTES.replace("body TEXT NOT NULL", "body TEXT"), INDEX),
        (OWNERS, NOTES.replace("body TEXT", "body BLOB"), INDEX),
        (OWNERS, NOTES.replace(" REFERENCES owners (id)", ""), INDEX),
        (OWNERS, NOTES.replace(", UNIQUE (owner, body)", ""), INDEX),
        (OWNERS, NOTES.replace("owner TEXT", "owner TEXT, more TEXT"), INDEX),
        (OWNERS, NOTES, INDEX, "CREATE TABLE extra (id TEXT) STRICT"),
    ],
)
def test_each_difference_fails(statements: tuple[str, ...]) -> None:
    with pytest.raises(AssertionError):
        assert_same_schema(TABLES, (component(*statements),))
