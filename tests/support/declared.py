"""What the schemas that ship say about a `data` section, to be compared with what its parser says."""

import json
import re
from functools import cache
from typing import Final, Literal

from jsonschema import Draft202012Validator

from notochord.core.paths import shipped
from notochord.core.strict_json import Json

BEYOND_A_SCHEMA: Final = re.compile(r"is not a table of this manifest$|is not a scalar field of ")
"""The faults that no JSON Schema can tell, since they compare two places of a section."""


def told_by(schema: Literal["manifest", "notochord"], declared: Json) -> list[str]:
    """Return what the schema of drafts ("manifest") or of packages says against a section."""
    return [error.message for error in _validator(schema).iter_errors(declared)]


@cache
def _validator(name: str) -> Draft202012Validator:
    whole = json.loads((shipped("resources") / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator({**whole["properties"]["data"], "$defs": whole["$defs"]})
