"""Pictures of the transcript."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from notochord.core.sentences import CHINESE
from notochord.ui.gallery.scene import Scene
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.transcript.entries import CardEntry, Entry, Role, TextEntry
from notochord.ui.kit.transcript.samples import CHINESE_ANSWER, ENGLISH_ANSWER, PLAIN_REASONING, WIDE_ANSWER
from notochord.ui.kit.transcript.style import TranscriptStyle, TranscriptTexts
from notochord.ui.kit.transcript.view import Transcript


def _transcript(kit: Kit, entries: list[Entry], *, scale: float = 1.0) -> Transcript:
    view = Transcript(TranscriptStyle.of(kit.theme, scale=scale), TranscriptTexts.of(kit.sentences))
    view.resize(800, 760)
    view.load(entries)
    return view


def _entries(kit: Kit) -> list[Entry]:
    chinese = kit.sentences.language == CHINESE
    question = (
        "请读一下 `report.csv`，告诉我里面有什么。"
        if chinese
        else "Please read `report.csv` and tell me what is in it."
    )
    you, thought = ("你", "思考了 12 秒") if chinese else ("You", "Thought for 12 s")
    return [
        TextEntry("u1", Role.USER, question, who=you, when="10:42"),
        TextEntry("r1", Role.REASONING, PLAIN_REASONING, who=thought),
        CardEntry("c1", _card),
        TextEntry(
            "a1", Role.ASSISTANT, CHINESE_ANSWER if chinese else ENGLISH_ANSWER, "Notochord", "SmolLM2", when="10:43"
        ),
    ]


def _card(parent: QWidget) -> QWidget:
    card = QWidget(parent)
    row = QHBoxLayout(card)
    row.addWidget(QLabel("files.read  report.csv"))
    row.addStretch(1)
    row.addWidget(QPushButton("OK"))
    return card


def _top(kit: Kit) -> QWidget:
    view = _transcript(kit, _entries(kit))
    view.anchor.to_start()
    view.settle()
    return view


def _end(kit: Kit) -> QWidget:
    return _transcript(kit, _entries(kit))


def _wide(kit: Kit) -> QWidget:
    view = _transcript(kit, [TextEntry("a1", Role.ASSISTANT, WIDE_ANSWER, "Notochord", "SmolLM2", when="10:43")])
    view.find_text("limit")
    return view


def _large(kit: Kit) -> QWidget:
    view = _transcript(kit, _entries(kit), scale=2.0)
    view.anchor.to_start()
    view.settle()
    return view


SCENES = (
    Scene("transcript-top", _top, 800, 760),
    Scene("transcript-end", _end, 800, 760),
    Scene("transcript-wide", _wide, 640, 480),
    Scene("transcript-large-text", _large, 640, 480),
)
