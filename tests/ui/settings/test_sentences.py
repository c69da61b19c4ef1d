"""No sentence bypasses translation: all that the settings ask for exists, and both languages have the same keys."""

import dataclasses

from pytestqt.qtbot import QtBot

from notochord.core.errors import Parameter
from notochord.core.sentences import CHINESE, Sentences
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.scenes import SCENES

MAY_BE_MISSING = ("window.settings.role.Translator", ".remark")
"""The name of a role of one's own, and the remark of a setting that explains itself."""


class Listening(Sentences):
    """Remembers the keys that have no text."""

    def __init__(self, language: str) -> None:
        super().__init__(language, Sentences.load(language)._texts)
        self.missing: set[str] = set()

    def sentence(self, key: str, /, **parameters: Parameter) -> str:
        if key not in self._texts:
            self.missing.add(key)
        return super().sentence(key, **parameters)


def test_every_text_of_every_scene_is_translated(kit: Kit, qtbot: QtBot) -> None:
    sentences = Listening(CHINESE)
    for scene in SCENES:
        widget = scene.build(dataclasses.replace(kit, sentences=sentences))
        qtbot.addWidget(widget)
        widget.show()
    assert [key for key in sorted(sentences.missing) if not key.endswith(MAY_BE_MISSING)] == []
