"""The pieces of a transcript follow the record and what is arriving, in whatever order the two are heard of."""

from dataclasses import replace

from notochord.services.chat.api import Entry
from notochord.services.models.api import Message, Role, Text
from notochord.viewmodels.chat.live import LiveAnswer
from notochord.viewmodels.chat.transcript import TranscriptPieces
from notochord.viewmodels.samples.chat import asked


def test_a_question_heard_of_before_any_message_is_there_once() -> None:
    """On a busy machine a tool asks before the first message was read; it stood there twice then."""
    questions = [asked()]
    transcript = TranscriptPieces(answer=LiveAnswer, questions=lambda: tuple(questions))
    key = f"asked/{questions[0].id}"

    def keys() -> list[str]:
        return [piece.key for piece in transcript.pieces]

    transcript.show_end()
    transcript.show_end()
    assert keys() == [key]
    message = Entry("e0", "", Message(Role.USER, (Text("write"),)), at=0)
    transcript.take_end([message], (), (), 1)
    assert keys() == ["e0/said0", key]
    questions[:] = [replace(questions[0], id="other")]
    transcript.show_end()
    assert keys() == ["e0/said0", "asked/other"]
