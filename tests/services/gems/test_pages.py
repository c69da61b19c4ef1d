"""Pages of a gem: what may be declared, what is served, and what they may call."""

from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.gems.draft_checks import check_draft
from notochord.services.sandbox.api import Host, HostRequest
from support.gems import FAULTS, FILES, PackageMaker, Platform, draft, manifest, tool

PAGE = {"name": "board", "title": "Board", "entry": "pages/board.html"}
HTML = '<!doctype html><link rel="stylesheet" href="board.css"><script src="board.js"></script>'
PARTS = {**FILES, "pages/board.html": HTML, "pages/board.js": "1;\n", "pages/board.css": "p { color: red }\n"}


def problems(folder: Path, pages: Any, files: dict[str, str]) -> list[tuple[str, str]]:
    """Return place and kind of what is wrong with a draft with these pages and files."""
    content = manifest(exports=[{**tool_of_draft()}], pages=pages)
    del content["tools"]
    place = draft(folder / "draft", content, {**FILES, **files})
    (place / "notochord.json").rename(place / "manifest.json")
    return [(one.path, one.kind) for one in check_draft(place, FAULTS)]


def tool_of_draft() -> dict[str, Any]:
    return {"name": "greet", "kind": "tool", "entry": "tools/greet.ts", "description": "Greets."}


@pytest.fixture
async def paged(notochord: Platform, packages: PackageMaker) -> Platform:
    """The service with a gem that has a page and a tool of its own only."""
    content = manifest(pages=[PAGE], tools=[tool(expose=False)])
    await notochord.service.install(packages.make(content, PARTS))
    return notochord


@pytest.mark.req("GEM-005")
def test_a_page_with_its_files_below_pages_is_accepted(tmp_path: Path) -> None:
    files = {"pages/board.html": HTML, "pages/parts/board.mjs": "1", "pages/a.svg": "<svg/>", "pages/a.json": "{}"}
    assert problems(tmp_path, [PAGE], files) == []


@pytest.mark.parametrize(
    ("pages", "files", "found"),
    [
        ([{**PAGE, "entry": "board.html"}], {"pages/board.html": ""}, ("pages.0.entry", "page_entry")),
        ([{**PAGE, "entry": "pages/none.html"}], {"pages/board.html": ""}, ("pages.0.entry", "page_entry")),
        ([{**PAGE, "entry": "pages/board.js"}], {"pages/board.js": ""}, ("pages.0.entry", "page_entry")),
        ([PAGE, PAGE], {"pages/board.html": ""}, ("pages.1", "page_repeated")),
        ([{**PAGE, "name": "Board"}], {"pages/board.html": ""}, ("pages.0.name", "form_item")),
        ([{**PAGE, "title": "a\nb"}], {"pages/board.html": ""}, ("pages.0.title", "form_line")),
        ([{**PAGE, "url": "x"}], {"pages/board.html": ""}, ("pages.0", "unknown_field")),
        ({"board": PAGE}, {"pages/board.html": ""}, ("pages", "wrong_type")),
        ([], {"pages/board.html": ""}, ("pages/", "page_undeclared")),
        ([PAGE], {"pages/board.html": "", "pages/run.exe": ""}, ("pages/run.exe", "page_kind")),
        ([PAGE], {"pages/board.html": "", "pages/a.HTML": ""}, ("pages/a.HTML", "page_kind")),
        ([PAGE], {"pages/board.html": "<script>1</script>"}, ("pages/board.html", "page_inline")),
        ([PAGE], {"pages/board.html": "<p onclick='x()'>"}, ("pages/board.html", "page_inline")),
        ([PAGE], {"pages/board.html": "<p style='x'>"}, ("pages/board.html", "page_inline")),
        ([PAGE], {"pages/board.html": "<script src=//cdn.example/x></script>"}, ("pages/board.html", "page_elsewhere")),
        ([PAGE], {"pages/board.html": "<img src=' HTTPS://a.example/x'>"}, ("pages/board.html", "page_elsewhere")),
        ([PAGE], {"pages/board.html": "<a href='javascript:x()'>"}, ("pages/board.html", "page_elsewhere")),
    ],
)  # fmt: skip
def test_what_a_page_could_not_use_is_told_at_its_place_when_packing(
    tmp_path: Path, pages: Any, files: dict[str, str], found: tuple[str, str]
) -> None:
    assert problems(tmp_path, pages, files) == [found]


