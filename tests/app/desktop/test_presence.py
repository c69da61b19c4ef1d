"""The program beside its window: tray, notifications, closing. The tray is played where the desktop has none."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from notochord.app.desktop.presence import Presence
from notochord.core.errors import NotochordError
from notochord.core.sentences import Sentences
from notochord.core.tasks import Lifetime
from notochord.qt_adapters.tray import Tray, TrayEntry
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.runner import LoopRunner
from notochord.ui.kit.theme.theme import Theme, ThemeChoice
from notochord.ui.shell.window import MainWindow
from notochord.viewmodels.samples import shell as samples
from notochord.viewmodels.shell.attention import Occasion, Summons
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.notices import Notices
from notochord.viewmodels.shell.preferences import CLOSING, TOLD_OF_TRAY, Closing
from support.conversations import office_in
from support.eventually import until


class PlayedTray(Tray):
    """A tray that is there or not, as the test says."""

    there = True

    def __init__(self) -> None:
        super().__init__(QIcon(), "Notochord")
        self.told: list[tuple[str, str]] = []
        self.click: Callable[[], None] = lambda: None
        self.entries: Sequence[TrayEntry] = ()

    @property
    def available(self) -> bool:
        return self.there

    def set_menu(self, entries: Sequence[TrayEntry]) -> None:
        super().set_menu(entries)
        self.entries = entries

    def notify(self, title: str, text: str, act: Callable[[], None]) -> bool:
        self.told.append((title, text))
        self.click = act
        return self.there


class Stand:
    """A window with its tray."""

    def __init__(self, application: QApplication) -> None:
        self.failed: list[NotochordError] = []
        runner = LoopRunner(lifetime=Lifetime("window"), present=self.failed.append)
        self.kit = Kit(Theme(application, ThemeChoice.LIGHT), Sentences.load("en"), runner)
        self.window = MainWindow(self.kit, notices=Notices(), frames=samples.frames())
        self.tray = PlayedTray()
        self.navigation = Navigation()
        self.ended: list[str] = []

    def presence(self, settings: object, events: object) -> Presence:
        return Presence(
            kit=self.kit, window=self.window, tray=self.tray, settings=settings, events=events,  # type: ignore[arg-type]
            navigation=self.navigation, chat_entry=samples.chat_entry(self.navigation),
            end=lambda: self.ended.append("end"),
        )  # fmt: skip


@pytest.fixture
def stand(qapp: QApplication) -> Iterator[Stand]:
    found = Stand(qapp)
    yield found
    found.window.leave()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


async def test_closing_keeps_running_unless_the_user_wants_otherwise_or_no_tray_is_there(
    tmp_path: Path, stand: Stand
) -> None:
    async with office_in(tmp_path) as office:
        presence = stand.presence(office.settings, office.events)
        assert stand.window.keeps_running
        await office.settings.change(CLOSING, Closing.QUIT.value)
        assert not stand.window.keeps_running
        stand.tray.there = False
        await office.settings.change(CLOSING, Closing.KEEP_RUNNING.value)
        assert not stand.window.keeps_running
        await presence.close()


async def test_a_tray_that_appears_later_is_used_and_one_that_goes_is_not(tmp_path: Path, stand: Stand) -> None:
    stand.tray.there = False
    async with office_in(tmp_path) as office:
        presence = stand.presence(office.settings, office.events)
        found = [stand.window.keeps_running]
        for there in (True, False):
            stand.tray.there = there
            stand.tray.look()
            found.append(stand.window.keeps_running)
        assert found == [False, True, False]
        await presence.close()


async def test_a_hidden_window_comes_back_when_the_tray_is_gone(tmp_path: Path, stand: Stand) -> None:
    async with office_in(tmp_path) as office:
        presence = stand.presence(office.settings, office.events)
        stand.window.show()
        stand.window.close()
        assert not stand.window.isVisible()
        stand.tray.there = False
        stand.tray.look()
        assert stand.window.isVisible()
        await presence.close()


async def test_the_first_closed_window_tells_where_it_went_and_no_later_one(tmp_path: Path, stand: Stand) -> None:
    async with office_in(tmp_path) as office:
        presence = stand.presence(office.settings, office.events)
        stand.tray.there = True
        stand.window.show()
        stand.window.close()
        await until(lambda: office.settings.current(TOLD_OF_TRAY))
        stand.window.raise_up()
        stand.window.close()
        ((title, text),) = stand.tray.told
        assert (title, text.partition(".")[0], stand.failed) == ("Notochord", "Notochord keeps running here", [])
        stand.tray.click()
        assert stand.window.isVisible()
        await presence.close()


async def test_the_menu_shows_what_waits_and_what_is_at_work_and_leads_there(tmp_path: Path, stand: Stand) -> None:
    async with office_in(tmp_path) as office:
        presence = stand.presence(office.settings, office.events)
        presence.follow(samples.attention(stand.navigation, "en"))
        texts = [entry.text for entry in stand.tray.entries]
        assert texts == [
            "Open Notochord", "New chat", "",
            "Waiting for you", "Sales of the first quarter", "Holiday in the Alps", "Letter to the landlord", "",
            "In progress", "Sales of the first quarter", "Which bicycle for the hills?", "", "Quit Notochord",
        ]  # fmt: skip
        for entry in stand.tray.entries:
            if entry.text in ("Holiday in the Alps", "Quit Notochord") and entry.act:
                entry.act()
        assert (stand.navigation.place.value, stand.ended) == (Place(Page.CHAT, "c4"), ["end"])
        await presence.close()


async def test_a_notification_tells_the_title_and_a_click_leads_to_the_chat(tmp_path: Path, stand: Stand) -> None:
    async with office_in(tmp_path) as office:
        presence = stand.presence(office.settings, office.events)
        presence.summon(Summons(Occasion.FINISHED, "Plans\n\u202efor us" + " more" * 20, Place(Page.CHAT, "c7")))
        ((title, text),) = stand.tray.told
        assert (title.startswith("Plans for us"), len(title), text) == (True, 40, "The answer is finished.")
        stand.tray.click()
        assert stand.navigation.place.value == Place(Page.CHAT, "c7")
        await presence.close()
