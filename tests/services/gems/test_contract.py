"""Whatever the guest's side can ask for, this side answers: the contract of both holds for the whole of `ctx`."""

import json
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.sandbox.api import Host, HostRequest
from support.gems import PackageMaker, Platform, manifest, tool
from support.shelves import resource

CONTRACT = Path(__file__).parents[2] / "contracts" / "guest_requests.json"
EVERYTHING = {
    "network": {"hosts": ["api.example.com"], "reason": "Tests"},
    "providers": {"llm": True},
    "knowledge": {"permissions": []},
    "email": {"read": True},
}
SWITCHES = {"network": True, "llm": True, "knowledge": True, "email": {"read": True}}


async def test_every_request_of_the_contract_is_known_and_held_to_its_arguments(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    requests: dict[str, Any] = json.loads(CONTRACT.read_text(encoding="utf-8"))["requests"]
    assert requests.pop("tools.call") is not None
    unknown: list[str] = []

    async def play(_: Json, host: Host) -> Json:
        for target, asked in requests.items():
            with pytest.raises(NotochordError) as caught:
                await host.answer(HostRequest(target, {name: None for name in (*asked["arguments"], "more")}, b"{}"))
            if caught.value.code is not Code.INPUT_INVALID:
                unknown.append(f"{target}: {caught.value.detail}")
        with pytest.raises(NotochordError) as caught:  # only tests of drafts have it
            await host.answer(HostRequest("tools.call", {"name": "greet"}, b"{}"))
        assert caught.value.code is Code.PERM_DENIED
        return None

    notochord.sandbox.tools["tools/greet.ts"] = play
    declared = manifest(permissions=EVERYTHING, tools=[tool(permissions=SWITCHES)], resources=[resource()])
    await notochord.service.install(packages.make(declared))
    await notochord.service.call("greeter", "greet", {}, talk, Cause())
    assert unknown == []
