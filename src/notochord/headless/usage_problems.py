"""Says in the user's language what argparse found wrong; its own words are English and name its insides."""

import re
from difflib import get_close_matches

from notochord.core.sentences import Sentences

_ABOUT = re.compile(r"argument (?P<argument>[^:]+): (?P<rest>.*)", re.DOTALL)
_FORMS = (
    ("usage.missing", re.compile(r"the following arguments are required: (?P<arguments>.*)", re.DOTALL)),
    ("usage.unknown", re.compile(r"unrecognized arguments: (?P<arguments>.*)", re.DOTALL)),
    ("usage.choice", re.compile(r"invalid choice: (?P<value>.*) \(choose from (?P<choices>.*)\)", re.DOTALL)),
    ("usage.type", re.compile(r"invalid \w+ value: (?P<value>.*)", re.DOTALL)),
    ("usage.value_needed", re.compile(r"expected (?:one|at least one|\d+) arguments?")),
    ("usage.no_value", re.compile(r"ignored explicit argument (?P<value>.*)", re.DOTALL)),
)
"""What argparse can say of grammars like this one's, each with the sentence for it."""


def told(message: str, sentences: Sentences) -> str:
    """Return the sentence for a message of argparse; one that is not known is quoted as it is."""
    about = _ABOUT.fullmatch(message)
    argument, rest = (about["argument"], about["rest"]) if about else ("", message)
    for key, form in _FORMS:
        if found := form.fullmatch(rest):
            return sentences.sentence(key, argument=argument, **found.groupdict()) + _nearest(key, found, sentences)
    return sentences.sentence("why.quoted", detail=message)


def _nearest(key: str, found: re.Match[str], sentences: Sentences) -> str:
    """Return which choice was probably meant."""
    if key != "usage.choice":
        return ""
    choices = [choice.strip(" '\"") for choice in found["choices"].split(",")]
    near = get_close_matches(found["value"].strip("'\""), choices, 1)
    return sentences.sentence("usage.nearest", choice=near[0]) if near else ""
