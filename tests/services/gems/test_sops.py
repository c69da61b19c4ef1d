"""What a gem declares of its SOPs: checked when it is packed, checked and installed, and told of afterwards."""

from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.api import GemProcedure, GemRights
from notochord.services.gems.checks import finish, open_package
from notochord.services.gems.draft_manifest import from_package, to_package
from notochord.services.gems.sop_declarations import MAX_FAULTY
from support.drafts import draft_manifest, export, written_draft
from support.gems import (
    FAULTS,
    FILES,
    SOP_FILE,
    TRUSTED,
    PackageMaker,
    Platform,
    manifest,
    platform,
    rezipped,
    sop,
    tool,
)
from support.mail import TestMail
from support.vaults import MemoryVault
from support.workshops import checked_draft, made_workshop

MAIL = {"type": "event", "source": "email", "name": "onNewMessage"}
AGENT = {"agents/helper.md": "---\ndescription: Helps.\n---\nYou help."}
LIMIT = {"type": "object", "required": ["limit"], "properties": {"limit": {"type": "integer"}}}


def cron(expr: str, **more: Any) -> dict[str, Any]:
    return {"type": "cron", "expr": expr, **more}


def code(*targets: str) -> dict[str, str]:
    """Return the file of an SOP that calls these."""
    calls = "\n".join(f"  await ctx.call('{target}', {{}})" for target in targets)
    return {"workflows/digest.js": f"export default async function (input, ctx) {{\n{calls}\n}}\n"}


def installing(folder: Path, content: dict[str, Any], files: dict[str, str]) -> tuple[Code | None, str]:
    """Return how the six checks end for a package that nobody checked when it was packed."""
    package = PackageMaker(folder / "made").make(content, {**FILES, **files}, key=None)
    scratch = folder / "scratch"
    scratch.mkdir()
    try:
        finish(open_package(package, scratch, TRUSTED), None, FAULTS, allow_unsigned=True)
    except NotochordError as error:
        return error.code, error.detail
    return None, ""


def checking(folder: Path, content: dict[str, Any], files: dict[str, str]) -> list[Problem]:
    """Return what is told to the author of a draft that means the same."""
    draft = written_draft(folder / "draft", from_package(content), {**FILES, **files})
    (draft / "tools/greet.ts").write_text(FILES["tools/greet.ts"])
    return checked_draft(draft)


def refused(folder: Path, entry: dict[str, Any], files: dict[str, str] | None = None) -> tuple[Code | None, str]:
    """Return how a gem with one SOP is refused, which has to be the same at packing and at installing."""
    content = manifest(workflows=[entry])
    told = checking(folder, content, files or dict(SOP_FILE))
    code, detail = installing(folder, content, files or dict(SOP_FILE))
    assert [one.code for one in told[:1]] == ([] if code is None else [code])
    assert [one for one in told if one.detail not in detail] == []
    return code, detail


