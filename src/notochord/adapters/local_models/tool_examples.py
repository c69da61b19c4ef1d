"""Three short conversations that show a small local model how tools are used; without them it repeats or invents calls.

They stand before the conversation. Their gems exist nowhere: the grammar of a move knows only tools that are there.
"""

from typing import Any

Message = dict[str, Any]

_NOW = "[Now: Friday 2026-01-02 09:30 UTC (UTC+0000)."

_WORD_COUNT = """\
# Word count

Counts the words of a text file.

1. Call `count` with `file`: the name of the text file.
2. Tell the user the number of words.

Word count is open. Use its tools now:
- gem.word-count.count: Count the words of a text file. Arguments: file."""

_TRANSLATION = """\
# Translation

Translates a text file that is in this conversation.

1. Call `translate` with `file`: the name of the text file, such as `letter.txt`.
2. Tell the user where the translation is.

Do not translate yourself.

Translation is open. Use its tools now:
- gem.translation.translate: Translate a text file. Arguments: file."""

_TRANSLATED = '{"folder":"runs/translate-20260102-093000","output":{"report":"output/letter.en.txt"}}'


def messages() -> list[Message]:
    """Return the example conversations in the form of an order's messages."""
    return [
        _user(f"{_NOW} Attached files: notes.txt.]\n\nHow many words are in notes.txt?"),
        *_called("read_skill", '{"name": "word-count"}', _WORD_COUNT),
        *_called("gem.word-count.count", '{"file": "notes.txt"}', '{"output":{"words":1250}}'),
        _assistant("There are 1250 words in notes.txt."),
        _user(f"{_NOW}]\n\nWhat is the capital of Italy?"),
        _assistant("The capital of Italy is Rome."),
        _user(f"{_NOW} Attached files: letter.txt.]\n\nPlease translate letter.txt."),
        *_called("read_skill", '{"name": "translation"}', _TRANSLATION),
        *_called("gem.translation.translate", '{"file": "letter.txt"}', _TRANSLATED),
        _assistant("I made a translation of letter.txt. It is in runs/translate-20260102-093000/output/letter.en.txt."),
    ]


def _user(text: str) -> Message:
    return {"role": "user", "text": text, "calls": [], "results": []}


def _assistant(text: str) -> Message:
    return {"role": "assistant", "text": text, "calls": [], "results": []}


def _called(name: str, arguments: str, result: str) -> tuple[Message, Message]:
    call = {"id": name, "name": name, "arguments": arguments}
    results = [{"call": name, "text": result, "failed": False}]
    return (
        {"role": "assistant", "text": "", "calls": [call], "results": []},
        {"role": "user", "text": "", "calls": [], "results": results},
    )
