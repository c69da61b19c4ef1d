"""The command line as a process: streams, exit statuses, interrupts, languages."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.programs import SECONDS, Program, first_line

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and pseudo terminals of Unix")


def test_results_go_to_standard_output_and_messages_to_standard_error(program: Program) -> None:
    ended = program.run("chat", "hello")
    told = f"Conversation c1, files in {program.home / 'organizations' / 'acme'}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "said hello with 0 files\n", told)


def test_a_failure_has_status_1_and_its_code_in_the_message(program: Program) -> None:
    ended = program.run("gem", "show", "nothing")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("notochord: E_GEM_UNKNOWN")


def test_a_failure_with_json_is_one_object_too(program: Program) -> None:
    ended = program.run("gem", "show", "nothing", "--json")
    assert json.loads(ended.stdout)["error"]["code"] == "E_GEM_UNKNOWN"
    assert (ended.returncode, "E_GEM_UNKNOWN" in ended.stderr) == (1, True)


def test_an_unforeseen_failure_is_told_by_a_code(program: Program) -> None:
    ended = program.run("chat", "bug", "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout.splitlines()[-1])["error"]["code"] == "E_INTERNAL"


def test_a_stream_with_json_is_one_object_on_eachline(program: Program) -> None:
    ended = program.run("chat", "tool", "--json")
    kinds = [json.loads(line)["type"] for line in ended.stdout.splitlines()]
    assert kinds == ["chat", "call", "result", "text", "text", "done"]
    assert ended.stderr == ""


@pytest.mark.req("SETUP-010")
def test_the_organizations_language_comes_before_the_systems(program: Program) -> None:
    chinese = program.run("gem", "remove", "eu.example.sums", "--yes", FAKE_LANGUAGE="zh_CN")
    english = program.run("gem", "remove", "eu.example.sums", "--yes", LANG="zh_CN.UTF-8", FAKE_LANGUAGE="en")
    assert "已删除" in chinese.stdout
    assert "was removed" in english.stdout


def test_the_systems_language_holds_where_the_organization_has_none(program: Program) -> None:
    assert "已删除" in program.run("gem", "remove", "eu.example.sums", "--yes", LANG="zh_CN.UTF-8").stdout


def test_a_secret_comes_from_standard_input_and_shows_nowhere(program: Program) -> None:
    ended = program.run("provider", "add", "p", "--kind", "openai", given="sk-very-secret\n")
    assert ended.returncode == 0
    assert "sk-very-secret" not in ended.stdout + ended.stderr


def test_the_end_of_the_input_where_an_answer_is_needed_is_a_failure(program: Program) -> None:
    ended = program.run("provider", "add", "p", "--kind", "openai")
    assert ended.returncode == 1
    assert "E_ANSWER_NEEDED" in ended.stderr


def test_input_that_is_no_utf8_is_refused(program: Program) -> None:
    ended = subprocess.run(
        program.line(("chat", "-")), input=b"\xff\xfe", capture_output=True, env=program.environment, check=False
    )
    assert (ended.returncode, b"E_INPUT_INVALID" in ended.stderr) == (1, True)


def test_input_without_end_is_cut_off(program: Program) -> None:
    with Path("/dev/zero").open("rb") as endless:
        ended = subprocess.run(
            program.line(("chat", "-")), stdin=endless, capture_output=True, env=program.environment, check=False
        )
    assert (ended.returncode, b"E_PAYLOAD_TOO_LARGE" in ended.stderr) == (1, True)


def test_a_reader_that_goes_away_ends_the_command_quietly(program: Program) -> None:
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(
        program.line(("chat", "hello", "--json")),
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        env=program.environment,
        check=False,
    )
    os.close(write)
    assert (ended.returncode, ended.stderr) == (1, "")


def test_a_full_disk_behind_standard_output_is_told(program: Program) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            program.line(("org", "list")),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=program.environment,
            check=False,
        )
    assert (ended.returncode, "E_DISK_FULL" in ended.stderr) == (1, True)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_stops_the_answer_and_ends_cleanly(program: Program, number: int, status: int) -> None:
    with program.started("chat", "slow", "--json") as process:
        assert '"chat"' in first_line(process)
        assert "thi" in first_line(process)
        process.send_signal(number)
        _, errors = process.communicate(timeout=SECONDS)
    assert (process.returncode, "E_CANCELLED" in errors) == (status, number == signal.SIGINT)
    assert (program.home / "organizations" / "acme" / "stopped").exists()
    assert not (program.home / "organizations" / "acme" / "held").exists()
    assert not (program.home / "organizations" / "acme" / "control.sock").exists()


def test_ctrl_c_says_that_the_answer_was_stopped_and_kept(program: Program) -> None:
    status, shown = on_terminal(program, "chat", "slow", answer="\x03", at="thinking")
    assert (status, "The answer was stopped. What had arrived is kept" in shown) == (130, True)


def on_terminal(program: Program, *words: str, answer: str, at: str) -> tuple[int, str]:
    """Run a command on a pseudo terminal and type `answer` once `at` shows; return its status and what showed."""
    pid, terminal = pty.fork()
    if pid == 0:
        line = program.line(words)
        os.execve(line[0], line, program.environment)
    shown, typed = b"", False
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if at.encode() in shown and not typed:
            typed = True
            os.write(terminal, answer.encode())
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()


def test_a_secret_is_not_shown_while_it_is_typed(program: Program) -> None:
    words = ("provider", "add", "p", "--kind", "openai")
    status, shown = on_terminal(program, *words, answer="sk-very-secret\n", at="(not shown): ")
    assert (status, "p is connected." in shown, "sk-very-secret" in shown) == (0, True, False)


def test_an_approval_on_the_terminal_cannot_be_rewritten_by_its_arguments(program: Program) -> None:
    status, shown = on_terminal(program, "chat", "approve gem:x", answer="y\n", at="[y/N] ")
    assert (status, "approved terminal" in shown) == (0, True)
    assert '{"secret\\u001b[1A":"rm -rf"}' in shown
    assert "\x1b[1A" not in shown


def test_ctrl_c_at_a_hidden_question_ends_at_once(program: Program) -> None:
    words = ("provider", "add", "p", "--kind", "openai")
    status, _ = on_terminal(program, *words, answer="\x03", at="(not shown): ")
    assert status == 130