@pytest.mark.req("GEM-004", "STUDIO-062", "STUDIO-064", "SOP-010")
async def test_a_draft_with_an_sop_is_packed_and_installed(
    notochord: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    trigger = cron("0 8 * * *", args={"limit": 20})
    limits = {"maxDurationMs": 60_000, "maxCalls": 50}
    digest: dict[str, Any] = {"name": "digest", "kind": "sop", "entry": "workflows/digest.ts"}
    digest |= {"description": "Sums up."}
    digest |= {"input_schema": LIMIT, "output_schema": {}, "trigger": trigger, "limits": limits, "expose": True}
    typed = "export default async (input: { limit: number }, ctx: Sop) => await ctx.call<string>('tool.greet', input)\n"
    files = {"workflows/digest.ts": "interface Sop { call<T>(name: string, given: unknown): Promise<T> }\n" + typed}
    content = draft_manifest(exports=[export(), digest])
    draft = written_draft(tmp_path / "draft", content, files)
    workshop = made_workshop()
    assert await workshop.check(draft) == []
    packed = await workshop.pack(draft)
    await notochord.service.install(packed.package, allow_unsigned=True)
    found = (await notochord.service.dossiers.get("greeter")).procedures
    assert found == (GemProcedure("digest", "Sums up.", "cron", "0 8 * * *", ("tool.greet",)),)
    assert to_package(content)["workflows"] == [
        {
            **{"name": "digest", "entry": "workflows/digest.ts", "description": "Sums up.", "expose": True},
            **{"inputSchema": LIMIT, "outputSchema": {}, "trigger": trigger, "limits": limits},
        }
    ]


@pytest.mark.req("SOP-008", "SOP-009", "SOP-011")
@pytest.mark.parametrize(
    "entry", [sop(), sop(trigger={"type": "manual"}), sop(trigger=cron("*/5 * * * *")), sop(trigger=MAIL)]
)
def test_each_trigger_is_accepted(tmp_path: Path, entry: dict[str, Any]) -> None:
    assert refused(tmp_path, entry) == (None, "")


@pytest.mark.req("PKG-023", "SOP-008")
@pytest.mark.parametrize(
    ("trigger", "named"),
    [
        ({"type": "webhook"}, "trigger.type"),
        ({}, "'type' is a required property"),
        ([cron("0 8 * * *"), MAIL], "trigger"),
        (cron("0 8 * * *", zone="UTC"), "'zone' was unexpected"),
        ({"type": "cron"}, "'expr' is a required property"),
        ({"type": "manual", "expr": "0 8 * * *"}, "'expr' was unexpected"),
        ({**MAIL, "args": {}}, "'args' was unexpected"),
        ({"type": "event", "source": "email"}, "'name' is a required property"),
        (cron("0 8 * * *", args=[]), "trigger.args"),
        (cron("0" * 300), "trigger.expr"),
    ],
)
def test_a_trigger_of_another_form_is_refused_with_the_manifest(tmp_path: Path, trigger: Any, named: str) -> None:
    found, detail = refused(tmp_path, sop(trigger=trigger))
    assert (found, named in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("SOP-047", "SOP-048", "SOP-156", "PKG-042")
@pytest.mark.parametrize("expr", ["@daily", "0 8 * * 7", "0 8 * * MON", "0 8 * *", "5/10 * * * *", ""])
def test_a_schedule_that_cannot_be_read_is_refused(tmp_path: Path, expr: str) -> None:
    found, detail = refused(tmp_path, sop(trigger=cron(expr)))
    assert (found, "has a cron trigger that cannot be scheduled" in detail) == (Code.WORKFLOW_INVALID, True)


@pytest.mark.req("SOP-049", "SOP-050", "SOP-157")
def test_a_schedule_that_never_comes_due_is_refused(tmp_path: Path) -> None:
    found, detail = refused(tmp_path, sop(trigger=cron("0 8 31 2 *")))
    assert (found, "has a cron trigger that cannot be scheduled" in detail) == (Code.WORKFLOW_INVALID, True)


@pytest.mark.req("SOP-067", "SOP-068", "SOP-154", "PKG-051")
@pytest.mark.parametrize(
    "event",
    [
        *(("email", "onnewmessage"), ("mail", "onNewMessage"), ("", "")),
        *(("knowledge", "document.changed"), ("gem", "uninstalling")),
    ],
)
def test_an_event_that_is_not_published_is_refused(tmp_path: Path, event: tuple[str, str]) -> None:
    source, name = event
    found, detail = refused(tmp_path, sop(trigger={"type": "event", "source": source, "name": name}))
    assert (found, "is not an event the platform publishes" in detail) == (Code.WORKFLOW_INVALID, True)


@pytest.mark.req("SOP-069", "SOP-070", "SOP-155")
def test_a_trigger_of_another_gem_is_refused(tmp_path: Path) -> None:
    found, detail = refused(tmp_path, sop(trigger={"type": "event", "source": "gem:other", "name": "onNewMessage"}))
    assert (found, "a gem cannot be triggered by another gem" in detail) == (Code.WORKFLOW_INVALID, True)


@pytest.mark.req("SOP-053", "SOP-054", "SOP-158")
@pytest.mark.parametrize("more", [{}, {"args": {}}, {"args": {"limit": "20"}}, {"args": {"text": "x" * 70_000}}])
def test_arguments_that_no_scheduled_run_could_start_with_are_refused(tmp_path: Path, more: dict[str, Any]) -> None:
    found, detail = refused(tmp_path, sop(trigger=cron("0 8 * * *", **more), inputSchema=LIMIT))
    assert (found, "do not satisfy the input schema" in detail) == (Code.INPUT_INVALID, True)


SELF = {"$ref": "#/$defs/any"}
HARD = {
    "type": "object",
    "additionalProperties": {"items": {"anyOf": [{"const": number} for number in range(300)]}},
}
"""A schema that takes long to say no."""


@pytest.mark.parametrize(
    ("schema", "given"),
    [
        (HARD, {"list": [299] * 300}),
        ({"type": "object", "properties": {"n": {"multipleOf": 1e-308}}}, {"n": 1e308}),
        ({"type": "object", "$defs": {"any": {"anyOf": [SELF, SELF]}}, "properties": {"n": SELF}}, {"n": 1}),
    ],
)
def test_arguments_that_take_for_ever_to_check_end_in_an_answer(
    tmp_path: Path, schema: dict[str, Any], given: dict[str, Any]
) -> None:
    found, _ = refused(tmp_path, sop(trigger=cron("0 8 * * *", args=given), inputSchema=schema))
    assert found in {Code.INPUT_INVALID, Code.WORKFLOW_INVALID, None}


@pytest.mark.req("SOP-053", "SOP-052")
def test_arguments_that_satisfy_the_schema_are_accepted_and_none_are_needed_without_one(tmp_path: Path) -> None:
    given = sop(trigger=cron("0 8 * * *", args={"limit": 20}), inputSchema=LIMIT)
    assert refused(tmp_path / "given", given) == (None, "")
    assert refused(tmp_path / "none", sop(trigger=cron("0 8 * * *"))) == (None, "")


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        ({"maxDurationMs": 1_000, "maxCalls": 1}, None),
        ({"maxDurationMs": 86_400_000, "maxCalls": 10_000}, None),
        ({"maxDurationMs": 999}, Code.WORKFLOW_INVALID),
        ({"maxDurationMs": 86_400_001}, Code.WORKFLOW_INVALID),
        ({"maxCalls": 0}, Code.WORKFLOW_INVALID),
        ({"maxCalls": 10_001}, Code.WORKFLOW_INVALID),
        ({"maxCalls": 1e300}, Code.WORKFLOW_INVALID),
        ({"maxCalls": 1.5}, Code.PERM_INVALID),
        ({"maxSteps": 5}, Code.PERM_INVALID),
    ],
)
def test_limits_are_within_their_bounds(tmp_path: Path, limits: dict[str, Any], found: Code | None) -> None:
    assert refused(tmp_path, sop(limits=limits))[0] == found


