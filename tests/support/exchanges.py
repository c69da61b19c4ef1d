"""An exchange that keeps what a command says, and answers from a list."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import Sentences
from notochord.core.strict_json import Json


class KeptExchange:
    """Implements Exchange; `questions` are what was asked, hidden ones in `hidden`."""

    def __init__(
        self, *answers: str, language: str = "en", json: bool = False, interactive: bool = False, given: str = ""
    ) -> None:
        self.sentences = Sentences.load(language)
        self.json = json
        self.interactive = interactive
        self.out = ""
        self.values: list[Json] = []
        self.said: list[str] = []
        self.questions: list[str] = []
        self.hidden: list[str] = []
        self._answers = list(answers)
        self._given = given

    async def write(self, text: str) -> None:
        self.out += text

    async def emit(self, value: Json) -> None:
        self.values.append(value)

    async def say(self, text: str) -> None:
        self.said.append(text)

    async def ask(self, question: str) -> str:
        self.questions.append(question)
        return self._answer(question)

    async def ask_hidden(self, question: str) -> str:
        self.hidden.append(question)
        return self._answer(question)

    async def read_all(self) -> str:
        return self._given

    def _answer(self, question: str) -> str:
        if not self._answers:
            raise NotochordError(Code.ANSWER_NEEDED, Fault.USER, "the input ended", question=question)
        return self._answers.pop(0)
