"""Which folders a chat may be held about, on each system."""

import os
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.sentences import Sentences
from notochord.services.files.choice import ChoiceRules, check

LINUX = ChoiceRules("linux", PurePosixPath("/home/ada"), PurePosixPath("/home/ada/.local/share/notochord"))
ROOT_USER = ChoiceRules("linux", PurePosixPath("/root"), PurePosixPath("/root/.local/share/notochord"))
SILVERBLUE = ChoiceRules("linux", PurePosixPath("/var/home/ada"), PurePosixPath("/srv/notochord"))
MAC = ChoiceRules(
    "darwin", PurePosixPath("/Users/ada"), PurePosixPath("/Users/ada/Library/Application Support/Notochord")
)
WINDOWS = ChoiceRules("win32", PureWindowsPath("C:/Users/ada"), PureWindowsPath("C:/Users/ada/AppData/Local/Notochord"))

REFUSED = [
    *((LINUX, PurePosixPath(path), reason) for path, reason in [
        ("/", "root"), ("/home/ada", "home"), ("/home", "home"), ("/home/ada/.local/share/notochord/x", "data"),
        ("/home/ada/.local", "data"), ("/etc", "system"), ("/etc/ssl", "system"), ("/usr/share/x", "system"),
        ("/var/lib/x", "system"), ("/proc/self", "system"), ("/dev/shm", "system"), ("/root/x", "system"),
        ("/run/media", "system"), ("/run/user/1000", "system"), ("/opt/x", "system"), ("/home/ada/snap/x", "system"),
        ("/tmp", "system"), ("/mnt", "system"), ("/media", "system"), ("/home/ada/.config/app", "hidden"),
        ("/home/ada/docs/.git", "hidden"), ("/mnt/disk/.Trash-1000", "hidden"), ("/home/ada/.ssh", "hidden"),
    ]),
    (ROOT_USER, PurePosixPath("/root"), "home"),
    (SILVERBLUE, PurePosixPath("/srv/notochord"), "data"),
    (SILVERBLUE, PurePosixPath("/var/lib"), "system"),
    *((MAC, PurePosixPath(path), reason) for path, reason in [
        ("/", "root"), ("/Users", "home"), ("/Users/ada", "home"), ("/users/ADA", "home"), ("/System/x", "system"),
        ("/Users/ada/Library/Mail", "system"), ("/Applications/X.app", "system"), ("/private/etc", "system"),
        ("/Users/ada/Library", "data"), ("/private/tmp", "system"), ("/Users/ada/.ssh", "hidden"),
        ("/Volumes", "system"), ("/Users/ada/Library/Mobile Documents", "system"),
    ]),
    *((WINDOWS, PureWindowsPath(path), reason) for path, reason in [
        ("C:/", "root"), ("D:/", "root"), ("C:/Users", "home"), ("c:/users/ADA", "home"), ("C:/Windows/x", "system"),
        ("c:/program files/x", "system"), ("C:/ProgramData/x", "system"), ("C:/Users/ada/AppData/x", "system"),
        ("C:/Users/ada/AppData", "data"), ("C:/Users/ada/AppData/Local/Notochord/x", "data"),
        ("C:/Users/ada/.ssh", "hidden"), ("//server/share", "root"),
    ]),
]  # fmt: skip
ACCEPTED = [
    *((LINUX, PurePosixPath(path)) for path in [
        "/home/ada/Documents", "/home/ada/x/y", "/mnt/disk/photos", "/run/media/ada/stick", "/tmp/work", "/srv/share",
        "/home/adam", "/home/ada/etc",
    ]),
    (ROOT_USER, PurePosixPath("/root/Documents")),
    (SILVERBLUE, PurePosixPath("/var/home/ada/Documents")),
    *((MAC, PurePosixPath(path)) for path in [
        "/Users/ada/Documents", "/Volumes/stick/x", "/private/tmp/x", "/private/var/folders/ab/T/x",
        "/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/x",
    ]),
    *((WINDOWS, PureWindowsPath(path)) for path in [
        "C:/Users/ada/Documents", "D:/photos", "//server/share/x", "C:/work",
    ]),
]  # fmt: skip


ROWS = {
    "root": ("PERM-118",),
    "home": ("PERM-119", "PERM-120"),
    "data": ("PERM-121",),
    "system": ("PERM-122", "PERM-123"),
    "hidden": ("PERM-124",),
}


@pytest.mark.parametrize(
    ("rules", "folder", "reason"),
    [pytest.param(*case, marks=pytest.mark.req(*ROWS[case[2]]), id=f"{case[0].system} {case[1]}") for case in REFUSED],
)
def test_a_folder_that_is_not_for_documents_is_refused(rules: ChoiceRules, folder: PurePath, reason: str) -> None:
    assert rules.reason(folder) == reason


@pytest.mark.parametrize(("rules", "folder"), ACCEPTED, ids=lambda value: str(value)[:40])
def test_a_folder_of_documents_may_be_chosen(rules: ChoiceRules, folder: PurePath) -> None:
    assert rules.reason(folder) == ""


@pytest.mark.req("PERM-125", "CHAT-011")
def test_a_link_is_judged_by_where_it_leads(tmp_path: Path) -> None:
    rules = ChoiceRules("linux", tmp_path / "home", tmp_path / "data")
    for name in ("home", "data", "documents"):
        (tmp_path / name).mkdir()
    for target in ("home", "data", "documents", "/etc"):
        (tmp_path / f"to {Path(target).name}").symlink_to(tmp_path / target)
    assert check(tmp_path / "to documents", rules) == (tmp_path / "documents").resolve()
    for name in ("to home", "to data", "to etc", "none"):
        with pytest.raises(NotochordError) as caught:
            check(tmp_path / name, rules)
        assert caught.value.code is Code.FOLDER_REFUSED


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(NotochordError) as caught:
        check(tmp_path / "file", ChoiceRules("linux", Path("/home/ada"), Path("/data")))
    assert caught.value.parameters["reason"] == "missing"


def test_a_folder_whose_name_is_no_text_is_refused_with_a_sentence_that_can_be_shown(tmp_path: Path) -> None:
    place = tmp_path / os.fsdecode(b"caf\xe9")
    place.mkdir()
    with pytest.raises(NotochordError) as caught:
        check(place, ChoiceRules("linux", Path("/home/ada"), Path("/data")))
    assert caught.value.parameters["reason"] == "name"
    assert str(caught.value.parameters["folder"]).encode()


@pytest.mark.parametrize(
    ("folder", "english", "chinese"),
    [("/", "it is a whole drive", "它是整个磁盘"), ("/etc", "it belongs to the system", "它属于系统")],
)
def test_why_a_folder_cannot_be_chosen_is_told_in_the_language_of_the_user(
    folder: str, english: str, chinese: str
) -> None:
    with pytest.raises(NotochordError) as caught:
        check(Path(folder), ChoiceRules("linux", Path("/home/ada"), Path("/data")))
    assert f"{folder} cannot be chosen: {english}" in Sentences.load("en").failure(caught.value)
    assert chinese in Sentences.load("zh_CN").failure(caught.value)
