"""How the engine is started, and how a gem's origin is named."""

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QUrl

from notochord.qt_adapters.web.engine import SCHEME, set_environment
from notochord.qt_adapters.web.host import is_own, origin_host

IDS = st.from_regex(r"[a-z0-9]{1,20}([.-][a-z0-9]{1,20}){0,4}", fullmatch=True)


def test_what_a_shell_says_takes_no_barrier_away() -> None:
    environment = {
        "QTWEBENGINE_DISABLE_SANDBOX": "1",
        "QTWEBENGINE_REMOTE_DEBUGGING": "9222",
        "QTWEBENGINE_CHROMIUM_FLAGS": "--no-sandbox --remote-debugging-port=9222",
    }
    set_environment(environment)
    flags = environment.pop("QTWEBENGINE_CHROMIUM_FLAGS")
    assert ("sandbox" in flags, "debugging" in flags) == (False, False)
    assert environment == {"QT_QUICK_BACKEND": "software"}


@settings(max_examples=40)
@given(IDS, IDS)
def test_each_gem_has_an_origin_that_browsers_leave_as_it_is(one: str, other: str) -> None:
    host = origin_host(one)
    url = QUrl(f"{SCHEME}://{host}/pages/board.html", QUrl.ParsingMode.StrictMode)
    assert (url.isValid(), url.host(), is_own(url, SCHEME, host)) == (True, host, True)
    assert (origin_host(other) == host) is (one == other)


def test_ids_that_look_like_addresses_get_names() -> None:
    for gem in ("127.0.0.1", "1.2", "0x7f.1", "a" * 128, "localhost"):
        host = origin_host(gem)
        assert host.endswith(".gem")
        assert all(len(label) <= 63 for label in host.split("."))


def test_another_port_user_or_scheme_is_not_the_own_origin() -> None:
    host = origin_host("notes")
    for text in (f"{SCHEME}://{host}:1/", f"{SCHEME}://a@{host}/", f"https://{host}/", f"{SCHEME}://x.{host}/"):
        assert not is_own(QUrl(text), SCHEME, host)