@pytest.mark.parametrize(
    "change",
    [
        {"inputSchema": {"type": "thing"}},
        {"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "pattern": "a"}}}},
        {"outputSchema": {"type": "thing"}},
    ],
)
def test_the_schemas_of_an_sop_have_to_be_schemas(tmp_path: Path, change: dict[str, Any]) -> None:
    assert refused(tmp_path, sop(**change))[0] is Code.WORKFLOW_INVALID


@pytest.mark.req("GEM-004")
@pytest.mark.parametrize(
    "entry", ["workflows/none.js", "tools/greet.ts", "../digest.js", "workflows/digest.py", "workflows"]
)
def test_the_code_of_an_sop_lies_in_its_folder(tmp_path: Path, entry: str) -> None:
    files = {**SOP_FILE, "workflows/digest.py": ""} if entry.endswith(".py") else dict(SOP_FILE)
    found, detail = refused(tmp_path, sop(entry=entry), files)
    assert (found, "workflows.digest.entry" in detail) == (Code.WORKFLOW_INVALID, True)


def test_a_file_that_belongs_to_no_sop_is_refused(tmp_path: Path) -> None:
    found, detail = refused(tmp_path, sop(), {**SOP_FILE, "workflows/lib/more.js": "export const a = 1;"})
    assert (found, "workflows/lib/more.js" in detail) == (Code.WORKFLOW_INVALID, True)
    assert installing(tmp_path / "none", manifest(), dict(SOP_FILE))[0] is Code.WORKFLOW_INVALID


@pytest.mark.req("SOP-110", "SOP-111", "DATA-414", "DATA-421")
def test_tools_agents_and_the_services_of_the_platform_may_be_called(tmp_path: Path) -> None:
    services = (
        "storage.kv.get",
        "storage.kv.set",
        "storage.sql.query",
        "storage.sql.insert",
        "wait.approval",
        "wait.sleep",
    )
    files = {**code("tool.greet", "agent.helper", *services), **AGENT}
    assert refused(tmp_path, sop(), files) == (None, "")


@pytest.mark.req("PKG-041", "SOP-029", "SOP-030")
@pytest.mark.parametrize(
    ("target", "said"),
    [
        *(("tool.none", "nothing of this name"), ("agent.none", "nothing of this name"), ("tool.helper", "nothing of")),
        *(("agent.greet", "nothing of this name"), ("greet", "nothing of this name"), ("", "nothing of this name")),
        *(("storage.kv.delete", "nothing of this name"), ("wait", "nothing of"), ("tool.__proto__", "nothing of this")),
        *(
            ("storage.sql.execute", "nothing of this name"),
            ("tool.greet ", "nothing of"),
            ("llm.complete", "nothing of"),
        ),
        *(("tool.digest", "cannot call another SOP"), ("sop.digest", "cannot call another SOP")),
        *(("gem.other.greet", "cannot call another gem"), ("gem.greeter.greet", "cannot call another gem")),
    ],
)
def test_nothing_else_may_be_called(tmp_path: Path, target: str, said: str) -> None:
    found, detail = refused(tmp_path, sop(), {**code("tool.greet", target), **AGENT})
    assert (found, said in detail, "workflows/digest.js: line 3" in detail) == (Code.WORKFLOW_INVALID, True, True)


@pytest.mark.req("PKG-041", "PKG-051")
@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "export default async (input, ctx) => ctx.call('tool.' + input.name)",
            "line 1: what is called has to be a lite",
        ),
        ("export default async (input, ctx) => {", "line 1: the code cannot be read"),
        ("export const run = 1", "has to export a function by default"),
        ("x" * 65_537, "over 65536 bytes"),
        ("case a:" * 9_000, "cannot be read within its bounds"),
    ],
)
def test_code_that_the_scan_refuses_is_refused_with_its_line(tmp_path: Path, source: str, said: str) -> None:
    found, detail = refused(tmp_path, sop(), {"workflows/digest.js": source})
    assert (found, said in detail) == (Code.WORKFLOW_INVALID, True)


