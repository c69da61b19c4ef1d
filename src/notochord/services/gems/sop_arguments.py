"""Checks the fixed arguments of a schedule against the SOP's input schema, in a number of steps that has an end.

Both come from the gem, and a small schema with small arguments can keep a validator busy for hours.
"""

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import create

from notochord.core.strict_json import Json, encode

JsonObject = dict[str, Json]

MAX_CHARACTERS = 65_536
MAX_STEPS = 10_000
SHOWN = 300

_NOT_EVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems", "format"})
"""As when a call is checked: they take steps that nobody counts."""


class _TooMany(Exception):
    """The check has no end in sight."""


def arguments_fault(schema: JsonObject, arguments: JsonObject) -> str:
    """Return why no run could start with these arguments; `schema` as `compile_schema` made it."""
    if len(encode(arguments)) > MAX_CHARACTERS:
        return f"more than {MAX_CHARACTERS} characters"
    try:
        error = next(iter(_counting()(schema).iter_errors(arguments)), None)
    except _TooMany:
        return f"checking them takes more than {MAX_STEPS} steps"
    except (RecursionError, OverflowError, ArithmeticError, ValueError, TypeError) as failure:
        return f"they cannot be checked: {failure}"[:SHOWN]
    if error is None:
        return ""
    where = ".".join(str(part) for part in error.absolute_path)
    return f"{where}: {error.message}"[:SHOWN] if where else error.message[:SHOWN]


def _counting() -> Any:
    """Return a kind of validator that gives up after MAX_STEPS."""
    left = MAX_STEPS

    def counted(check: Any) -> Any:
        def run(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
            nonlocal left
            left -= 1
            if left < 0:
                raise _TooMany
            yield from check(validator, value, instance, schema) or ()

        return run

    keywords = Draft202012Validator.VALIDATORS.items()
    return create(
        meta_schema=Draft202012Validator.META_SCHEMA,
        validators={name: counted(check) for name, check in keywords if name not in _NOT_EVALUATED},
        type_checker=Draft202012Validator.TYPE_CHECKER,
    )
