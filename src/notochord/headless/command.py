"""What a command is: its words, its options, and the function that carries it out."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from notochord.core.sentences import Sentences
from notochord.headless.exchange import Exchange
from notochord.headless.services import Services, Surroundings

Arguments: TypeAlias = argparse.Namespace


@dataclass(frozen=True, slots=True)
class HomeContext:
    """What a command works with that needs no open organization."""

    exchange: Exchange
    surroundings: Surroundings


@dataclass(frozen=True, slots=True)
class OpenContext:
    """What a command works with in the open organization.

    `lasting` tells that the process stays after the command, so that somebody else can answer an approval. `changing`
    is held by a command that reads a value and stores another made from it, since two commands may run at once.
    """

    exchange: Exchange
    services: Services
    lasting: bool
    changing: asyncio.Lock


class Declaration:
    """Declares the options and words of one command; each has the help text `option.<name>`, or that of its topic."""

    def __init__(self, parser: argparse.ArgumentParser, sentences: Sentences, folder: Path) -> None:
        self._group = parser.add_argument_group(sentences.sentence("help.arguments"))
        self._sentences = sentences
        self._folder = folder

    def add(self, *names: str, topic: str = "", **how: Any) -> None:
        """Declare an argument as `argparse.ArgumentParser.add_argument` does."""
        key = f"option.{topic or names[-1].lstrip('-')}"
        self._group.add_argument(*names, help=self._sentences.sentence(key), **how)

    def add_path(self, *names: str, **how: Any) -> None:
        """Declare a path; a relative one counts from the folder where the command was given."""
        self.add(*names, type=self._folder.joinpath, **how)


def no_arguments(declaration: Declaration) -> None:
    """Declare nothing."""


@dataclass(frozen=True, slots=True)
class ProgramCommand:
    """A command that the composition root carries out by itself, such as the desktop."""

    words: tuple[str, ...]
    declare: Callable[[Declaration], None] = no_arguments


@dataclass(frozen=True, slots=True)
class HomeCommand:
    """A command that needs no open organization."""

    words: tuple[str, ...]
    run: Callable[[HomeContext, Arguments], Awaitable[None]]
    declare: Callable[[Declaration], None] = no_arguments


@dataclass(frozen=True, slots=True)
class OpenCommand:
    """A command for the open organization; it runs in the process that holds it, whichever that is."""

    words: tuple[str, ...]
    run: Callable[[OpenContext, Arguments], Awaitable[None]]
    declare: Callable[[Declaration], None] = no_arguments


Command: TypeAlias = ProgramCommand | HomeCommand | OpenCommand
