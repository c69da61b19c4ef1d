"""Compares a declaration with what is stored: what may change within one version, and what needs a migration."""

from collections.abc import Iterator

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.data.declaration import Collection, Field, Log, Table


def check_change(stored: Collection, declared: Collection) -> bool:
    """Return whether a migration is needed. Raises DATA_SCHEMA for a change that the rules do not allow."""
    if isinstance(stored, Log) or isinstance(declared, Log):
        if type(stored) is not type(declared):
            raise schema_error(f"{declared.name}: the kind of a collection cannot be changed")
        return False
    if declared.version < stored.version:
        raise schema_error(
            f"{declared.name}: the stored data has version {stored.version}, the manifest declares {declared.version}"
        )
    if declared.version > stored.version:
        return True
    faults = list(_narrowed(stored, declared))
    if faults:
        told = "; ".join(faults[:8])
        raise schema_error(f"{declared.name}: {told}: this needs a higher version and a migration")
    return False


def schema_error(detail: str) -> NotochordError:
    return NotochordError(Code.DATA_SCHEMA, Fault.USER, detail, reason=detail)


def _narrowed(stored: Table, declared: Table) -> Iterator[str]:
    """Yield what the stored records might not fit any more."""
    for name, before in stored.fields.items():
        after = declared.fields.get(name)
        if after is None:
            yield f"the field {name} was removed"
        else:
            yield from _narrowed_field(before, after)
    for name, after in declared.fields.items():
        if name not in stored.fields and after.required:
            yield f"the required field {name} was added"


def _narrowed_field(before: Field, after: Field) -> Iterator[str]:
    if before.type is not after.type:
        yield f"the type of {before.name} was changed"
    if before.to != after.to:
        yield f"the target of {before.name} was changed"
    if before.items is not after.items:
        yield f"the items of {before.name} were changed"
    if after.required and not before.required:
        yield f"{before.name} was made required"
    if after.values is not None:
        if before.values is None:
            yield f"{before.name} was given an enum"
        elif not set(before.values) <= set(after.values):
            yield f"the enum of {before.name} was narrowed"
