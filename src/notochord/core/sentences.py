"""The sentences that people read, in their language."""

from collections.abc import Iterable, Mapping

from notochord.core.errors import NotochordError, Parameter
from notochord.core.paths import shipped
from notochord.core.strict_json import decode

ENGLISH = "en"
CHINESE = "zh_CN"
LANGUAGES = (ENGLISH, CHINESE)
IN_WINDOW = "window.said."
"""Before the key of a sentence: what the window says in its place, where the command line names its commands."""

_FULL_WIDTH = ("。", "！", "？", "；", "：", "，", "）")


class Sentences:
    """The texts of one language, by key (`org.created`) or code (`E_ORG_OPEN`), with places for parameters."""

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = texts

    @classmethod
    def load(cls, language: str) -> "Sentences":
        """Read every file of the language; one that is not offered gives English."""
        chosen = language if language in LANGUAGES else ENGLISH
        texts: dict[str, str] = {}
        for file in sorted((shipped("translations") / chosen).glob("*.json")):
            found = decode(file.read_bytes())
            if not isinstance(found, dict):
                raise ValueError(f"{file} is not an object")
            texts.update({key: str(text) for key, text in found.items()})
        return cls(chosen, texts)

    def in_window(self) -> "Sentences":
        """Return the sentences as people read them who have no command line before them."""
        own = {key.removeprefix(IN_WINDOW): text for key, text in self._texts.items() if key.startswith(IN_WINDOW)}
        return Sentences(self.language, {**self._texts, **own})

    @property
    def texts(self) -> Mapping[str, str]:
        """Return every text by its key."""
        return self._texts

    def sentence(self, key: str, /, **parameters: Parameter) -> str:
        """Return the text filled with the parameters; a key without a text stands for itself.

        With `count=1` the text of `<key>.one` is taken where there is one.
        """
        one = self._texts.get(f"{key}.one") if parameters.get("count") == 1 else None
        return (one or self._texts.get(key, key)).format_map(_Filled(parameters))

    def failure(self, error: NotochordError) -> str:
        """Return what happened and what to do with the code: before it in a terminal, behind it in a window."""
        text = self._texts.get(error.code)
        if not text:
            return f"{error.code}: {error.detail}" if error.detail else str(error.code)
        parameters = {"detail": error.detail, **error.parameters}
        parameters |= dict.fromkeys(_explaining(parameters, error.detail), self._why(error))
        said = text.format_map(_Filled(parameters))
        return self._texts.get("failure", "{code}: {said}").format(code=error.code, said=said)

    def _why(self, error: NotochordError) -> str:
        """Return the reason in this language; one that has no text of its own (a provider's words) is quoted."""
        key = str(error.parameters.get("why", ""))
        return self.sentence(
            key if key in self._texts else "why.quoted", **{"detail": error.detail, **error.parameters}
        )


def joined(sentences: Iterable[str]) -> str:
    """Put sentences behind each other, with a space except after Chinese punctuation; empty ones are left out."""
    text = ""
    for sentence in filter(None, sentences):
        text += ("" if not text or text.endswith(_FULL_WIDTH) else " ") + sentence
    return text


def _explaining(parameters: Mapping[str, Parameter], detail: str) -> list[str]:
    """Return which parameters are the English reason: `detail`, and `reason` unless it says something of its own."""
    return [name for name in ("detail", "reason") if parameters.get(name) == detail or "why" in parameters]


class _Filled(dict[str, Parameter]):
    """Parameters of a sentence; one that is missing shows as an ellipsis rather than hiding the failure."""

    def __missing__(self, key: str) -> str:
        return "…"


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that the system's settings ask for: Chinese of any kind is zh_CN, all else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return CHINESE if value.lower().startswith("zh") else ENGLISH
    return ENGLISH
