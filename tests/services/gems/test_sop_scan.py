"""The scan of an SOP's code: what it finds, what it refuses, and that nothing hostile gets past or through it."""

import json
import subprocess
from pathlib import Path
from random import Random

import pytest
from deno import find_deno_bin
from hypothesis import given, settings
from hypothesis import strategies as st

from notochord.services.gems.sop_scan import MAX_BYTES, MAX_FINDINGS, SopSource, scan


def scanned(source: str, *, typescript: bool = False) -> SopSource:
    return scan(source.encode(), typescript=typescript)


def kinds(source: str, *, typescript: bool = False) -> list[tuple[str, int]]:
    return [(one.kind, one.line) for one in scanned(source, typescript=typescript).findings]


@pytest.mark.req("SOP-112", "DATA-421")
def test_the_target_of_each_call_is_found_with_the_line_of_the_first() -> None:
    source = """export default async function (input, ctx) {
  const mail = await ctx.call('tool.list', { limit: input.limit ?? 20 })
  for (const one of mail) await ctx.call("agent.helper", one)
  await Promise.all([1, 2].map((n) => ctx.call(`tool.list`, { n })))
  const last = await ctx.call('storage.kv.get', { key: 'last' })
  return { last, text: `${await ctx.call('wait.sleep', { ms: 1 })}` }
}"""
    found = scanned(source)
    assert found.findings == ()
    assert found.calls == {"tool.list": 2, "agent.helper": 3, "storage.kv.get": 5, "wait.sleep": 6}


@pytest.mark.req("SOP-012")
@pytest.mark.parametrize(
    "source",
    [
        "export default async function (input, ctx) { await ctx.call('tool.a', {}) }",
        "export default async function named(input, ctx) { await ctx.call('tool.a', {}) }",
        "export default async (input, ctx) => ctx.call('tool.a', {})",
        "export default async ({ limit }, context) => context.call('tool.a', { limit })",
        "async function run(input, ctx) { await ctx.call('tool.a') }\nexport default run",
        "const run = async (input, ctx) => ctx.call('tool.a')\nexport default run",
        "async function a(){}async function r(e,t){await t.call('tool.a')}export{a,r as default};",
        "export default async function (input, ctx) { await step(ctx, 1) }\n"
        "async function step(ctx, n) { return ctx.call('tool.a', { n }) }",
        "export default async function (input, ctx) { await step(1, ctx) }\n"
        "const step = async (n, ctx) => ctx?.call('tool.a', { n })",
        "\ufeff// call\n/* tool.b */ export default (i, ctx) => ctx /* x */ . call ( /* y */ 'tool.a' )",
    ],
)
def test_the_usual_ways_to_write_an_sop_are_read(source: str) -> None:
    for typescript in (False, True):
        found = scanned(source, typescript=typescript)
        assert (list(found.calls), found.findings) == (["tool.a"], ())


@pytest.mark.parametrize(
    "source",
    [
        "export default async function (input: { n: number }, ctx: SopContext): Promise<number> {\n"
        "  return (await ctx.call<number>('tool.a', { n: input.n as number }))!\n}",
        "import type { SopContext } from '../.notochord/notochord.d.ts'\n"
        "export default async (input: unknown, ctx: SopContext) => ctx.call('tool.a')",
        "export default (async (input, ctx) => { await ctx.call('tool.a') }) satisfies Sop",
        "export default async function (this: void, i: unknown, ctx: Sop) { await ctx.call<Array<string>>('tool.a') }",
        "interface Sop { call(name: string): Promise<unknown> }\n"
        "async function step(ctx: Sop, n?: number) { return await ctx.call('tool.a') }\n"
        "export default async (input: unknown, ctx: Sop) => { await step(ctx) }",
    ],
)
def test_typescript_is_read_with_its_types(source: str) -> None:
    found = scanned(source, typescript=True)
    assert (list(found.calls), found.findings) == (["tool.a"], ())


def body(text: str) -> str:
    return f"export default async function (input, ctx) {{ {text} }}"


HELPER = "\nfunction f(ctx) { return ctx.call('tool.a') }"

