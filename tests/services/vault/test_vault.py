"""The vault keeps secrets, shows none, and gives one out only for the places that it was registered for."""

import base64
import logging
from pathlib import Path

import pytest

from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.log import Redactor
from notochord.persistence.database import Database
from notochord.services.vault.api import (
    Attachment,
    AttachmentDenied,
    ConnectionDraft,
    Denial,
    Placement,
    Registration,
    Secret,
)
from notochord.services.vault.component import COMPONENT
from notochord.services.vault.service import StoredVault
from notochord.services.vault.tables import METADATA
from support.canary import leaks_below, spellings_of
from support.databases import database_in
from support.schemas import assert_same_schema

SECRET = "sk-canary/+0123 äöü"
TOKEN = "sk-canary-0123456789/+abc"


def vault_on(database: Database, redactor: Redactor | None = None) -> StoredVault:
    clock = SystemClock()
    return StoredVault(
        database=database, clock=clock, ids=IdMaker(clock), redactor=redactor or Redactor(), events=EventBus()
    )


def draft(
    *hosts: str,
    paths: tuple[str, ...] = (),
    plain_http: str = "",
    placement: Placement = Placement.BEARER,
    field: str = "",
) -> ConnectionDraft:
    return ConnectionDraft("Mail", "provider", placement, Registration(hosts, paths, plain_http), field)


def test_the_tables_are_what_the_migrations_make() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