def test_a_link_to_elsewhere_is_no_problem(tmp_path: Path) -> None:
    assert problems(tmp_path, [PAGE], {"pages/board.html": "<a href='https://a.example/'>Help</a>"}) == []


@pytest.mark.req("GEM-005")
async def test_an_installed_page_is_opened_by_name_and_its_files_are_served_with_their_kind(paged: Platform) -> None:
    pages = paged.service.pages
    assert (await pages.open("greeter", "board")).entry == "pages/board.html"
    served = await pages.file("greeter", "pages/board.css")
    assert (served.content, served.media_type) == (PARTS["pages/board.css"].encode(), "text/css")


@pytest.mark.parametrize(
    "path",
    ["tools/greet.ts", "notochord.json", "pages/none.html", "pages/../tools/greet.ts", "/etc/hostname", "", "pages"],
)
async def test_nothing_but_listed_files_below_pages_is_served(paged: Platform, path: str) -> None:
    with pytest.raises(NotochordError) as caught:
        await paged.service.pages.file("greeter", path)
    assert caught.value.code is Code.NOT_FOUND


@pytest.mark.req("PKG-082")
async def test_a_changed_file_of_a_gem_stops_its_pages_whatever_file_is_asked_for(paged: Platform) -> None:
    await paged.service.pages.file("greeter", "pages/board.html")
    script = next(paged.folder.packages.rglob("board.js"))
    script.chmod(0o644)
    script.write_text("2;\n")
    script.chmod(0o444)
    for path in ("pages/board.js", "pages/board.html"):
        with pytest.raises(NotochordError) as caught:
            await paged.service.pages.file("greeter", path)
        assert caught.value.code is Code.FILES_CHANGED


@pytest.mark.req("GEM-067")
async def test_a_page_calls_a_tool_that_is_not_exposed(paged: Platform) -> None:
    assert await paged.service.pages.call("greeter", "board", "greet", {"who": "Ann"}) == {"input": {"who": "Ann"}}
    assert paged.sandbox.calls[-1].caller.cause.run == "page:greeter/board"


async def test_arguments_of_a_page_are_checked_and_other_tools_than_its_gems_are_unknown(paged: Platform) -> None:
    wrong: dict[str, Json] = {"who": 1}
    for name, given, code in (
        ("greet", wrong, Code.TOOL_ARGUMENTS),
        ("fs.cat", {}, Code.TOOL_UNKNOWN),
        ("gem.greeter.greet", {}, Code.TOOL_UNKNOWN),
    ):
        with pytest.raises(NotochordError) as caught:
            await paged.service.pages.call("greeter", "board", name, given)
        assert caught.value.code is code


@pytest.mark.req("PERM-108", "TOOL-072")
async def test_a_call_from_a_page_has_no_workspace_and_its_runs_lie_with_the_gem(paged: Platform) -> None:
    async def play(_: Json, host: Host) -> Json:
        for target in ("files.list", "files.read", "files.write"):
            with pytest.raises(NotochordError) as caught:
                await host.answer(HostRequest(target, {"path": "workspace:a.txt"}, b"x"))
            assert caught.value.code is Code.PERM_DENIED
        await host.answer(HostRequest("files.write", {"path": "report.md"}, b"# Report"))
        return 1

    paged.sandbox.tools["tools/greet.ts"] = play
    found = await paged.service.pages.call("greeter", "board", "greet", {})
    assert isinstance(found, dict)
    left = paged.folder.gem_store("greeter") / str(found["folder"]) / "report.md"
    assert left.read_bytes() == b"# Report"


@pytest.mark.req("PERM-084")
async def test_removing_a_gem_takes_the_folders_of_its_runs_along(paged: Platform) -> None:
    async def play(_: Json, host: Host) -> Json:
        await host.answer(HostRequest("files.write", {"path": "report.md"}, b"# Report"))
        return 1

    paged.sandbox.tools["tools/greet.ts"] = play
    found = await paged.service.pages.call("greeter", "board", "greet", {})
    assert isinstance(found, dict)
    left = paged.folder.gem_store("greeter") / str(found["folder"])
    assert left.is_dir()
    await paged.service.remove("greeter")
    assert not left.exists()


async def test_pages_of_a_gem_that_is_not_installed_are_told_so(paged: Platform) -> None:
    await paged.service.remove("greeter")
    with pytest.raises(NotochordError) as caught:
        await paged.service.pages.open("greeter", "board")
    assert caught.value.code is Code.GEM_UNKNOWN
