"""What a changeover could not delete stands in nobody's way, and goes with a later opening."""

import logging
from pathlib import Path

import pytest

from notochord.persistence.changeover import Changeover


@pytest.fixture
def database(tmp_path: Path) -> Path:
    database = tmp_path / "data.db"
    database.write_bytes(b"content")
    return database


def settle(database: Path, stamp: str = "1", now: int = 1) -> None:
    Changeover(database, stamp).settle(now, lambda _: None)


@pytest.mark.parametrize("leftover", ["data.db.next-0-shm", "data.db.part-0", "data.db.part-0-wal"])
def test_a_leftover_that_cannot_be_deleted_is_logged_and_swept_by_a_later_opening(
    database: Path, caplog: pytest.LogCaptureFixture, leftover: str
) -> None:
    stubborn = database.with_name(leftover)
    stubborn.mkdir()  # which is not deleted as a file
    with caplog.at_level(logging.WARNING):
        settle(database)
    assert leftover in caplog.text
    assert database.read_bytes() == b"content"
    stubborn.rmdir()
    stubborn.write_bytes(b"")
    settle(database)
    assert [path.name for path in database.parent.iterdir()] == ["data.db"]


def test_an_older_copy_whose_log_cannot_be_deleted_is_swept_whole_by_a_later_opening(database: Path) -> None:
    older, kept = (database.with_name(f"data.db.bak-{now}") for now in (1, 2))
    for path in (older, kept):
        path.write_bytes(b"before")
    log = database.with_name("data.db.bak-1-wal")
    log.mkdir()
    settle(database)
    assert older.exists()
    log.rmdir()
    log.write_bytes(b"")
    settle(database)
    assert {path.name for path in database.parent.iterdir()} == {"data.db", "data.db.bak-2"}


def test_abandoning_deletes_what_can_be_deleted_and_raises_nothing(database: Path) -> None:
    files = Changeover(database, "2")
    files.part.mkdir()
    files.next.write_bytes(b"migrated")
    files.abandon()
    assert not files.next.exists()


def test_nothing_is_made_for_a_stamp_as_long_as_an_abandoned_copy_of_it_is_there(database: Path) -> None:
    files = Changeover(database, "2")
    files.next.mkdir()
    with pytest.raises(OSError, match=files.next.name):
        files.copy()
    assert not files.part.exists()
