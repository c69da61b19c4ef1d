"""A page cannot make its bridge say what only the program or a person may say."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.page_program import Order
from support.pages import shown

HTML = "<!doctype html><meta charset=utf-8><body><h1 data-agent=helper>Head</h1><script src=page.js></script>"
AGENTS = '{"colours": {}, "theme": "light", "language": "en", "agents": ["helper"], "texts": {"ask": "Ask {agent}"}}'
RAW = (
    "const raw = (m) => document.dispatchEvent(new CustomEvent('notochord-to-program', { detail: JSON.stringify(m) }));"
)
REPORT = "addEventListener('load', () => setTimeout(() => raw({ kind: 'call', number: 99, target: 'tool.report', arguments: out }), 700));"  # noqa: E501
FORGED = {
    "question_nobody_pressed": "raw({ kind: 'ask', agent: 'helper', about: 'x' })",
    "question_as_a_call": "raw({ kind: 'call', number: 1, target: 'ask', arguments: {}, agent: 'helper' })",
    "gem_in_a_call": "raw({ kind: 'call', number: 2, target: 'tool.other', arguments: {}, gem: 'other', page: 'x' })",
    "gem_through_a_prototype": "Object.prototype.gem = 'other'; raw({ kind: 'call', number: 3, target: 'tool.other' })",
    "kind_through_a_prototype": "Object.prototype.kind = 'ask'; raw({ agent: 'helper', about: 'x' }); "
    "delete Object.prototype.kind",
    "reader_of_json": "JSON.parse = () => ({ kind: 'ask', agent: 'helper', about: 'x' })",
    "sender": "const forged = JSON.stringify({ kind: 'ask', agent: 'helper', about: 'x' });"
    "CustomEvent.prototype.__defineGetter__('detail', () => forged); raw({ kind: 'ready' })",
    "pressing_by_script": "addEventListener('load', () => setTimeout(() => { "
    "for (const b of document.querySelectorAll('notochord-bubble')) { b.click(); "
    "b.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true })); } }, 200))",
    "the_bubbles_inside": "addEventListener('load', () => setTimeout(() => { "
    "document.querySelector('notochord-bubble').shadowRoot.querySelector('button').click() }, 250))",
    "other_name_for_the_api": "try { globalThis.notochord = { call: 1 } } catch {} "
    "try { Object.defineProperty(globalThis, 'notochord', { value: 1 }) } catch {} out.api = typeof notochord.call",
}  # fmt: skip


async def said(tmp_path: Path, script: str) -> tuple[list[dict[str, Any]], Any]:
    files = {"pages/page.html": HTML, "pages/page.js": script}
    seen = await shown(Order(files=files, surroundings=AGENTS), tmp_path)
    return [json.loads(message) for message in seen.messages], seen.reported


async def test_no_script_of_a_page_asks_an_agent_or_names_another_gem(tmp_path: Path) -> None:
    tries = "\n".join(f"try {{ {body} }} catch {{}}" for body in FORGED.values())
    messages, reported = await said(tmp_path, f"const out = {{}};\n{RAW}\n{tries}\n{REPORT}")
    assert [one for one in messages if one["kind"] not in ("call", "cancel")] == []
    assert {key for one in messages for key in one} <= {"kind", "number", "target", "arguments"}
    assert reported == {"api": "function"}


async def test_a_message_that_is_too_long_is_answered_and_never_reaches_the_program(tmp_path: Path) -> None:
    script = (
        "const long = 'x'.repeat(3_000_000);"
        "notochord.call('tool.echo', { long }).catch((error) => notochord.call('tool.report', error.code));"
    )
    messages, reported = await said(tmp_path, script)
    assert (len(messages), reported) == (1, "E_PAYLOAD_TOO_LARGE")


@pytest.mark.long
async def test_a_page_that_floods_its_bridge_stalls_nothing(tmp_path: Path) -> None:
    script = (
        "notochord.call('tool.report', {}).catch(() => 0); let n = 0;"
        "setTimeout(function go() { for (let i = 0; i < 200; i++) notochord.call('tool.x', { n: n++ });"
        "setTimeout(go) })"
    )
    files = {"pages/page.html": HTML, "pages/page.js": script}
    seen = await shown(Order(files=files, surroundings=AGENTS, act="busy"), tmp_path)
    assert seen.acted == 50
