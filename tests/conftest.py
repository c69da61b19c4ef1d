"""What holds for every test: nothing is left behind, and requirement marks are well formed and reported."""

import gc
import inspect
import json
import os
import re
import signal
import sys
from collections.abc import Generator
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from support.late_threads import make_late
from support.leaks import no_task_left_behind, nothing_left_behind
from support.memory_folders import tmp_path

__all__ = ["no_task_left_behind", "nothing_left_behind", "tmp_path"]

# Hundreds of children start in these tests; each would compile the whole program if none kept its bytecode.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# A run that a shell started in the background ignores Ctrl-C, and so would the programs that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A change is judged by the same examples wherever it is tested, the long run looks for others; neither by the clock.
settings.register_profile("same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])

LOWEST_LAYER_FIRST = [
    "architecture", "core", "persistence", "services", "adapters", "viewmodels", "headless", "qt_adapters", "ui",
    "sandbox", "app", "desktop",
]  # fmt: skip
WITH_QT = {"qt_adapters", "ui", "desktop"}
ROW = re.compile(r"(?!(?:GEM)?OPEN-)[A-Z]+-\d{3}")  # decisions on open points are no rows
MOST_ROWS = 4


def folder_of(item: pytest.Item) -> str:
    return item.path.relative_to(item.config.rootpath / "tests").parts[0]


def folder_rank(item: pytest.Item) -> int:
    folder = folder_of(item)
    return LOWEST_LAYER_FIRST.index(folder) if folder in LOWEST_LAYER_FIRST else len(LOWEST_LAYER_FIRST)


def rows_of(item: pytest.Item) -> list[str]:
    return [row for mark in item.iter_markers("req") for row in mark.args]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--late-threads", metavar="SEED", help="let what threads do come late, by a chance that begins with SEED"
    )


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile(config.getoption("--hypothesis-profile") or "same")
    if (seed := config.getoption("--late-threads")) is not None:
        make_late(Random(seed))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=folder_rank)
    for item in items:
        rows = rows_of(item)
        wrong = [row for row in rows if not isinstance(row, str) or not ROW.fullmatch(row)]
        if wrong or len(rows) > MOST_ROWS:
            raise pytest.UsageError(f"{item.nodeid}: req takes at most {MOST_ROWS} rows such as DATA-174, not {rows}")
        if folder_of(item) in WITH_QT:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support (propagateSizeHints|raise)"))
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            item.fixturenames.insert(item.fixturenames.index("nothing_left_behind") + 1, "no_task_left_behind")
    if config.option.markexpr == "":
        long = [item for item in items if item.get_closest_marker("long")]
        items[:] = [item for item in items if item not in long]
        config.hook.pytest_deselected(items=long)


def pytest_collection_finish() -> None:
    # What is loaded by now stays; leaving it out makes the collection after each test 20 times cheaper.
    gc.collect()
    gc.freeze()


OUTCOMES = pytest.StashKey[dict[str, str]]()
WORST_FIRST = ("failed", "skipped", "passed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    outcomes = item.config.stash.setdefault(OUTCOMES, {})
    if report.when == "call" or report.outcome != "passed":
        for row in rows_of(item):
            found = outcomes.get(row, "passed")
            outcomes[row] = min(found, report.outcome, key=WORST_FIRST.index)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    outcomes = session.config.stash.get(OUTCOMES, {})
    if session.config.option.markexpr or not outcomes:
        return
    file = session.config.rootpath / "build" / "requirements.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(dict(sorted(outcomes.items())), indent=1), encoding="utf-8")
