"""What a gem asks the program for and may not have is refused and seen in the log; with an open host it gets it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from escape.arena import SECRET, WRAPPER, Result, program_log
from escape.through_the_host import EVIL, FILES, GRANTED, INSIDE, NETWORK, NODES
from notochord.core.caller import Cause
from notochord.core.strict_json import Json
from notochord.services.data import collections, records
from notochord.services.data.nodes import Node, node_of
from notochord.services.egress.api import Request, Response
from notochord.services.files.api import Root
from support.egress import PUBLIC, Answer, bench
from support.file_services import workshop_in
from support.gems import DiskFiles, PackageMaker, Platform, RecordingEgress, manifest, platform, tool
from support.guests import real_sandbox
from support.shelves import ShelfSender, redirect

ATTACKS = {**FILES, **NETWORK, **NODES}
ROWS = {
    **dict.fromkeys(FILES, ("TOOL-004", "TOOL-005")),
    **dict.fromkeys(NETWORK, ("PERM-032", "TOOL-006")),
    **dict.fromkeys(NODES, ("DATA-487",)),
}
ANSWERS = {
    f"{EVIL}/": Answer(pieces=(SECRET.encode(),)),
    f"{INSIDE}": Answer(pieces=(SECRET.encode(),)),
    f"{GRANTED}/to-evil": redirect(f"{EVIL}/"),
    f"{GRANTED}/inward": redirect(INSIDE),
    f"{GRANTED}/to-file": redirect("file:///etc/hostname"),
}
NAMES = {"api.example.com": [PUBLIC], "evil.example": [PUBLIC], "inward.example.com": ["127.0.0.1"]}
MISTAKES = {"header_with_a_line"}
"""Refused as any wrong argument is."""

Found = dict[bool, dict[str, Result]]


class OpenFiles(DiskFiles):
    """Resolves nothing."""

    def place(self, root: Root, path: str) -> Path:
        return root.folder / path


class OpenEgress(RecordingEgress):
    """Fetches whatever is asked for."""

    async def fetch(self, request: Request) -> Response:
        return Response(200, request.url, (), SECRET.encode())


def lay_out(root: Path) -> Path:
    """Write what must not be reached, and return the folder of the conversation."""
    talk = root / "conversation"
    for path in ("secret.txt", "movable.txt", "deletable.txt", "other/letter.txt", "conversation/.env",
                 "conversation/.ssh/key.txt", "conversation/sub/a.txt", "conversation/runs/earlier/a.txt"):  # fmt: skip
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(SECRET)
    (talk / "link.txt").symlink_to(root / "secret.txt")
    (talk / "runs/earlier/link.txt").symlink_to(root / "secret.txt")
    (talk / "up").symlink_to(root)
    return talk


def package(root: Path) -> Path:
    network = {"permissions": {"network": True}}
    tools = [tool(name, entry=f"tools/{name}.js", expose=False, **network) for name in ATTACKS]
    files = {f"tools/{name}.js": WRAPPER % body for name, body in ATTACKS.items()}
    hosts = ["api.example.com", "inward.example.com"]
    content = manifest(tools=tools, permissions={"network": {"hosts": hosts, "reason": "Tests"}})
    return PackageMaker(root / "packages").make(content, files)


def _any_owner(owner: str, node_id: str) -> Node:
    """Read a node id whoever it belongs to, which is what the barrier prevents."""
    return node_of(node_id.partition("/")[2])


@asynccontextmanager
async def world(root: Path, barriers: bool) -> AsyncIterator[tuple[Platform, ShelfSender]]:
    sender = ShelfSender(dict(ANSWERS))
    gateway = await bench(sender, names=NAMES)
    async with workshop_in(root) as shop, real_sandbox(root / "state") as sandbox:
        parts: dict[str, Any] = {"files": shop.files, "gateway": gateway.egress}
        if not barriers:
            parts = {"files": OpenFiles(), "gateway": OpenEgress()}
        async with platform(root / "org", guests=sandbox, **parts) as made:
            await made.service.install(package(root))
            yield made, sender
    await gateway.egress.close()


async def run_all(root: Path, barriers: bool) -> dict[str, Result]:
    talk = lay_out(root)
    before = {path: path.read_text() for path in root.rglob("*.txt")}
    found = {}
    given: dict[str, Json] = {"secret": str(root / "secret.txt")}
    with program_log() as log:
        async with world(root, barriers) as (made, sender):
            for name in ATTACKS:
                value = await made.service.call("greeter", name, given, talk, Cause(conversation="c"))
                found[name] = Result(json.dumps(value), log.taken())
    if barriers:
        assert {path: path.read_text() for path in before} == before
        assert not list(root.glob("planted*"))
        assert all(address.startswith(f"{GRANTED}/") for address in sender.asked)
    return found


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    behind = asyncio.run(run_all(tmp_path_factory.mktemp("behind").resolve(), True))
    with pytest.MonkeyPatch.context() as patch:
        for module in (collections, records):
            patch.setattr(module, "owned", _any_owner)
        bare = asyncio.run(run_all(tmp_path_factory.mktemp("bare").resolve(), False))
    return {True: behind, False: bare}


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.req(*ROWS[name])) for name in ATTACKS])
def test_an_attack_is_blocked_and_its_control_gets_through(found: Found, name: str) -> None:
    assert '"blocked: ' in found[True][name].outcome
    assert SECRET not in found[True][name].outcome
    assert '"reached: ' in found[False][name].outcome


@pytest.mark.parametrize("name", sorted(ATTACKS.keys() - MISTAKES))
def test_an_attack_is_seen_in_the_log(found: Found, name: str) -> None:
    assert "was refused with E_" in found[True][name].log
    assert found[False][name].log == ""
