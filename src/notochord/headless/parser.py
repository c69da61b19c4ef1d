"""The command line's grammar, with its help in the user's language."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from notochord.core.codes import Code
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json
from notochord.headless.command import Arguments, Command, Declaration
from notochord.headless.usage_problems import told

PROGRAM = "notochord"
_COMMAND = "COMMAND"


class _Ended(Exception):
    """Reading ended before there was a command: at the grammar of the whole program, or at one command's."""

    def __init__(self, text: str, program: str) -> None:
        super().__init__(text)
        self.at_root = program == PROGRAM


class BadUsage(_Ended):
    """The words make no command; the text says why, and how it would be right; `message` is the why alone."""

    def __init__(self, text: str, program: str, message: str) -> None:
        super().__init__(text, program)
        self.message = message

    def as_json(self) -> Json:
        """Return what a script gets, in the form of every other failure."""
        return {"error": {"code": str(Code.USAGE_INVALID), "message": self.message}}


class HelpWanted(_Ended):
    """Help was asked for; the text is the help."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A command and its arguments; `home` is None unless given, `organization` empty for the current one."""

    command: Command
    arguments: Arguments
    home: Path | None
    organization: str
    json: bool


def wants_json(words: Sequence[str]) -> bool:
    """Tell whether `--json` is among the words, also if these make no command."""
    return "--json" in words[: words.index("--") if "--" in words else None]


def parse(words: Sequence[str], commands: Sequence[Command], sentences: Sentences, folder: Path) -> Parsed:
    """Read the words of a command line given in `folder`. Raises BadUsage, HelpWanted."""
    likely = [command for command in commands if command.words[0] in words]
    try:
        return _parsed(words, likely, sentences, folder)
    except _Ended as ended:
        if not ended.at_root:
            raise
        return _parsed(words, commands, sentences, folder)


def _parsed(words: Sequence[str], commands: Sequence[Command], sentences: Sentences, folder: Path) -> Parsed:
    """Read the words with a grammar of these commands; one of a few commands is made ten times faster than of all."""
    parser = _Grammar(sentences, folder).build(commands)
    found = parser.parse_args(list(words))
    command = getattr(found, "command", None) or _default(commands)
    if command is None:
        raise BadUsage(parser.format_help(), PROGRAM, parser.format_usage().strip())
    return Parsed(
        command=command,
        arguments=found,
        home=getattr(found, "home", None),
        organization=getattr(found, "org", ""),
        json=getattr(found, "json", False),
    )


def _default(commands: Sequence[Command]) -> Command | None:
    """Without a command the window opens, where this build has one."""
    return next((command for command in commands if command.words == ("desktop",)), None)


class _Help(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        raise HelpWanted(parser.format_help(), parser.prog)


class _Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises instead of printing and ending the process."""

    sentences: Sentences

    def format_usage(self) -> str:
        return f"{self.sentences.sentence('usage.prefix')}{super().format_usage().removeprefix('usage: ')}"

    def format_help(self) -> str:
        return f"{self.sentences.sentence('usage.prefix')}{super().format_help().removeprefix('usage: ')}"

    def error(self, message: str) -> NoReturn:
        problem = told(message, self.sentences)
        text = self.sentences.sentence(Code.USAGE_INVALID, problem=problem, program=self.prog)
        shown = self.format_help() if message.endswith(f": {_COMMAND}") else self.format_usage()
        raise BadUsage(f"{shown}{Code.USAGE_INVALID}: {text}", self.prog, text)


class _Grammar:
    def __init__(self, sentences: Sentences, folder: Path) -> None:
        self._sentences = sentences
        self._folder = folder

    def build(self, commands: Sequence[Command]) -> _Parser:
        root = self._parser(PROGRAM, "help.program")
        below = self._choices(root, required=False)
        groups: dict[str, argparse._SubParsersAction[_Parser]] = {}
        for command in commands:
            first, *rest = command.words
            if not rest:
                self._declare(below, command)
                continue
            if first not in groups:
                group = below.add_parser(first, **self._texts(first))
                self._prepare(group)
                groups[first] = self._choices(group, required=True)
            self._declare(groups[first], command)
        return root

    def _declare(self, choices: "argparse._SubParsersAction[_Parser]", command: Command) -> None:
        parser = choices.add_parser(command.words[-1], **self._texts(*command.words))
        self._prepare(parser)
        command.declare(Declaration(parser, self._sentences, self._folder))
        parser.set_defaults(command=command)

    def _parser(self, program: str, text: str) -> _Parser:
        parser = _Parser(
            prog=program,
            description=self._sentences.sentence(text),
            add_help=False,
            allow_abbrev=False,
        )
        self._prepare(parser)
        return parser

    def _texts(self, *words: str) -> dict[str, Any]:
        text = self._sentences.sentence("help." + ".".join(words))
        return {"help": text, "description": text, "add_help": False, "allow_abbrev": False}

    def _choices(self, parser: _Parser, *, required: bool) -> "argparse._SubParsersAction[_Parser]":
        return parser.add_subparsers(
            title=self._sentences.sentence("help.commands"), metavar=_COMMAND, required=required, parser_class=_Parser
        )

    def _prepare(self, parser: _Parser) -> None:
        """Give a parser the options of every command; none has a default, so that a later word overrules nothing."""
        parser.sentences = self._sentences
        options = parser.add_argument_group(self._sentences.sentence("help.common"))
        unset = argparse.SUPPRESS
        said = self._sentences.sentence
        options.add_argument(
            "--home", metavar="DIR", default=unset, type=self._folder.joinpath, help=said("option.home")
        )
        options.add_argument("--org", metavar="NAME", default=unset, help=said("option.org"))
        options.add_argument("--json", action="store_true", default=unset, help=said("option.json"))
        options.add_argument("-h", "--help", nargs=0, action=_Help, help=said("option.help"))