REFUSED = {
    "an alias of the context": (body("const c = ctx; await c.call('tool.a')"), "context"),
    "an alias of the call": (body("const call = ctx.call; await call('tool.a')"), "context"),
    "a bound call": (body("await ctx.call.bind(ctx)('tool.a')"), "context"),
    "a taken apart context": (body("const { call } = ctx; await call('tool.a')"), "context"),
    "a context in an object": (body("const o = { ctx }; await o.ctx.call('tool.a')"), "context"),
    "a context in a list": (body("await [ctx][0].call('tool.a')"), "context"),
    "a context that is given out": (body("globalThis.c = ctx"), "context"),
    "a context in a closure": (body("const f = () => ctx; await f().call('tool.a')"), "context"),
    "a context for an unknown function": (body("await other(ctx)"), "context"),
    "a context for a method": (body("await input.f(ctx)"), "context"),
    "a context under another name": (
        body("await f(ctx)") + "\nasync function f(c) { await c.call('tool.a') }",
        "context",
    ),
    "a context at another place": (body("await f(1, ctx)") + "\nasync function f(ctx, c) { c.call('x') }", "context"),
    "a context after a spread": (body("await f(...input, ctx)") + "\nasync function f(a, ctx) { }", "context"),
    "a function hidden by a loop": (body("for (const f of [input.f]) f(ctx)") + HELPER, "context"),
    "a function hidden by a name": (body("let f = (0, input.f); f(ctx)") + HELPER, "context"),
    "a function hidden by parts": (body("const { f } = input; f(ctx)") + HELPER, "context"),
    "a function hidden by a parameter": (body("((f) => f(ctx))(input.f)") + HELPER, "context"),
    "a function hidden by an error": (body("try { throw input.f } catch (f) { f(ctx) }") + HELPER, "context"),
    "a function hidden by a class": (body("{ class f { } f(ctx) }") + HELPER, "context"),
    "a function hidden by an expression": (body("(function f() { })(); f(ctx)") + HELPER, "context"),
    "a replaced function": (body("f = input.f; f(ctx)") + HELPER, "context"),
    "a script": ("#!\u2028 ctx.call('tool.a')\n" + body(""), "hidden"),
    "a function of two definitions": (
        body("await f(ctx)") + "\nfunction f(ctx) { }\n{ var f = (c) => c.call('tool.a') }",
        "context",
    ),
    "a new context": (body("ctx = input.other; await ctx.call('tool.a')"), "context"),
    "a computed call": (body("await ctx['call']('tool.a')"), "context"),
    "a built call": (body("await ctx['ca' + 'll']('tool.a')"), "context"),
    "a tagged template": (body("await ctx.call`tool.a`"), "context"),
    "another member": (body("await ctx.data.get('x')"), "context"),
    "a built target": (body("await ctx.call('tool.' + input.name)"), "dynamic"),
    "a target of parts": (body("await ctx.call(`tool.${input.name}`)"), "dynamic"),
    "a target in a variable": (body("await ctx.call(input.name)"), "dynamic"),
    "a target of two": (body("await ctx.call(input.a ? 'tool.a' : 'tool.b')"), "dynamic"),
    "a target in parentheses": (body("await ctx.call(('tool.a', 'tool.b'))"), "dynamic"),
    "a target with an escape": (body(r"await ctx.call('tool.\x61')"), "dynamic"),
    "a spread target": (body("await ctx.call(...['tool.a'])"), "dynamic"),
    "no target": (body("await ctx.call()"), "dynamic"),
    "an escape in the context": (body(r"await c\u0074x.call('tool.a')"), "escape"),
    "a long escape in the context": (body(r"await c\u{74}x.call('tool.a')"), "escape"),
    "an escape in the call": (body(r"await ctx.c\u0061ll('tool.a')"), "context"),
    "an escape in a parameter": (r"export default (input, c\u0074x) => ctx.call('tool.a')", "escape"),
    "the arguments": (body("await arguments[1].call('tool.a')"), "hidden"),
    "an evaluation": (body("await eval('ctx.call(\"tool.a\")')"), "hidden"),
    "a with": ("export default function (input, ctx) { with (input) { call('tool.a') } }", "hidden"),
    "an old comment": (body("") + "\n--> ctx.call('tool.a')", "hidden"),
    "a module": ("import { f } from './lib.js'\n" + body("await f(1)"), "import"),
    "a module for its effects": ("import './lib.js'\n" + body(""), "import"),
    "a module that is passed on": ("export * from './lib.js'\n" + body(""), "import"),
    "a module at run time": (body("await import('./lib.js')"), "import"),
    "rest parameters": ("export default async (...all) => all[1].call('tool.a')", "parameters"),
    "a context taken apart at once": ("export default async (input, { call }) => call('tool.a')", "parameters"),
    "a context with a default": ("export default async (input, ctx = input) => ctx.call('tool.a')", "parameters"),
    "no export": ("async function run(input, ctx) {}", "default"),
    "a named export": ("export async function run(input, ctx) {}", "default"),
    "an exported value": ("export default { run: async (input, ctx) => 1 }", "default"),
    "an exported class": ("export default class { }", "default"),
    "an exported generator": ("export default async function* (input, ctx) { }", "default"),
    "a wrapped function": ("export default wrap(async (input, ctx) => 1)", "default"),
    "an unknown name": ("export default run", "default"),
    "nothing": ("", "default"),
    "half a function": ("export default async function (input, ctx) {", "syntax"),
    "no code": ("to be written", "syntax"),
    "zeros": ("export default async (input, ctx) => '\0'", "syntax"),
}


