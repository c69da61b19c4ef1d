"""Commands for an organization that another process holds."""

import json
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.programs import SECONDS, Program, first_line

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such endpoint yet")


def test_a_command_is_carried_out_where_the_organization_is_held(program: Program) -> None:
    with program.holding():
        assert program.run("chat", "hello").stdout == "said hello with 0 files\n"
        listed = program.run("chats", "list", "--json")
        assert [chat["id"] for chat in json.loads(listed.stdout)] == ["c1"]
    assert json.loads(program.run("chats", "list", "--json").stdout) == []


def test_statuses_and_failures_come_back(program: Program) -> None:
    with program.holding():
        ended = program.run("gem", "show", "nothing", "--json")
        assert (ended.returncode, json.loads(ended.stdout)["error"]["code"]) == (1, "E_GEM_UNKNOWN")


def test_the_clients_language_is_spoken(program: Program) -> None:
    with program.holding():
        assert "已删除" in program.run("gem", "remove", "eu.example.sums", "--yes", LANG="zh_CN.UTF-8").stdout


def test_a_relative_path_counts_from_the_clients_folder(program: Program) -> None:
    with program.holding():
        called = program.run("gem", "call", "g", "t", "--folder", "sub", "--json")
        assert json.loads(called.stdout)["folder"] == str(Path.cwd() / "sub")


def test_a_secret_goes_to_the_holder_and_never_comes_back(program: Program) -> None:
    with program.holding():
        ended = program.run("provider", "add", "p", "--kind", "openai", "--json", given="sk-very-secret\n")
        listed = program.run("provider", "list", "--json")
    assert ended.returncode == 0
    for text in (ended.stdout, ended.stderr, listed.stdout, listed.stderr):
        assert "sk-very-secret" not in text


def test_an_approval_of_one_command_is_answered_by_another(program: Program) -> None:
    with program.holding(), program.started("chat", "approve gem:x", "--json") as talk:
        assert '"chat"' in first_line(talk)
        assert '"approval"' in first_line(talk)
        assert program.run("approvals", "approve", "a1").returncode == 0
        out, _ = talk.communicate(timeout=SECONDS)
        assert json.loads(out.splitlines()[-1])["text"] == "approved control"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_client_that_ends_stops_its_command_at_the_holder(program: Program, number: int) -> None:
    stopped = program.home / "organizations" / "acme" / "stopped"
    with program.holding(), program.started("chat", "slow", "--json") as talk:
        first_line(talk)
        first_line(talk)
        talk.send_signal(number)
        talk.wait(SECONDS)
        end = time.monotonic() + SECONDS
        while not stopped.exists() and time.monotonic() < end:
            time.sleep(0.01)
        assert stopped.exists()
        assert talk.returncode == (130 if number == signal.SIGINT else -9)
        assert program.run("chats", "list").returncode == 0


def test_a_killed_holder_is_told_and_leaves_nothing_in_the_way(program: Program) -> None:
    with program.holding() as holder:
        with program.started("chat", "slow", "--json") as talk:
            first_line(talk)
            first_line(talk)
            holder.kill()
            holder.wait(SECONDS)
            _, errors = talk.communicate(timeout=SECONDS)
        assert (talk.returncode, "E_CONTROL_LOST" in errors) == (1, True)
        assert (program.home / "organizations" / "acme" / "control.sock").exists()
        assert program.run("chat", "hello").stdout == "said hello with 0 files\n"


def test_a_second_headless_process_is_refused_and_the_first_stays(program: Program) -> None:
    with program.holding():
        second = program.run("headless")
        assert (second.returncode, "E_ORG_OPEN" in second.stderr) == (1, True)
        assert program.run("chats", "list").returncode == 0


def test_short_commands_at_once_all_succeed(program: Program) -> None:
    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(lambda number: program.run("network", "add", "local", f"box{number}:1"), range(4)))
    assert [one.returncode for one in ended] == [0] * 4, [one.stderr for one in ended]


def test_the_holder_ends_with_status_0_when_told_to_stop(program: Program) -> None:
    with program.holding() as holder:
        pass
    assert holder.returncode == 0


def test_commands_of_the_home_work_beside_a_holder(program: Program) -> None:
    with program.holding():
        assert "acme" in program.run("org", "list").stdout
