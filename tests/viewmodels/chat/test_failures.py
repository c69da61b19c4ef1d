"""How a failed answer is told: the same while it is fresh and after the conversation was opened again."""

import re

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import LANGUAGES, Sentences
from notochord.viewmodels.chat.failures import Remedy, as_error, remedies


def test_a_model_is_called_the_same_in_a_fresh_failure_and_in_a_recorded_one() -> None:
    code, model = Code.MODEL_STREAM_BROKEN, "Office/llama/70b"
    fresh = NotochordError(code, Fault.PROVIDER, "lost", model=model, provider="Office")
    said = Sentences.load("en").failure
    assert said(as_error(code, model, fresh)) == said(as_error(code, model, None))
    assert "answer of llama/70b broke off" in said(as_error(code, model, fresh))


def test_a_fresh_failure_keeps_its_other_parameters() -> None:
    fresh = NotochordError(Code.MODEL_REFUSED, Fault.PROVIDER, "x", model="P/m", provider="P", reason="too rude")
    told = as_error(Code.MODEL_REFUSED, "P/m", fresh)
    assert (told.parameters["reason"], told.detail) == ("too rude", "x")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_recorded_failure_says_that_its_reason_is_not_known_rather_than_leaving_a_gap(language: str) -> None:
    sentences = Sentences.load(language)
    why = sentences.sentence("why.not_kept")
    with_reason = [code for code in Code if re.search(r"\{(reason|detail)\}", sentences.texts.get(code, ""))]
    told = {code: sentences.failure(as_error(code, "Office/alpha", None)) for code in with_reason}
    assert Code.MODEL_UNAVAILABLE in told
    assert not {code for code, text in told.items() if why not in text}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_conversation_that_is_too_long_leads_to_the_setting_that_its_sentence_names(language: str) -> None:
    sentences = Sentences.load(language).in_window()
    said = sentences.failure(as_error(Code.MODEL_CONTEXT_LENGTH, "Office/alpha", None))
    assert sentences.sentence("window.settings.system.compress") in said
    assert Remedy.OPEN_LIMITS in remedies(Code.MODEL_CONTEXT_LENGTH)
