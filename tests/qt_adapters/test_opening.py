"""Opening: what a stranger wrote opens nothing but pages, mail, and files that are only shown."""

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl

from notochord.qt_adapters.opening import DesktopOpening, safe_link


class System:
    """Takes down what the system is asked to open."""

    def __init__(self, works: bool = True) -> None:
        self.asked: list[str] = []
        self._works = works

    def __call__(self, url: QUrl) -> bool:
        self.asked.append(url.toLocalFile() or url.toString())
        return self._works


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com/a?b=c#d",
        "http://localhost:5173/",
        "mailto:lin@example.com?subject=Hi",
        "https://例子.测试/页",
    ],
)
def test_pages_and_mail_are_opened(address: str) -> None:
    system = System()
    assert DesktopOpening(system).open_link(address)
    assert len(system.asked) == 1


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "ssh://host", "notochord://x", "ms-msdt:/id", "",
     "//host/share", "https://", "https://user:word@example.com", "https://good.example@evil.example/", "HTTPS:evil",
     "mailto:a@b.example?attach=/etc/passwd", "mailto:a@b.example?ATTACHMENT=x", "https://a\nb", "https://a b/",
     "https://exam\u202eple.com", "vbscript:x", "https://" + "a" * 9000],
)  # fmt: skip
def test_everything_else_is_refused(address: str) -> None:
    system = System()
    assert not DesktopOpening(system).open_link(address)
    assert (system.asked, safe_link(address)) == ([], None)


@pytest.mark.parametrize("name", ["report.pdf", "表格.XLSX", "picture.png", "notes.md"])
def test_a_file_that_is_only_shown_is_opened(tmp_path: Path, name: str) -> None:
    file, system = tmp_path / name, System()
    file.write_bytes(b"x")
    assert DesktopOpening(system).open_file(file)
    assert system.asked == [str(file)]


@pytest.mark.parametrize(
    "name",
    ["page.html", "picture.svg", "run.sh", "run.desktop", "a.exe", "macro.xlsm", "noending", "a.pdf.", "a.txt ",
     "link.url", "setup.pdf.exe", "stream.txt:evil.exe"],
)  # fmt: skip
def test_a_file_that_might_act_is_shown_in_its_folder(tmp_path: Path, name: str) -> None:
    file, system = tmp_path / name, System()
    file.write_bytes(b"x")
    assert DesktopOpening(system).open_file(file)
    assert system.asked == [str(tmp_path)]


def test_a_program_with_a_harmless_name_is_shown_in_its_folder(tmp_path: Path) -> None:
    file, system = tmp_path / "readme.txt", System()
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    assert DesktopOpening(system).open_file(file)
    assert system.asked == [str(tmp_path)]


def test_a_link_in_the_folder_is_not_followed(tmp_path: Path) -> None:
    target, link, system = tmp_path / "a.txt", tmp_path / "b.txt", System()
    target.write_text("x")
    link.symlink_to(target)
    assert not DesktopOpening(system).open_file(link)
    assert system.asked == []


def test_what_is_not_there_or_does_not_open_is_told(tmp_path: Path) -> None:
    system = System(works=False)
    opening = DesktopOpening(system)
    assert not opening.open_file(tmp_path / "gone.txt")
    assert not opening.show_folder(tmp_path / "gone")
    assert not opening.show_folder(tmp_path)
    assert not opening.open_link("https://example.com")
