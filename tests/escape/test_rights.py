"""Rights that a tool does not have, or no longer, do not come by forging, by asking again, nor from another call."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from escape.arena import program_log
from escape.test_forgery import FORGE
from notochord.core.caller import Cause
from notochord.core.strict_json import Json
from notochord.services.egress.ports import Outgoing
from notochord.services.gems.ports import Envelope
from notochord.services.sandbox.api import HostAnswer, HostRequest
from support.egress import PUBLIC, MemoryIncoming, OneSecretVault, RecordingSender, bench
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.guests import MemoryHost, guest_call, make_gem, real_sandbox
from support.mail import TestMail, message

TARGETS = {
    "files.read": "files", "files.write": "files", "storage.sql.query": "storage.sql", "data.get": "data",
    "http.fetch": "http", "llm.complete": "llm", "extract.fromUrl": "extract", "resources.path": "resources",
    "email.listSince": "email", "email.getMessage": "email", "knowledge.search": "knowledge",
    "knowledge.documents.delete": "knowledge", "migration.next": "migration", "wasm.module": "wasm",
}  # fmt: skip
SPELLINGS = ("files", "Files.read", "files .read", " files.read", "storage.kvfiles.read", "__proto__.read", "", ".")


class AnyHost(MemoryHost):
    """Answers everything."""

    async def answer(self, request: HostRequest) -> HostAnswer:
        self.requests.append(request)
        return HostAnswer(None)


async def asked(folder: Path, targets: Collection[str], namespaces: tuple[str, ...]) -> tuple[set[str], str]:
    """Let a gem forge requests, and return those that were carried out, with the program's log."""
    body = f"""for (const target of {json.dumps(list(targets))}) {{
      frame({{ type: 'request', call: 1, id: 999, target, arguments: {{}}, attached: false }});
    }} await pause(); return 'sent';"""
    gem = make_gem(folder, tool=f"{FORGE} export default async (input, ctx) => {{ {body} }};")
    host = AnyHost()
    with program_log() as log:
        async with real_sandbox(folder) as sandbox:
            assert await sandbox.call(guest_call(gem, namespaces=namespaces), host) == "sent"
        return {request.target for request in host.requests}, log.taken()


@pytest.mark.req("TOOL-010", "GEM-015")
async def test_a_right_of_another_tool_is_not_got_by_forging(tmp_path: Path) -> None:
    found, log = await asked(tmp_path, TARGETS, ("storage.kv",))
    assert found == set()
    assert [target for target in TARGETS if f"'{target}' was refused with E_PERM_DENIED" not in log] == []


async def test_control_a_tool_that_has_the_rights_may_ask_so(tmp_path: Path) -> None:
    found, log = await asked(tmp_path, TARGETS, tuple(set(TARGETS.values())))
    assert (found, log) == (set(TARGETS), "")


async def test_no_spelling_opens_a_part_that_is_closed(tmp_path: Path) -> None:
    found, _ = await asked(tmp_path, SPELLINGS, ("storage.kv",))
    assert found == set()


LISTING = """export default async (input, ctx) => {
  const first = (await ctx.email.listSince()).messages.length;
  try { return [first, (await ctx.email.listSince()).messages.length]; } catch (error) { return [first, error.code]; }
};"""


class MailThatIsTakenAway(TestMail):
    """After the first look the user takes the mailbox back."""

    gems: Platform | None = None
    taken: bool = False

    async def since(self, accounts: Collection[str], since: int, limit: int) -> tuple[Envelope, ...]:
        found = await super().since(accounts, since, limit)
        if self.taken and self.gems is not None:
            await self.gems.service.grants.choose_mailboxes("greeter", [])
        return found


@pytest.mark.req("TOOL-089", "TOOL-092")
@pytest.mark.parametrize(("taken", "second"), [(True, "E_PERM_DENIED"), (False, 1)], ids=["taken", "control"])
async def test_a_mailbox_that_is_taken_back_is_closed_within_the_same_call(
    tmp_path: Path, taken: bool, second: Json
) -> None:
    mail = MailThatIsTakenAway(messages=[message("m1", 5)])
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox, mail=mail) as made,
    ):
        mail.gems, mail.taken = made, taken
        tools = [tool(permissions={"email": {"read": True}})]
        content = manifest(tools=tools, permissions={"email": {"read": True}})
        await made.service.install(PackageMaker(tmp_path / "packages").make(content, {"tools/greet.ts": LISTING}))
        await made.service.grants.choose_mailboxes("greeter", ["work"])
        with program_log() as log:
            assert await made.service.call("greeter", "greet", {}, tmp_path, Cause("talk")) == [1, second]
            assert ("'email.listSince' was refused with E_PERM_DENIED" in log.taken()) is taken


FETCHING = """export default async (input, ctx) => {
  const ask = async () => {
    const response = await ctx.http.fetch('https://a.example/', { connection: 'service' });
    return response.credentialDenied?.reason ?? response.status;
  };
  const first = await ask();
  try { return [first, await ask()]; } catch (error) { return [first, error.code]; }
};"""


class SenderAfterWhich(RecordingSender):
    """After the first request the user takes the account back."""

    gems: Platform | None = None

    async def send(self, outgoing: Outgoing) -> MemoryIncoming:
        incoming = await super().send(outgoing)
        if self.gems is not None:
            await self.gems.service.choose_connection("greeter", "service", "")
        return incoming


@pytest.mark.req("CRED-019", "PERM-013")
@pytest.mark.parametrize(("taken", "second"), [(True, "E_PERM_DENIED"), (False, 200)], ids=["taken", "control"])
async def test_an_account_that_is_taken_back_is_closed_within_the_same_call(
    tmp_path: Path, taken: bool, second: Json
) -> None:
    sender = SenderAfterWhich()
    parts = await bench(sender, names={"a.example": [PUBLIC]}, vault=OneSecretVault("s3cret", hosts=("a.example",)))
    permissions: dict[str, Any] = {
        "network": {"hosts": ["a.example"], "reason": "Tests"},
        "connections": [{"id": "service", "reason": "Tests"}],
    }
    content = manifest(tools=[tool(permissions={"network": True})], permissions=permissions)
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox, gateway=parts.egress) as made,
    ):
        await made.service.install(PackageMaker(tmp_path / "packages").make(content, {"tools/greet.ts": FETCHING}))
        await made.service.choose_connection("greeter", "service", "conn")
        sender.gems = made if taken else None
        with program_log() as log:
            assert await made.service.call("greeter", "greet", {}, tmp_path, Cause("talk")) == [200, second]
            assert ("'http.fetch' was refused with E_PERM_DENIED" in log.taken()) is taken
    assert ["s3cret" in str(outgoing.headers) for outgoing in sender.sent] == [True] + [True] * (not taken)
    await parts.egress.close()