@pytest.mark.req("PKG-041")
@pytest.mark.parametrize("name", REFUSED)
def test_code_that_hides_what_it_calls_is_refused(name: str) -> None:
    source, kind = REFUSED[name]
    for typescript in (False, True):
        found = scanned(source, typescript=typescript)
        assert kind in {one.kind for one in found.findings}


@pytest.mark.parametrize(
    "imported", ["import { type A, f } from './a.ts'", "import f = require('a')", "import './a.ts'"]
)
def test_what_typescript_imports_beside_types_is_refused(imported: str) -> None:
    assert kinds(f"{imported}\n{body('')}", typescript=True) == [("import", 1)]


def test_markup_is_no_code() -> None:
    assert kinds(body("return <b>ctx.call('tool.a')</b>")) == [("syntax", 1)]


def test_a_finding_names_its_line() -> None:
    source = "export default async (input, ctx) => {\n  await ctx.call('tool.a')\n\n  await ctx.call(input.name)\n}"
    assert kinds(source) == [("dynamic", 4)]
    assert kinds("// one\nexport default async (input, ctx) => {\n  await ctx.call('tool.a'\n}\n")[0][0] == "syntax"


def test_code_over_the_limit_is_not_read() -> None:
    long = body("// " + "x" * MAX_BYTES)
    assert kinds(long) == [("size", 0)]
    assert scanned(body("") + "/" * (MAX_BYTES - len(body("")))).findings == ()


def test_what_is_no_text_is_refused() -> None:
    assert [one.kind for one in scan(b"\xff\xfe", typescript=False).findings] == ["utf8"]
    assert [one.kind for one in scan(body("").encode("utf-16"), typescript=False).findings] == ["utf8"]


def test_no_more_is_told_than_can_be_read() -> None:
    found = scanned(body("ctx;" * 1_000))
    assert len(found.findings) == MAX_FINDINGS


DEEP = (
    "(",
    "[",
    "{",
    "!",
    "`${",
    "a=>",
    "new ",
    "a=",
    "a?",
    "({a:",
    "f(",
    "async(",
    "class{",
    '"',
    "<a>",
    "x(a,{c:",
    "--",
)


def test_many_calls_of_a_function_of_many_parameters_are_read() -> None:
    given = ", ".join(f"a{number}" for number in range(3_000))
    found = scanned(body("f(ctx);" * 3_000) + f"\nfunction f(ctx, {given}) {{ ctx.call('tool.a') }}")
    assert (list(found.calls), found.findings) == (["tool.a"], ())


