"""How a failed answer is told: the same while it is fresh and after the conversation was opened again."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import Sentences
from notochord.viewmodels.chat.failures import as_error


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
