"""Checks arguments against a tool's JSON Schema (2020-12) without what could hang the program.

`pattern`, `patternProperties` and `uniqueItems` are not evaluated, references lead nowhere outside the schema, and the
steps of a check have a limit.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import create
from referencing import Registry

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.tools.arguments import refused

MAX_STEPS = 300_000
"""Keywords applied to values in one check, an entry of a list of choices being one too: about a second."""

LETTERS_A_STEP = 20
"""The library writes down whatever it refuses, in a text as long as that; so many letters count as a step."""

MAX_PROBLEMS = 5
MOST_MADE = 500
SHOWN = 120

_NOT_EVALUATED = ("pattern", "patternProperties", "uniqueItems", "unevaluatedProperties", "unevaluatedItems", "format")
_TYPES = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}


class ArgumentCheck:
    """Checks arguments; made once, since making it costs more than a check."""

    def __init__(self) -> None:
        self._steps = 0
        self._made: dict[int, Any] = {}
        keywords: dict[str, Any] = {
            name: self._counted(check)
            for name, check in {
                **Draft202012Validator.VALIDATORS,
                "additionalProperties": _additional_properties,
            }.items()
            if name not in _NOT_EVALUATED
        }
        self._kind = create(
            meta_schema=Draft202012Validator.META_SCHEMA,
            validators=keywords,
            type_checker=Draft202012Validator.TYPE_CHECKER,
        )

    def run(self, schema: dict[str, Json], arguments: Json) -> dict[str, Json]:
        """Return the arguments without those that are optional and `null`. Raises TOOL_ARGUMENTS, TOOL_FAILED."""
        if not isinstance(arguments, dict):
            raise refused("the arguments must be a JSON object.")
        given = _without_nulls(schema, arguments)
        self._steps = 0
        try:
            found = list(islice(self._validator(schema).iter_errors(given), MAX_PROBLEMS))
        except OverflowError as error:
            raise refused("a number is too large to be checked.") from error
        except Exception as error:  # whatever a schema from outside makes the validator stumble over
            detail = "the tool's own input schema is broken; the tool cannot be used"
            raise NotochordError(Code.TOOL_FAILED, Fault.GUEST, detail) from error
        if found:
            problems = "; ".join(dict.fromkeys(_sentence(error, schema) for error in found))
            told = f"{problems}. The tool did not run. Call it again with correct arguments."
            raise NotochordError(Code.TOOL_ARGUMENTS, Fault.MODEL, told, problem=problems, why="why.arguments")
        return given

    def _validator(self, schema: dict[str, Json]) -> Any:
        """Return the validator of this very schema, made once; it holds the schema, so no other gets its number."""
        made = self._made.get(id(schema))
        if made is None:
            if len(self._made) >= MOST_MADE:
                self._made.clear()
            registry: Registry[Any] = Registry()
            made = self._made[id(schema)] = self._kind(schema, registry=registry)
        return made

    def _counted(self, check: Any) -> Any:
        def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
            self._step(1 + (len(value) if isinstance(value, list) else 0))
            for error in check(validator, value, instance, schema) or ():
                self._step(len(error.message) // LETTERS_A_STEP)
                yield error

        return counted

    def _step(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise RecursionError("too many steps")


def _without_nulls(schema: dict[str, Json], arguments: dict[str, Json]) -> dict[str, Json]:
    known, required = schema.get("properties"), schema.get("required")
    optional = set(known if isinstance(known, dict) else ()) - {
        name for name in (required if isinstance(required, list) else ()) if isinstance(name, str)
    }
    return {name: value for name, value in arguments.items() if value is not None or name not in optional}


def _additional_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Judge properties by name alone; where patterns name some, only those patterns could tell, so none is judged."""
    if not isinstance(instance, dict) or "patternProperties" in schema:
        return
    for name in instance.keys() - schema.get("properties", {}).keys():
        if allowed is False:
            yield ValidationError(name)
        elif isinstance(allowed, dict):
            yield from validator.descend(instance[name], allowed, path=name)


def _sentence(error: ValidationError, schema: Mapping[str, Any]) -> str:
    where = _where(error)
    match error.validator:
        case "additionalProperties":
            inner = error.schema if isinstance(error.schema, Mapping) else schema
            properties = inner.get("properties")
            names = ", ".join(properties) if isinstance(properties, dict) and properties else "none"
            return f"{where} has no {_short(error.message)}; it takes: {names}"[: 4 * SHOWN]
        case "required":
            return f"{where}: {_short(error.message)}"
        case "type":
            wanted = error.validator_value
            names = " or ".join(wanted) if isinstance(wanted, list) else str(wanted)
            got = "null" if error.instance is None else _TYPES.get(type(error.instance), "something else")
            return f"{where} must be of type {names}, not {got}"
        case "enum":
            return f"{where} must be one of {_short(error.validator_value)}, not {_short(error.instance)}"
        case _:
            return f"{where} does not fit {error.validator}: {_short(error.validator_value)}"


def _where(error: ValidationError) -> str:
    path = ".".join(str(part) for part in error.absolute_path)
    return f'argument "{path[:SHOWN]}"' if path else "the call"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
