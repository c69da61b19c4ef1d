"""A gem's question to a model in the whole program: real guest, real gateway, a strict provider, real count."""

from pathlib import Path

import pytest

from notochord.core.caller import Cause
from support.drafts import draft_manifest, export, written_draft
from support.whole import KEY, connect, opened, scripted
from support.workshops import made_workshop

ASKS = "export default async (input, ctx) => (await ctx.llm.complete(input.question, { system: 'Be brief.' })).text;"


@pytest.mark.req("MODEL-097", "MODEL-098", "MODEL-100")
async def test_a_gems_question_is_answered_and_counted_as_a_gems(tmp_path: Path) -> None:
    entry = export("ask", input_schema={"type": "object", "properties": {"question": {"type": "string"}}})
    draft = written_draft(tmp_path / "draft", draft_manifest(llm=True, exports=[entry]), {"tools/greet.ts": ASKS})
    packed = await made_workshop().pack(draft)
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(packed.package, allow_unsigned=True)
        answer = await services.gems.call("greeter", "ask", {"question": "Why?"}, tmp_path, Cause())
        counted = await services.usage.totals()
    assert answer == "A title"
    [body] = script.background
    assert [message["content"] for message in body["messages"]] == ["Be brief.", "Why?"]
    assert KEY not in str(body)
    assert [(total.feature, total.calls) for total in counted] == [("gem", 1)]