def test_after_some_files_that_are_refused_no_further_one_is_read(tmp_path: Path) -> None:
    numbers = range(MAX_FAULTY + 5)
    entries = [{**sop(), "name": f"one{number}", "entry": f"workflows/{number}.js"} for number in numbers]
    files = {f"workflows/{number}.js": "case a:" for number in numbers}
    told = [one.kind for one in checking(tmp_path, manifest(workflows=entries), files)]
    assert told == ["sop_syntax"] * MAX_FAULTY


def test_code_that_is_no_text_is_refused(tmp_path: Path) -> None:
    draft = written_draft(tmp_path / "draft", from_package(manifest(workflows=[sop()])), dict(SOP_FILE))
    (draft / "workflows/digest.js").write_bytes(b"\xff\xfe\x00")
    assert [(one.code, one.kind, one.path) for one in checked_draft(draft)] == [
        (Code.WORKFLOW_INVALID, "not_utf8", "workflows/digest.js")
    ]


@pytest.mark.req("GEM-087", "GEM-090", "GEM-093", "GEM-080")
def test_sops_share_names_and_the_number_of_exposed_items_with_tools_and_agents(tmp_path: Path) -> None:
    agent = {"agents/helper.md": AGENT["agents/helper.md"].replace("Helps.", "Helps.\nexpose: true")}
    tools = [tool(f"greet{number}") for number in range(3)]

    def found(name: str, *sops: dict[str, Any]) -> list[str]:
        content = manifest(tools=tools, workflows=list(sops))
        files = {**SOP_FILE, **agent, "workflows/digest.js": code("tool.greet1")["workflows/digest.js"]}
        told = [one.kind for one in checking(tmp_path / name, content, files)]
        assert (installing(tmp_path / name, content, files)[0] is None) is (told == [])
        return told

    assert found("five", sop(expose=True), sop("more")) == []
    assert found("six", sop(expose=True), sop("more", expose=True)) == ["exposed_too_many"]
    assert found("tool", sop("greet1")) == ["item_repeated"]
    assert found("agent", sop("helper")) == ["item_repeated"]
    assert found("sop", sop(), sop()) == ["item_repeated"]


