"""`ctx.email`: reads the mailboxes that the user allowed, and nothing else."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.sandbox.api import Host, HostAnswer, HostRequest
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.guests import real_sandbox
from support.mail import TestMail, message

READ = {"email": {"read": True}}

SAMPLE = """export default async function (input, ctx) {
  const since = Number((await ctx.storage.kv.get('cursor')) ?? 0)
  const { messages, cursor } = await ctx.email.listSince({ since, limit: 20 })
  const seen = []
  for (const m of messages) {
    const full = await ctx.email.getMessage({ accountId: m.accountId, id: m.id })
    seen.push(full)
  }
  await ctx.storage.kv.set('cursor', String(cursor))
  return { processed: messages.length, seen }
}"""


@dataclass
class Desk:
    notochord: Platform
    mail: TestMail
    talk: Path

    async def ask(self, target: str, **arguments: Json) -> HostAnswer:
        """Ask as the code of the tool does."""
        answers: list[HostAnswer] = []

        async def play(_: Json, host: Host) -> Json:
            answers.append(await host.answer(HostRequest(target, dict(arguments), None)))
            return None

        self.notochord.sandbox.tools["tools/greet.ts"] = play
        await self.notochord.service.call("greeter", "greet", {}, self.talk, Cause())
        return answers[0]

    async def listed(self, **arguments: Json) -> Any:
        return (await self.ask("email.listSince", **arguments)).value

    async def ids(self, **arguments: Json) -> list[str]:
        return [found["id"] for found in (await self.listed(**arguments))["messages"]]

    async def refusal(self, target: str, **arguments: Json) -> Code:
        with pytest.raises(NotochordError) as caught:
            await self.ask(target, **arguments)
        return caught.value.code

    async def allow(self, *mailboxes: str, every: bool = False) -> None:
        await self.notochord.service.grants.choose_mailboxes("greeter", mailboxes, every=every)


@pytest.fixture
async def desk(tmp_path: Path, packages: PackageMaker, talk: Path) -> AsyncIterator[Desk]:
    mail = TestMail(messages=[message("w1", 10), message("w2", 30), message("h1", 20, account="home")])
    async with platform(tmp_path / "org", mail=mail) as notochord:
        content = manifest(permissions=READ, tools=[tool(permissions=READ)])
        await notochord.service.install(packages.make(content))
        yield Desk(notochord, mail, talk)


@pytest.mark.req("TOOL-086", "TOOL-087", "MAN-053")
@pytest.mark.parametrize(("switch", "there"), [(READ, True), ({"email": {"read": False}}, False), ({}, False)])
async def test_a_tool_has_the_mail_only_with_its_own_switch(
    notochord: Platform, packages: PackageMaker, talk: Path, switch: dict[str, Any], there: bool
) -> None:
    await notochord.service.install(packages.make(manifest(permissions=READ, tools=[tool(permissions=switch)])))
    await notochord.service.call("greeter", "greet", {}, talk, Cause())
    assert ("email" in notochord.sandbox.calls[0].namespaces) is there


@pytest.mark.req("TOOL-089", "TOOL-090", "PERM-011")
async def test_without_an_allowed_mailbox_every_request_is_refused(desk: Desk) -> None:
    assert await desk.refusal("email.listSince") is Code.PERM_DENIED
    assert await desk.refusal("email.getMessage", accountId="work", id="w1") is Code.PERM_DENIED
    await desk.allow("work")
    assert await desk.ids() == ["w1", "w2"]
    await desk.allow()
    assert await desk.refusal("email.listSince") is Code.PERM_DENIED


@pytest.mark.req("TOOL-093")
async def test_a_mailbox_that_is_not_allowed_is_refused(desk: Desk) -> None:
    await desk.allow("work")
    for account in ("home", "nowhere", "*", ""):
        assert await desk.refusal("email.listSince", accountId=account) is Code.PERM_DENIED
        assert await desk.refusal("email.getMessage", accountId=account, id="h1") is Code.PERM_DENIED


@pytest.mark.req("TOOL-091", "TOOL-092", "TOOL-102")
async def test_several_mailboxes_or_all_can_be_allowed_those_that_come_later_too(desk: Desk) -> None:
    await desk.allow("work", "home")
    assert await desk.ids() == ["w1", "h1", "w2"]
    await desk.allow(every=True)
    desk.mail.accounts.append("club")
    desk.mail.messages.append(message("c1", 25, account="club"))
    assert await desk.ids() == ["w1", "h1", "c1", "w2"]
    assert await desk.ids(accountId="club") == ["c1"]


@pytest.mark.req("TOOL-095", "TOOL-103", "TOOL-104")
async def test_a_message_of_the_list_is_its_envelope(desk: Desk) -> None:
    await desk.allow("home")
    envelope = {
        "accountId": "home",
        "id": "h1",
        "subject": "About h1",
        "fromAddr": "a@example.com",
        "toAddrs": ["b@example.com", "c@example.com"],
        "date": 20,
    }
    assert await desk.listed() == {"messages": [envelope], "cursor": 20}


@pytest.mark.req("TOOL-096", "TOOL-097", "TOOL-098", "TOOL-099")
async def test_the_list_has_what_is_later_than_since_oldest_first(desk: Desk) -> None:
    await desk.allow(every=True)
    assert await desk.ids(since=10) == ["h1", "w2"]
    assert await desk.ids(since=0) == await desk.ids() == ["w1", "h1", "w2"]


@pytest.mark.req("TOOL-105")
async def test_the_cursor_is_the_latest_date_seen_or_what_was_given(desk: Desk) -> None:
    await desk.allow(every=True)
    assert (await desk.listed(limit=2))["cursor"] == 20
    assert await desk.listed(since=30) == {"messages": [], "cursor": 30}


@pytest.mark.req("TOOL-100", "TOOL-101")
async def test_twenty_are_listed_unless_the_tool_says_otherwise_and_at_most_200(desk: Desk) -> None:
    await desk.allow("work")
    desk.mail.messages = [message(f"m{number:03}", number) for number in range(1, 251)]
    assert len(await desk.ids()) == 20
    assert len(await desk.ids(limit=200)) == 200
    for limit in (0, -1, 201, True, "20", 1.5):
        assert await desk.refusal("email.listSince", limit=limit) is Code.INPUT_INVALID


async def test_messages_of_the_same_date_are_never_split(desk: Desk) -> None:
    await desk.allow("work")
    desk.mail.messages = [message(f"m{number}", 5) for number in range(4)] + [message("later", 6)]
    assert await desk.ids(limit=2) == ["m0", "m1", "m2", "m3"]
    assert await desk.ids(since=5) == ["later"]


@pytest.mark.req("TOOL-106", "TOOL-107", "TOOL-108", "TOOL-109")
async def test_a_whole_message_has_its_text_and_its_attachments_without_content(desk: Desk) -> None:
    await desk.allow("work")
    desk.mail.messages.append(message("w3", 40, body="Grüße 你好", attachment="bill.pdf"))
    answer = await desk.ask("email.getMessage", accountId="work", id="w3")
    value: Any = answer.value
    assert (answer.attachment or b"").decode() == "Grüße 你好"
    assert value["attachments"] == [{"filename": "bill.pdf", "mimeType": "application/pdf", "sizeBytes": 1_234}]
    assert (value["accountId"], value["id"], value["date"]) == ("work", "w3", 40)


async def test_a_message_that_there_is_not_is_told(desk: Desk) -> None:
    await desk.allow("work")
    assert await desk.refusal("email.getMessage", accountId="work", id="h1") is Code.NOT_FOUND


@pytest.mark.req("TOOL-094")
@pytest.mark.parametrize("target", ["email.send", "email.reply", "email.delete", "email.markRead"])
async def test_nothing_can_be_sent_or_changed(desk: Desk, target: str) -> None:
    await desk.allow(every=True)
    assert await desk.refusal(target, accountId="work", id="w1") is Code.PERM_DENIED


@pytest.mark.req("TOOL-110", "TOOL-112")
async def test_the_sample_of_the_manual_handles_each_message_once(
    tmp_path: Path, packages: PackageMaker, talk: Path
) -> None:
    mail = TestMail(messages=[message("w1", 10, body="Hello, 世界"), message("w2", 20)])
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox, mail=mail) as notochord,
    ):
        content = manifest(permissions=READ, tools=[tool(permissions=READ)])
        await notochord.service.install(packages.make(content, {"tools/greet.ts": SAMPLE}))
        await notochord.service.grants.choose_mailboxes("greeter", ["work"])

        async def run() -> Any:
            return await notochord.service.call("greeter", "greet", {}, talk, Cause())

        first = await run()
        assert (first["processed"], [seen["body"] for seen in first["seen"]]) == (2, ["Hello, 世界", "Hello."])
        mail.messages.append(message("w3", 30))
        assert [seen["id"] for seen in (await run())["seen"]] == ["w3"]
        assert (await run())["processed"] == 0
