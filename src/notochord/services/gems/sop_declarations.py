"""Checks the SOPs that a manifest declares: their triggers and limits, and the calls that their code makes (step 6)."""

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from notochord.core.codes import Code
from notochord.core.cron import parse
from notochord.core.errors import Parameter
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.input_schemas import compile_schema
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.problems import problem
from notochord.services.gems.sop_arguments import arguments_fault
from notochord.services.gems.sop_records import (
    CALLS_RANGE,
    DURATION_RANGE,
    ENTRY_SUFFIXES,
    EVENTS,
    FOLDER,
    SopRecord,
    TriggerKind,
)
from notochord.services.gems.sop_scan import MAX_BYTES, Finding, SopSource, scan

SERVICES = frozenset({
    *("storage.kv.get", "storage.kv.set", "storage.sql.query", "storage.sql.insert"),
    *("wait.approval", "wait.sleep"),
})  # fmt: skip
"""What an SOP may call of the platform; the rest of it is reached through tools (SOP-110, SOP-111)."""

MAX_TARGETS = 10
"""How many faulty targets of one file are told of."""

MAX_FAULTY = 10
"""After so many files that cannot be accepted no further one is read: each may take a second."""

_DETAILS: Mapping[str, str] = {
    "size": f"over {MAX_BYTES} bytes",
    "utf8": "not UTF-8 text",
    "costly": "the code cannot be read within its bounds",
    "syntax": "the code cannot be read",
    "default": "the code has to export a function by default",
    "parameters": "the function's parameters have to be plain names, such as (input, ctx)",
    "import": "an SOP is one file, which imports nothing",
    "escape": "a name is written with an escape",
    "hidden": "it can hide what is called",
    "context": "the context may only be used as in ctx.call('tool.name', {})",
    "dynamic": "what is called has to be a literal text",
}