@pytest.mark.parametrize("piece", DEEP)
def test_code_as_long_and_deep_as_it_may_be_is_read_or_refused(piece: str) -> None:
    times = (MAX_BYTES - len(body(""))) // len(piece) - 1
    closed = {"(": ")", "[": "]", "{": "}", "`${": "}`"}.get(piece, "")
    sources = [body(piece * times)] + ([body(piece * (times // 2) + "1" + closed * (times // 2))] if closed else [])
    for source in sources:
        for typescript in (False, True):
            scanned(source, typescript=typescript)


WORDS = (
    *(
        "ctx",
        ".call",
        "call",
        "'tool.a'",
        "`tool.a`",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        ";",
        "=>",
        "=",
        "await ",
        "async ",
    ),
    *(
        "function ",
        "export default ",
        "import ",
        "input",
        "...",
        "?.",
        "${",
        "`",
        "'",
        "/*",
        "*/",
        "//",
        "\n",
        "\\u0074",
    ),
    *(
        "class ",
        "<",
        ">",
        ":",
        "as ",
        "this",
        "arguments",
        "with",
        "return ",
        "let ",
        "const ",
        "/",
        "0",
        "é",
        "\u2028",
        "\0",
    ),
)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(WORDS), max_size=60).map("".join), st.booleans())
def test_no_code_ends_in_anything_but_an_answer(text: str, typescript: bool) -> None:
    for source in (text, body(text)):
        found = scanned(source, typescript=typescript)
        assert all(isinstance(target, str) and line > 0 for target, line in found.calls.items())


@settings(max_examples=100)
@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_do_either(source: bytes, typescript: bool) -> None:
    scan(source, typescript=typescript)


RUNNER = """
globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());
const found = {};
for (const [name, load] of programs) {
  const called = [];
  const ctx = { call: (target) => (called.push(String(target)), Promise.resolve({ f: (c) => c })) };
  const input = { name: "tool.hidden", a: 1, f: (c) => c?.call?.("tool.hidden") };
  try {
    const { default: run } = await load();
    await run(input, ctx);
  } catch { /* a hostile program may fail */ }
  found[name] = called;
}
console.log(JSON.stringify(found));
"""
PIECES = (
    *("await ctx.call('tool.a');", "await ctx.call(`tool.b`, { x: await ctx.call('tool.c') });", "await step(ctx);"),
    *(
        "const c = ctx; await c.call('tool.hidden');",
        "await ctx['call']('tool.hidden');",
        "await ctx.call(input.name);",
    ),
    *("const { call } = ctx; await call('tool.hidden');", "await arguments[1].call('tool.hidden');"),
    *(r"await c\u0074x.call('tool.hidden');", "await [ctx].map((c) => c.call('tool.hidden'));", "await input.f(ctx);"),
    *("await eval(`ct${''}x.call('tool.hidden')`);", "(() => ctx)().call('tool.hidden');", "await hand(ctx);"),
    *(
        "await (0, ctx).call('tool.hidden');",
        "await ctx.call.call(ctx, 'tool.hidden');",
        "for (const c of [ctx]) c.call('tool.hidden');",
    ),
    *("let k; ({ k } = { k: ctx }); k.call('tool.hidden');", "try { throw ctx } catch (e) { e.call('tool.hidden') }"),
    *(
        "await ((ctx) => ctx.call('tool.d'))({ call: ctx.call });",
        "// ctx.call('tool.comment')\u2028ctx.call('tool.hidden');",
    ),
    *(
        "/[/*]/.test('x'); ctx.call('tool.e'); /* */",
        "const a = 1 /2/ 1; ctx.call('tool.f') /1;",
        "await ctx?.call?.('tool.g');",
    ),
    *(
        "label: ctx.call('tool.h');",
        "`${ctx.call('tool.i')}`;",
        "if (0 <!--input.a) {}\nctx.call('tool.j');",
        "async () => ctx;",
    ),
    *(
        "new (class { x = ctx.call('tool.k') })();",
        "class K { static x = ctx; } K.x.call('tool.hidden');",
        "step.call(null, ctx);",
    ),
)
ENDS = (
    "async function step(ctx) { await ctx.call('tool.step'); }\nfunction hand(c) { return c.call('tool.hidden'); }",
    "var step = async (ctx) => ctx.call('tool.step');\nvar hand = step;",
)


@pytest.mark.req("SOP-112", "PKG-041")
def test_an_accepted_program_calls_nothing_when_it_runs_that_was_not_found(tmp_path: Path) -> None:
    """Programs of fair and unfair parts are scanned, then run as modules: none that is accepted calls more."""
    chance = Random("sops")
    programs: dict[str, str] = {}
    for number in range(400):
        parts = chance.sample(PIECES, chance.choice((1, 1, 2, 3)))
        programs[f"sop{number}.js"] = body("\n".join(parts)) + "\n" + chance.choice(ENDS)
    for name, source in programs.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    loads = ", ".join(f'["{name}", () => import("./{name}")]' for name in programs)
    (tmp_path / "run.js").write_text(f"const programs = [{loads}];{RUNNER}")
    command = [find_deno_bin(), "run", "--no-config", "--no-remote", "run.js"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert (made.returncode, made.stderr) == (0, b"")
    called: dict[str, list[str]] = json.loads(made.stdout)
    accepted = {name: found for name, source in programs.items() if not (found := scanned(source)).findings}
    unseen = {name: set(called[name]) - found.calls.keys() for name, found in accepted.items()}
    assert {name: targets for name, targets in unseen.items() if targets} == {}
    assert len(accepted) > 50
    assert sum("tool.hidden" in targets for targets in called.values()) > 50, "the control: the others do call more"
    assert all(called[name] for name in accepted if "ctx.call('tool.a')" in programs[name])