@pytest.mark.req("PKG-023", "STUDIO-062")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"permissions": ["network"]}, "permissions"),
        ({"side_effect": "read"}, "side_effect"),
        ({"kind": "tool", "trigger": MAIL}, "trigger"),
        ({"kind": "tool", "limits": {}}, "limits"),
    ],
)
def test_a_field_of_the_other_kind_is_refused_and_not_left_out(
    tmp_path: Path, change: dict[str, Any], field: str
) -> None:
    entry = {"name": "digest", "kind": "sop", "entry": "workflows/digest.js", "description": "Sums up.", **change}
    draft = written_draft(tmp_path, draft_manifest(exports=[export(), entry]), dict(SOP_FILE))
    (told, *_) = checked_draft(draft)
    assert (told.path, told.kind, told.parameters) == ("exports.1", "unknown_field", {"field": field})


def test_what_follows_from_another_problem_is_not_told(tmp_path: Path) -> None:
    """An SOP without a description is a problem; that its file belongs to no SOP then is none."""
    entry = {"name": "digest", "kind": "sop", "entry": "workflows/digest.js"}
    draft = written_draft(tmp_path / "sop", draft_manifest(exports=[export(), entry]), dict(SOP_FILE))
    assert [one.kind for one in checked_draft(draft)] == ["missing_field"]
    whole = {**entry, "description": "Sums up."}
    content = draft_manifest(exports=[export(entry=""), whole])
    assert [one.path for one in checked_draft(written_draft(tmp_path / "tool", content, dict(SOP_FILE)))] == [
        "exports.0.entry"
    ]
    files = {**code("agent.helper"), "agents/helper.md": "no header"}
    draft = written_draft(tmp_path / "agent", draft_manifest(exports=[export(), whole]), files)
    assert [one.kind for one in checked_draft(draft)] == ["agent_header"]


def test_a_problem_of_an_sop_stands_at_its_place_in_the_draft(tmp_path: Path) -> None:
    entry = {"name": "digest", "kind": "sop", "entry": "workflows/digest.js", "description": "Sums up."}
    content = draft_manifest(exports=[export(), {**entry, "trigger": cron("@daily"), "limits": {"maxCalls": 0}}])
    told = checked_draft(written_draft(tmp_path, content, dict(SOP_FILE)))
    assert [(one.path, one.kind) for one in told] == [
        ("exports.1.trigger.expr", "sop_cron"),
        ("exports.1.limits.maxCalls", "sop_limit"),
    ]


