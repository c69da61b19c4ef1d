"""`.wasm` tools of installed gems: checked at packing and installing, and called without a `ctx`."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.packing import pack
from notochord.services.gems.wasm_declarations import wasm_fault
from support import wasm
from support.gems import OFFICIAL, PackageMaker, draft, manifest, platform, tool
from support.guests import real_sandbox


def package(packages: PackageMaker, code: bytes) -> Path:
    packages.made += 1
    folder = packages.folder / f"draft{packages.made}"
    content = manifest(tools=[tool(entry="tools/greet.wasm", inputSchema={"type": "object"})])
    draft(folder, content, {})
    (folder / "tools").mkdir()
    (folder / "tools/greet.wasm").write_bytes(code)
    return packages.keep(pack(folder, key=OFFICIAL))


@pytest.mark.req("TOOL-078", "TOOL-132")
async def test_an_installed_tool_runs_without_ctx_and_a_changed_module_does_not(
    tmp_path: Path, packages: PackageMaker
) -> None:
    async with real_sandbox(tmp_path) as sandbox, platform(tmp_path / "org", guests=sandbox) as made:
        await made.service.install(package(packages, wasm.module()))
        cause = Cause("talk")
        assert await made.service.call("greeter", "greet", {"a": [1]}, tmp_path, cause) == {"a": [1]}
        assert not any((tmp_path / "guests").iterdir())
        module = made.service._installed("greeter").folder / "tools/greet.wasm"
        module.chmod(0o644)
        module.write_bytes(wasm.module(wasm.FAIL))
        module.chmod(0o444)
        with pytest.raises(NotochordError) as found:
            await made.service.call("greeter", "greet", {}, tmp_path, cause)
        assert found.value.code is Code.FILES_CHANGED


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (b"text", "version 1"),
        (wasm.module()[:-1], "a whole"),
        (wasm.module(imports=True), "imports nothing"),
        (wasm.module(exports=("memory",)), "exports alloc, run"),
    ],
)
async def test_what_can_be_no_tool_is_not_installed(
    tmp_path: Path, packages: PackageMaker, code: bytes, said: str
) -> None:
    async with platform(tmp_path / "org") as made:
        with pytest.raises(NotochordError) as found:
            await made.service.install(package(packages, code))
    assert found.value.code is Code.PERM_INVALID
    assert said in found.value.detail


def test_a_sound_module_has_no_fault() -> None:
    assert wasm_fault(wasm.module()) == ""


@given(st.integers(0, 120), st.binary(max_size=12))
def test_whatever_the_bytes_are_the_check_says_yes_or_no(place: int, other: bytes) -> None:
    code = wasm.module()
    assert isinstance(wasm_fault(code[:place] + other + code[place + len(other) :]), str)
    assert isinstance(wasm_fault(code[:8] + other), str)