def sop_problems(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    """Find what is wrong with the SOPs and with the files below `workflows/` (PKG-041, PKG-042)."""
    for sop in manifest.sops:
        where = f"workflows.{sop.name}"
        yield from _schema_problems(sop, where)
        yield from _trigger_problems(sop, f"{where}.trigger")
        yield from _limit_problems(sop, f"{where}.limits")
        if not _has_entry(sop, manifest):
            detail = f"{sop.entry!r} is no .js, .mjs or .ts file of the package below {FOLDER}"
            yield _problem("sop_entry", f"{where}.entry", detail, entry=sop.entry)
    for entry, source in _sources(manifest, folder).items():
        for found in source.findings:
            yield _of_finding(found, entry)
        yield from islice(_target_problems(source, entry, manifest), MAX_TARGETS)
    entries = {sop.entry for sop in manifest.sops}
    for path in sorted(path for path in manifest.files if path.startswith(FOLDER) and path not in entries):
        yield _problem("sop_unlisted", path, "the file of no SOP of the manifest")


def calls_of(manifest: Manifest, folder: Path) -> dict[str, tuple[str, ...]]:
    """Return what each SOP calls, by its name, of a package that `sop_problems` accepted (SOP-112)."""
    sources = _sources(manifest, folder)
    return {sop.name: tuple(sorted(sources[sop.entry].calls)) for sop in manifest.sops}


def _sources(manifest: Manifest, folder: Path) -> dict[str, SopSource]:
    """Read each file once, of which no more than what is looked at; after MAX_FAULTY the rest is left out."""
    found: dict[str, SopSource] = {}
    for sop in manifest.sops:
        if sum(1 for one in found.values() if one.findings) >= MAX_FAULTY:
            break
        if sop.entry not in found and _has_entry(sop, manifest):
            with (folder / sop.entry).open("rb") as file:
                found[sop.entry] = scan(file.read(MAX_BYTES + 1), typescript=sop.entry.endswith(".ts"))
    return found


def _has_entry(sop: SopRecord, manifest: Manifest) -> bool:
    in_folder = sop.entry.startswith(FOLDER) and sop.entry in manifest.files
    return in_folder and Path(sop.entry).suffix in ENTRY_SUFFIXES


def _of_finding(found: Finding, entry: str) -> Problem:
    detail = _DETAILS[found.kind] + (f": {found.what}" if found.what else "")
    if found.kind == "utf8":
        return _problem("not_utf8", entry, detail)
    if found.kind == "costly":
        return _problem("sop_costly", entry, detail)
    if found.kind == "size":
        return _problem("sop_size", entry, detail, limit=MAX_BYTES)
    return _problem(f"sop_{found.kind}", entry, f"line {found.line}: {detail}", line=found.line, what=found.what)


def _target_problems(source: SopSource, entry: str, manifest: Manifest) -> Iterator[Problem]:
    sops = {sop.name for sop in manifest.sops}
    known = SERVICES | {f"tool.{tool.name}" for tool in manifest.tools}
    known |= {f"agent.{agent.name}" for agent in manifest.agents}
    for target, line in source.calls.items():
        if target not in known:
            fault, said = _target_fault(target, sops)
            detail = f"line {line}: {target[:200]!r}: {said}"
            yield _problem(fault, entry, detail, line=line, target=target[:200])


def _target_fault(target: str, sops: Collection[str]) -> tuple[str, str]:
    kind, _, name = target.partition(".")
    if kind == "gem":
        return "sop_calls_gem", "an SOP cannot call another gem"
    if kind in {"sop", "workflow"} or (kind == "tool" and name in sops):
        return "sop_calls_sop", "an SOP cannot call another SOP"
    return "sop_target", "there is nothing of this name that an SOP can call"


def _schema_problems(sop: SopRecord, where: str) -> Iterator[Problem]:
    """Check both schemas, and the fixed arguments of a schedule against that of the input."""
    try:
        compiled = compile_schema(sop.schema)
    except ValueError as error:
        yield _problem("input_schema", f"{where}.inputSchema", str(error), reason=str(error))
    else:
        if sop.trigger.arguments is not None and (reason := arguments_fault(compiled, sop.trigger.arguments)):
            detail = f"the arguments do not satisfy the input schema: {reason}"
            yield problem("sop_args", f"{where}.trigger.args", detail, Code.INPUT_INVALID, reason=reason)
    try:
        Draft202012Validator.check_schema(sop.output_schema)
    except (SchemaError, RecursionError) as error:
        reason = getattr(error, "message", str(error))[:300]
        yield _problem("output_schema", f"{where}.outputSchema", f"does not compile: {reason}", reason=reason)


def _limit_problems(sop: SopRecord, where: str) -> Iterator[Problem]:
    for name, value, (low, high) in (
        ("maxDurationMs", sop.max_duration_ms, DURATION_RANGE),
        ("maxCalls", sop.max_calls, CALLS_RANGE),
    ):
        if not low <= value <= high:
            yield _problem("sop_limit", f"{where}.{name}", f"has to be {low} to {high}", low=low, high=high)


def _trigger_problems(sop: SopRecord, where: str) -> Iterator[Problem]:
    trigger = sop.trigger
    if trigger.kind is TriggerKind.CRON:
        if reason := _cron_fault(trigger.expression):
            detail = f"{sop.name} has a cron trigger that cannot be scheduled: {reason}"
            yield _problem("sop_cron", f"{where}.expr", detail, reason=reason)
    elif trigger.kind is TriggerKind.EVENT and trigger.source.startswith("gem:"):
        shown = trigger.when[:200]
        detail = f"{shown!r}: a gem cannot be triggered by another gem"
        yield _problem("sop_other_gem", where, detail, event=shown)
    elif trigger.kind is TriggerKind.EVENT and (trigger.source, trigger.event) not in EVENTS:
        shown = trigger.when[:200]
        known = ", ".join(sorted(".".join(event) for event in EVENTS))
        detail = f"{shown!r} is not an event the platform publishes"
        yield _problem("sop_event", where, detail, event=shown, known=known)


def _cron_fault(expression: str) -> str:
    try:
        return "" if parse(expression).comes_due else "it never comes due"
    except ValueError as error:
        return str(error)


def _problem(kind: str, path: str, detail: str, **parameters: Parameter) -> Problem:
    return problem(kind, path, detail, Code.WORKFLOW_INVALID, **parameters)