@pytest.mark.req("CRED-001", "CRED-003", "CRED-004", "SETUP-014")
async def test_a_secret_is_kept_and_in_no_file_in_the_clear(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        made = await vault_on(database).add(draft("api.example.com"), Secret(TOKEN))
        assert leaks_below(tmp_path, TOKEN.encode()) == []
    async with database_in(tmp_path, COMPONENT) as database:
        assert await vault_on(database).connections() == (made,)
        found = await vault_on(database).attachment(made.id, "https://api.example.com/")
        assert isinstance(found, Attachment)
        assert found.headers == (("Authorization", f"Bearer {TOKEN}"),)
    assert leaks_below(tmp_path, TOKEN.encode()) == []


@pytest.mark.req("CRED-007", "ORG-007")
async def test_another_organizations_vault_knows_nothing_of_it(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    async with database_in(tmp_path / "one", COMPONENT) as one, database_in(tmp_path / "two", COMPONENT) as two:
        made = await vault_on(one).add(draft("api.example.com"), Secret(TOKEN))
        assert await vault_on(two).connections() == ()
        denied = await vault_on(two).attachment(made.id, "https://api.example.com/")
        assert denied == AttachmentDenied(Denial.NOT_CONNECTED, "api.example.com")


@pytest.mark.req("CRED-020")
async def test_removing_a_connection_removes_its_secret(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        vault = vault_on(database)
        made = await vault.add(draft("api.example.com"), Secret(TOKEN))
        await vault.remove(made.id)
        assert await vault.connections() == ()
        assert await vault.attachment(made.id, "https://api.example.com/") == AttachmentDenied(
            Denial.NOT_CONNECTED, "api.example.com"
        )
        for act in (vault.remove(made.id), vault.replace_secret(made.id, Secret("other"))):
            with pytest.raises(NotochordError) as caught:
                await act
            assert caught.value.code is Code.NOT_FOUND


async def test_what_is_deleted_is_overwritten_in_its_page(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        mode = await database.write(lambda connection: connection.exec_driver_sql("PRAGMA secure_delete").scalar_one())
        assert mode == 2


async def test_a_replaced_secret_is_the_one_that_is_sent(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        vault = vault_on(database)
        made = await vault.add(draft("api.example.com"), Secret(TOKEN))
        await vault.replace_secret(made.id, Secret("another-secret"))
        found = await vault.attachment(made.id, "https://api.example.com/")
        assert isinstance(found, Attachment)
        assert found.headers == (("Authorization", "Bearer another-secret"),)


@pytest.mark.parametrize(
    ("placement", "field", "headers", "query"),
    [
        (Placement.BEARER, "", (("Authorization", f"Bearer {TOKEN}"),), ()),
        (Placement.HEADER, "x-api-key", (("x-api-key", TOKEN),), ()),
        (Placement.QUERY, "key", (), (("key", TOKEN),)),
        (
            Placement.BASIC,
            "me",
            (("Authorization", "Basic " + base64.b64encode(f"me:{TOKEN}".encode()).decode()),),
            (),
        ),
    ],
)
async def test_a_secret_is_put_where_it_belongs(
    tmp_path: Path,
    placement: Placement,
    field: str,
    headers: tuple[tuple[str, str], ...],
    query: tuple[tuple[str, str], ...],
) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        vault = vault_on(database)
        made = await vault.add(draft("api.example.com", placement=placement, field=field), Secret(TOKEN))
        found = await vault.attachment(made.id, "https://api.example.com/")
        assert isinstance(found, Attachment)
        assert (found.headers, found.query) == (headers, query)
        sent = [value.removeprefix("Basic ") for _, value in (*found.headers, *found.query)]
        assert all(any(form in value for form in found.spellings) for value in sent)


@pytest.mark.req("CRED-008")
async def test_every_spelling_in_which_a_secret_could_come_back_is_searched_for(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        vault = vault_on(database)
        basic = draft("api.example.com", placement=Placement.QUERY, field="key")
        found = await vault.attachment((await vault.add(basic, Secret(SECRET))).id, "https://api.example.com/")
        assert isinstance(found, Attachment)
        echoes = {
            name: form for name, form in spellings_of(SECRET.encode()).items() if name not in ("reversed", "utf-16")
        }
        for prefix in ("", "a", "ab"):
            echoes[f"after {prefix!r}"] = base64.b64encode((prefix + SECRET + "tail").encode())
        for name, echo in echoes.items():
            assert any(form.encode() in echo for form in found.spellings), name


async def test_the_log_shows_no_secret_that_came_in(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    redactor = Redactor()
    async with database_in(tmp_path, COMPONENT) as database:
        vault = vault_on(database, redactor)
        made = await vault.add(draft("api.example.com"), Secret(TOKEN))
        await vault.replace_secret(made.id, Secret("another-secret"))
    caplog.handler.addFilter(redactor)
    logging.getLogger("x").warning("sent %s and %s", TOKEN, base64.b64encode(b"another-secret").decode())
    caplog.handler.removeFilter(redactor)
    assert caplog.messages[-1] == "sent [redacted] and [redacted]"


async def test_a_restarted_vault_hides_a_secret_before_it_is_sent(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        made = await vault_on(database).add(draft("api.example.com"), Secret(TOKEN))
        redactor = Redactor()
        await vault_on(database, redactor).attachment(made.id, "https://api.example.com/")
        assert redactor.clean(TOKEN) == "[redacted]"


def test_a_secret_shows_itself_in_no_text() -> None:
    shown = f"{Secret(TOKEN)!r} {Secret(TOKEN)} {[Secret(TOKEN)]}"
    assert TOKEN not in shown


@pytest.mark.parametrize(
    ("wrong", "secret"),
    [
        (draft("api.example.com"), ""),
        (draft("api.example.com"), "two\nlines"),
        (draft("api.example.com"), " padded-secret "),
        (draft("api.example.com"), "höher"),
        (draft("api.example.com"), "x" * 20_000),
        (draft(), TOKEN),
        (draft("*.example.com"), TOKEN),
        (draft("https://example.com"), TOKEN),
        (draft("example.com/path"), TOKEN),
        (draft("user@example.com"), TOKEN),
        (draft("example..com"), TOKEN),
        (draft("example.com:99999"), TOKEN),
        (draft("example.com", paths=("v1",)), TOKEN),
        (draft("example.com", paths=("/a/../b",)), TOKEN),
        (draft("example.com", paths=("/a/%2e%2e/b",)), TOKEN),
        (draft("example.com", plain_http="https://localhost"), TOKEN),
        (draft("example.com", plain_http="http://localhost:1/path"), TOKEN),
        (draft("example.com", placement=Placement.HEADER), TOKEN),
        (draft("example.com", placement=Placement.HEADER, field="a b"), TOKEN),
        (draft("example.com", placement=Placement.HEADER, field="Host"), TOKEN),
        (draft("example.com", placement=Placement.QUERY, field="a&b"), TOKEN),
        (draft("example.com", placement=Placement.BASIC, field="a:b"), TOKEN),
    ],
)
async def test_what_could_not_be_kept_to_is_refused_when_it_is_made(
    tmp_path: Path, wrong: ConnectionDraft, secret: str
) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        with pytest.raises(NotochordError) as caught:
            await vault_on(database).add(wrong, Secret(secret))
        assert caught.value.code is Code.INPUT_INVALID
        assert not secret or secret not in str(caught.value)
        assert await vault_on(database).connections() == ()


@pytest.mark.req("DATA-482", "DATA-483")
async def test_each_store_has_a_random_key_of_its_own_that_lasts(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        one, two = await vault_on(database).store_key("gem:one"), await vault_on(database).store_key("gem:two")
    async with database_in(tmp_path, COMPONENT) as database:
        assert await vault_on(database).store_key("gem:one") == one
    assert one != two
    assert len(one) == len(two) == 32
    assert leaks_below(tmp_path, one) == []


@pytest.mark.req("DATA-491")
async def test_a_forgotten_store_key_is_gone(tmp_path: Path) -> None:
    async with database_in(tmp_path, COMPONENT) as database:
        vault = vault_on(database)
        before = await vault.store_key("gem:one")
        await vault.forget_store_key("gem:one")
        await vault.forget_store_key("gem:one")
        assert await vault.store_key("gem:one") != before
