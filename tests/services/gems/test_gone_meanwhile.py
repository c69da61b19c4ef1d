"""A gem that is removed or upgraded while a tool of it works: the call ends clearly, and nothing of it comes back."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from support.data import table
from support.eventually import until
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.guests import real_sandbox

CAUSE = Cause("talk")
BUSY = {
    "storage.kv.set": "await ctx.storage.kv.set('k', 'x'.repeat(1000) + n);",
    "data": "await ctx.data.collection('items').insert({ title: `t${n}` });",
    "sql": "await ctx.storage.sql.insert('notes', { text: `t${n}` });",
    "files": "await ctx.files.write(`workspace:big.txt`, 'x'.repeat(8_000_000));",
}
"""What the tool does again and again, by the part of `ctx` that it needs."""


def files(work: str) -> dict[str, str]:
    source = f"""export default async function (input, ctx) {{
  await ctx.files.write('workspace:began.txt', 'yes');
  for (let n = 0; n < 1_000_000; n++) {{ {work} }}
}}"""
    return {"tools/greet.ts": source, "db/schema.sql": "CREATE TABLE IF NOT EXISTS notes (text TEXT);"}


def package(packages: PackageMaker, work: str, version: str = "1.0.0") -> Path:
    declared = table({"title": {"type": "string"}})
    content = manifest(version=version, data=declared, tools=[tool()])
    return packages.make(content, files(work))


@pytest.fixture
async def real(tmp_path: Path) -> AsyncIterator[Platform]:
    async with real_sandbox(tmp_path) as guests, platform(tmp_path / "org", guests=guests) as made:
        yield made


async def begun(real: Platform, talk: Path) -> "asyncio.Task[object]":
    """Return a call that is in the middle of its work."""
    call = asyncio.create_task(real.service.call("greeter", "greet", {}, talk, CAUSE))
    await until(lambda: (talk / "began.txt").exists() or call.done())
    await asyncio.sleep(0.1)
    assert not call.done(), call
    return call


@pytest.mark.parametrize("work", BUSY)
async def test_a_call_ends_when_its_gem_is_removed_and_nothing_of_the_gem_comes_back(
    real: Platform, packages: PackageMaker, talk: Path, caplog: pytest.LogCaptureFixture, work: str
) -> None:
    await real.service.install(package(packages, BUSY[work]))
    call = await begun(real, talk)
    await real.service.remove("greeter")
    with pytest.raises(NotochordError) as caught:
        await call
    assert caught.value.code is Code.CANCELLED
    assert not [record for record in caplog.records if record.exc_info]
    assert list(real.folder.folder.rglob("*greeter*")) == []
    await real.service.install(package(packages, "break;"))
    assert await real.service.call("greeter", "greet", {}, talk, CAUSE) is None


@pytest.mark.parametrize("work", BUSY)
async def test_a_call_of_the_version_before_ends_at_an_upgrade_with_its_data_kept_and_the_new_one_works(
    real: Platform, packages: PackageMaker, talk: Path, caplog: pytest.LogCaptureFixture, work: str
) -> None:
    await real.service.install(package(packages, BUSY[work]))
    call = await begun(real, talk)
    await real.service.install(package(packages, "break;", "1.1.0"))
    with pytest.raises(NotochordError) as caught:
        await call
    # The store of the version before closes first: a call that writes then hears so from it, another one is stopped.
    assert caught.value.code is Code.CANCELLED or "E_DATA_CLOSED" in caught.value.detail
    assert not [record for record in caplog.records if record.exc_info]
    assert await real.service.call("greeter", "greet", {}, talk, CAUSE) is None
    store = await real.service.data("greeter")
    written = {"storage.kv.set": await store.kv_get("k"), "data": (await store.overview()).collections[0].count}
    assert written.get(work, True)
