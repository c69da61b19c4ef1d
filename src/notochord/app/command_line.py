"""The command line of the whole program: reads the words, then lets the front end that they mean do the work."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from notochord.adapters.console import echo_off, forget_typed
from notochord.app.windows import Windows
from notochord.core.paths import Home, default_home
from notochord.core.sentences import Sentences, language_of
from notochord.core.strict_json import encode
from notochord.headless import front
from notochord.headless.catalogue import commands
from notochord.headless.command import ProgramCommand
from notochord.headless.holding import BAD_USAGE, DONE
from notochord.headless.parser import BadUsage, HelpWanted, Parsed, parse, wants_json
from notochord.headless.terminal import Terminal


def run(words: Sequence[str], windows: Windows) -> int:
    """Carry out a command line and return its exit status: 0 done, 1 refused or failed, 2 bad usage."""
    _write_anything()
    _leave_no_core()
    offered, folder = commands(), Path.cwd()
    sentences = Sentences.load(language_of(os.environ))
    try:
        parsed = parse(words, offered, sentences, folder)
    except HelpWanted as help_text:
        print(help_text, end="")
        return DONE
    except BadUsage as problem:
        if wants_json(words):
            print(encode(problem.as_json()))
        print(problem, file=sys.stderr)
        return BAD_USAGE
    if isinstance(parsed.command, ProgramCommand):
        from notochord.app.program import run_program

        return run_program(parsed, _terminal(parsed, sentences), windows)
    from notochord.app.compose import surround
    from notochord.headless.process import WORDS as HEADLESS

    home = Home(parsed.home or default_home(os.environ))
    invocation = front.Invocation(tuple(words), folder, parsed)
    has_trash = parsed.command.words != HEADLESS
    return front.run(invocation, offered, _terminal(parsed, sentences), lambda: surround(home, has_trash=has_trash))


def _terminal(parsed: Parsed, sentences: Sentences) -> Terminal:
    return Terminal(
        given=sys.stdin,
        out=sys.stdout,
        messages=sys.stderr,
        echo_off=echo_off,
        forget_typed=forget_typed,
        sentences=sentences,
        json=parsed.json,
    )


def _leave_no_core() -> None:
    """A crash in native code leaves no copy of the memory, and so of the keys, on the disk."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, most))


def _write_anything() -> None:
    """A character that the terminal's encoding lacks is written as an escape, rather than failing the command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
