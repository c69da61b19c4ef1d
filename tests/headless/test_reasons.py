"""Why something was refused is told in the language of the sentence around it."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import notochord
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import shipped
from notochord.core.sentences import Sentences

SOURCES = sorted(Path(notochord.__file__).parent.rglob("*.py"))
FOR_PEOPLE = ("USER", "SYSTEM", "NETWORK")


def constructions() -> Iterator[tuple[str, str, str, set[str | None]]]:
    """Yield place, code, fault and parameters of each error that the program makes."""
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "NotochordError" and len(node.args) > 1:
                code, fault = (ast.unparse(argument).rpartition(".")[2] for argument in node.args[:2])
                yield f"{file.name}:{node.lineno}", code, fault, {keyword.arg for keyword in node.keywords}


def codes_that_tell_why() -> set[str]:
    texts: dict[str, str] = {}
    for file in (shipped("translations") / "en").glob("*.json"):
        texts |= json.loads(file.read_text(encoding="utf-8"))
    return {code.name for code in Code if "{detail}" in texts[code]}


def test_each_reason_that_people_read_can_be_translated() -> None:
    telling = codes_that_tell_why()
    made = [one for one in constructions() if one[1] in telling and one[2] in FOR_PEOPLE]
    assert len(made) > 30
    assert [place for place, _, _, parameters in made if "why" not in parameters] == []


def test_each_reason_has_its_text() -> None:
    texts = json.loads((shipped("translations") / "en" / "why.json").read_text(encoding="utf-8"))
    named = {key for file in SOURCES for key in re.findall(r'"(why\.[a-z_]+)"', file.read_text(encoding="utf-8"))}
    assert named == set(texts)


def test_a_reason_is_told_in_chinese() -> None:
    error = NotochordError(Code.INPUT_INVALID, Fault.USER, "the message is empty", why="why.message_empty")
    told = Sentences.load("zh_CN").failure(error)
    assert not re.search(r"[a-z]{2}", told.removeprefix("E_INPUT_INVALID"))
    assert "the message is empty" in Sentences.load("en").failure(error)


@pytest.mark.parametrize(("language", "quoted"), [("zh_CN", "原文“Ran out of tea”"), ("en", ": Ran out of tea.")])
def test_somebody_elses_words_are_quoted(language: str, quoted: str) -> None:
    error = NotochordError(Code.TOOL_FAILED, Fault.GUEST, "Ran out of tea")
    assert quoted in Sentences.load(language).failure(error)


def test_a_reason_that_is_no_sentence_stays() -> None:
    sentences = Sentences("en", {"E_FOLDER_REFUSED": "Refused ({reason})."})
    error = NotochordError(Code.FOLDER_REFUSED, Fault.POLICY, "this folder is a root", reason="root")
    assert sentences.failure(error) == "E_FOLDER_REFUSED: Refused (root)."