@pytest.mark.req("PKG-014", "PKG-015")
async def test_the_sops_are_looked_at_after_the_files_are_known_to_be_whole(
    notochord: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    good = packages.make(manifest(workflows=[sop()]), {**FILES, **SOP_FILE})
    changed = packages.make(manifest(workflows=[sop()]), {**FILES, **code("tool.none")})
    with pytest.raises(NotochordError) as caught:
        await notochord.service.install(changed)
    assert caught.value.code is Code.WORKFLOW_INVALID
    assert await notochord.service.all() == ()
    tampered = rezipped(good.read_bytes(), lambda files: files.update({"workflows/digest.js": b"ctx.call(1)"}))
    with pytest.raises(NotochordError) as caught:
        await notochord.service.install(packages.keep(tampered))
    assert caught.value.code is Code.SIZE_MISMATCH


@pytest.mark.req("PKG-075", "PKG-082")
async def test_a_changed_file_of_an_sop_stops_the_gem(
    notochord: Platform, packages: PackageMaker, tmp_path: Path
) -> None:
    await notochord.service.install(packages.make(manifest(workflows=[sop()]), {**FILES, **SOP_FILE}))
    (file,) = (tmp_path / "org").rglob("workflows/digest.js")
    file.chmod(0o600)
    file.write_text(code("tool.greet", "storage.kv.set")["workflows/digest.js"])
    found = await notochord.service.dossiers.verify("greeter")
    assert (found.gem.state, found.changed_file) == (Code.FILES_CHANGED, "workflows/digest.js")
    assert [one.calls for one in found.procedures] == [("tool.greet",)], "what was found at the installation stays"


@pytest.mark.req("SOP-112", "SOP-113", "GEM-042")
async def test_what_is_called_is_recorded_with_each_version_and_goes_with_the_gem(
    packages: PackageMaker, tmp_path: Path
) -> None:
    vault = MemoryVault()
    second = packages.make(manifest(version="2.0.0", workflows=[sop()]), {**FILES, **code("wait.sleep", "tool.greet")})
    async with platform(tmp_path / "org", vault=vault) as made:
        await made.service.install(packages.make(manifest(workflows=[sop()]), {**FILES, **SOP_FILE}))
        await made.service.install(second)
    async with platform(tmp_path / "org", vault=vault) as made:
        (procedure,) = (await made.service.dossiers.get("greeter")).procedures
        assert procedure.calls == ("tool.greet", "wait.sleep")
        await made.service.remove("greeter")
        await made.service.install(packages.make(manifest(version="3.0.0", workflows=[sop()]), {**FILES, **code()}))
        (procedure,) = (await made.service.dossiers.get("greeter")).procedures
        assert procedure.calls == ()


@pytest.mark.req("SOP-092", "SOP-148", "GEMUI-029")
async def test_the_mailboxes_that_start_an_sop_are_chosen_like_those_that_tools_read(
    packages: PackageMaker, tmp_path: Path
) -> None:
    mail = TestMail()
    async with platform(tmp_path / "org", mail=mail) as made:
        await made.service.install(packages.make(manifest(workflows=[sop(trigger=MAIL)]), {**FILES, **SOP_FILE}))
        grants = made.service.grants
        assert await grants.rights("greeter") == GemRights(reads_mail=True, works_alone=True)
        await grants.choose_mailboxes("greeter", (), every=True)
        assert (await grants.rights("greeter")).every_mailbox
        later = manifest(version="2.0.0", workflows=[sop()])
        await made.service.install(packages.make(later, {**FILES, **SOP_FILE}))
        assert await grants.rights("greeter") == GemRights()


async def test_an_exposed_sop_is_offered_to_nobody_while_none_runs(notochord: Platform, packages: PackageMaker) -> None:
    content = manifest(tools=[tool(expose=False)], workflows=[sop(expose=True)])
    await notochord.service.install(packages.make(content, {**FILES, **SOP_FILE}))
    (gem,) = await notochord.service.all()
    assert [one.exposed for one in gem.tools] == [False]


def test_a_package_becomes_a_draft_that_packs_to_it_again(tmp_path: Path) -> None:
    content = manifest(workflows=[sop(trigger=cron("0 8 * * *", args={}), limits={"maxCalls": 5}, expose=True)])
    assert to_package(from_package(content))["workflows"] == content["workflows"]
