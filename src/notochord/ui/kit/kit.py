"""What every view is given: the theme, the texts in the user's language, the runner of commands."""

import sys
from dataclasses import dataclass, field

from PySide6.QtCore import QLocale
from PySide6.QtGui import QKeySequence

from notochord.core.errors import NotochordError, Parameter
from notochord.core.sentences import CHINESE, Sentences
from notochord.ui.kit.last_folders import LastFolders
from notochord.ui.kit.runner import Runner
from notochord.ui.kit.theme.theme import Theme


@dataclass(frozen=True, slots=True)
class Kit:
    """Handed down from the window to each view; one language for the life of a window."""

    theme: Theme
    sentences: Sentences
    runner: Runner
    folders: LastFolders = field(default_factory=LastFolders)

    def text(self, key: str, /, **parameters: Parameter) -> str:
        """Return the sentence for people with this key; `count=1` takes the singular."""
        return self.sentences.sentence(key, **parameters)

    def failure(self, error: NotochordError) -> str:
        """Return what happened and what to do, beginning with the error's code."""
        return self.sentences.failure(error)

    def keys(self, sequence: str) -> str:
        """Return a key sequence such as "Ctrl+K" as this platform writes it; Return is labelled Enter but on a Mac."""
        named = sequence if sys.platform == "darwin" else sequence.replace("Return", "Enter")
        return QKeySequence(named).toString(QKeySequence.SequenceFormat.NativeText)

    @property
    def locale(self) -> QLocale:
        """Return how numbers and dates are written: as the system says where it speaks the window's language."""
        system, own = QLocale.system(), QLocale("zh_CN" if self.sentences.language == CHINESE else "en_US")
        return system if system.language() == own.language() else own
