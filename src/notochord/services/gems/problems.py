"""Problems of manifests and packages: made from what a JSON Schema refuses, and raised all together."""

from collections.abc import Iterable, Iterator, Sequence

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError, Parameter
from notochord.core.strict_json import Json
from notochord.services.gem_authoring.api import Problem

MAX_REPORTED = 20

_MARK = "problem."
"""A part of a schema whose `$comment` begins with this names the sentence for a value of another form."""

_KINDS = {
    "type": "wrong_type",
    "maxLength": "too_long",
    "minLength": "empty",
    "maxItems": "too_many",
    "maxProperties": "too_many",
    "minItems": "too_few",
    "minimum": "too_small",
    "maximum": "too_large",
    "enum": "not_allowed",
    "const": "not_allowed",
}


def problem(kind: str, path: str, detail: str, /, code: Code = Code.PERM_INVALID, **parameters: Parameter) -> Problem:
    """Return a problem whose sentence has at least the parameters that are given."""
    return Problem(code, path, kind, detail, parameters)


def line_of(found: Problem) -> str:
    return f"{found.path}: {found.detail}" if found.path else found.detail


def refusal(problems: Sequence[Problem], prefix: str = "") -> NotochordError:
    """Return the error for a package or a draft with problems: the code of the first, a line for each."""
    first = problems[0]
    detail = "\n".join(f"{prefix}{line_of(one)}" for one in problems[:MAX_REPORTED])
    return NotochordError(first.code, Fault.USER, detail, reason=detail, path=first.path)


def schema_problems(validator: Draft202012Validator, value: Json) -> list[Problem]:
    """Return what a schema refuses, ordered by place."""
    errors = sorted(validator.iter_errors(value), key=lambda error: [str(part) for part in error.absolute_path])
    return [found for error in errors for found in _of(error)]


def _of(error: ValidationError) -> Iterator[Problem]:
    where = ".".join(str(part) for part in error.absolute_path)
    detail = error.message if len(error.message) <= 300 else f"{error.message[:300]} …"
    value, limit = error.instance, error.validator_value
    if error.validator == "additionalProperties" and isinstance(value, dict) and isinstance(error.schema, dict):
        known = error.schema.get("properties", {})
        yield from _fields("unknown_field", where, detail, sorted(value.keys() - known.keys()))
    elif error.validator == "required" and isinstance(value, dict):
        yield from _fields("missing_field", where, detail, [_missing(error)])
    else:
        yield problem(_kind(error), where, detail, limit=_shown(limit))


def _fields(kind: str, where: str, detail: str, names: Iterable[str]) -> Iterator[Problem]:
    for name in names:
        yield problem(kind, where, detail, field=name[:100])


def _missing(error: ValidationError) -> str:
    """Return the name of the field that one error about required fields is about; each field has its own error."""
    names = error.validator_value if isinstance(error.validator_value, list) else []
    return next((str(name) for name in names if error.message.startswith(repr(name))), "")


def _kind(error: ValidationError) -> str:
    """Return the kind of a problem: the one that the schema names for another form, or that of the keyword."""
    comment = error.schema.get("$comment", "") if isinstance(error.schema, dict) else ""
    if error.validator == "pattern" and comment.startswith(_MARK):
        return str(comment.removeprefix(_MARK))
    return _KINDS.get(str(error.validator), "other")


def _shown(limit: object) -> Parameter:
    if isinstance(limit, bool | dict):
        return ""
    if isinstance(limit, int | float | str):
        return limit
    return ", ".join(str(part) for part in limit) if isinstance(limit, list) else ""
