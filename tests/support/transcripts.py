"""Sample conversations for the transcript's tests and its bench."""

import random

from notochord.ui.kit.transcript.entries import Role, TextEntry

_WORDS = tuple(
    "the a file model answer reads keeps one two table gem tool user window never always 中文 文字 because of".split()  # noqa: SIM905
)


def sentence(chance: random.Random) -> str:
    """Some words."""
    return " ".join(chance.choice(_WORDS) for _ in range(chance.randint(6, 18))).capitalize() + "."


def paragraph(chance: random.Random) -> str:
    """Some sentences."""
    return " ".join(sentence(chance) for _ in range(chance.randint(2, 5)))


def chat(count: int, seed: int = 1) -> list[TextEntry]:
    """A conversation of so many small messages."""
    chance = random.Random(seed)
    return [_message(number, chance) for number in range(count)]


def _message(number: int, chance: random.Random) -> TextEntry:
    if number % 2 == 0:
        return TextEntry(f"m{number}", Role.USER, sentence(chance), who="You", when="10:42")
    extra = chance.choice(
        (
            "",
            f"\n\n- {sentence(chance)}\n- **{sentence(chance)}**\n",
            f"\n\n```python\ndef f(x):\n    return {number}  # {sentence(chance)}\n```\n",
            f"\n\n| a | b |\n|---|--:|\n| {number} | {chance.random():.3f} |\n| two | 3 |\n",
        )
    )
    return TextEntry(f"m{number}", Role.ASSISTANT, paragraph(chance) + extra, who="Assistant", badge="model")


def block(chance: random.Random) -> str:
    """A sentence, 40 lines of code and a table of 12 rows."""
    code = "\n".join(f"    value_{n} = compute({n}, name='item {n}')  # step {n}" for n in range(40))
    rows = "\n".join(f"| row {n} | {sentence(chance)[:30]} | {n * 7.5} |" for n in range(12))
    return f"{sentence(chance)}\n\n```python\n{code}\n```\n\n| Name | What | Number |\n|---|---|--:|\n{rows}\n\n"


def stream_text(blocks: int = 8) -> str:
    """What is streamed."""
    chance = random.Random(7)
    return "".join(block(chance) for _ in range(blocks))


def large_message(size: int = 1_200_000) -> str:
    """One message of about 290,000 tokens."""
    chance, parts, length = random.Random(3), list[str](), 0
    while length < size:
        part = block(chance) if chance.random() < 0.3 else f"## {sentence(chance)}\n\n{paragraph(chance)}\n\n"
        parts.append(part)
        length += len(part)
    return "".join(parts)


def formulas(count: int = 200) -> list[str]:
    """An answer of so many short formulas, as the tokens in which a model writes it."""
    signs = ("x", "y_1", "\\alpha", "\\frac{a}{b}", "n^2", "\\sqrt{z}")
    tokens = []
    for number in range(count):
        sign = signs[number % len(signs)]
        tokens += [
            "Term",
            f" {number}",
            ":",
            " $",
            sign,
            " =",
            f" {number}",
            "$",
            ".",
            "\n\n" if number % 8 == 7 else " ",
        ]
    return tokens
