"""Two short conversations that show a small local model how tools are used; without them it repeats or makes up calls.

They stand before the conversation. Their gems exist nowhere: the grammar of a move knows only tools that are there.
"""

from typing import Any

Message = dict[str, Any]

_WEATHER = """\
# Weather

Gets the weather of a place.

1. Call `now` with `place`: the name of the place.
2. Tell the user the weather in one sentence.

Weather is open. Use its tools now:
- gem.weather.now: Get the weather of a place. Arguments: place."""

_TRANSLATION = """\
# Translation

Translates a text file that is in this conversation.

1. Call `translate` with `file`: the name of the text file, such as `letter.txt`.
2. Tell the user where the translation is.

Do not translate yourself.

Translation is open. Use its tools now:
- gem.translation.translate: Translate a text file. Arguments: file."""

_TRANSLATED = '{"folder":"runs/translate-20260102-093000","output":{"file":"output/letter.en.txt"}}'


def messages() -> list[Message]:
    """Return the example conversations in the form of an order's messages."""
    return [
        _user("[Now: Friday 2026-01-02 09:30 UTC (UTC+0000).]\n\nHow warm is it in Rome?"),
        *_called("read_skill", '{"name": "weather"}', _WEATHER),
        *_called("gem.weather.now", '{"place": "Rome"}', '{"output":"21 degrees"}'),
        _assistant("It is 21 degrees in Rome."),
        _user(
            "[Now: Friday 2026-01-02 09:30 UTC (UTC+0000). Attached files: letter.txt.]\n\nPlease translate letter.txt."
        ),
        *_called("read_skill", '{"name": "translation"}', _TRANSLATION),
        *_called("gem.translation.translate", '{"file": "letter.txt"}', _TRANSLATED),
        _assistant("The translation of letter.txt is in runs/translate-20260102-093000/output/letter.en.txt."),
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
