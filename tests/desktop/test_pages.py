"""The pages of an open organization on the real services: each is built at its first visit and left in order."""

import asyncio
import socket
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from notochord.services.chat.api import NewChat
from notochord.services.organizations.api import KeyPlace
from notochord.ui.chat.page import ChatPage
from notochord.ui.settings.page import SettingsPage
from notochord.ui.shell.shell import Shell
from notochord.ui.start.setup_view import SetupView
from notochord.viewmodels.shell.navigation import Page
from notochord.viewmodels.start.setup import Step
from support.desktops import Person, run_desktop
from support.organizations import organizations_in
from support.whole import opened


def organization(home: Path, *, model: bool = True, name: str = "Personal", address: str = "") -> str:
    """Make an organization whose set-up is complete; `address`: of a private server."""

    async def make() -> str:
        from notochord.services.models.api import ProviderDraft, ProviderKind

        async with opened(home, name=name) as services:
            if address:
                draft = ProviderDraft("Own", ProviderKind.COMPATIBLE, address, models=("m",))
                await services.models.add_provider(draft, None)
            elif model:
                draft = ProviderDraft("Ollama", ProviderKind.OLLAMA, models=("qwen3",))
                await services.models.add_provider(draft, None)
            identifier = services.unlocked.organization.id
        await organizations_in(home).finish_setup_step(identifier, Step.DONE)
        return identifier

    return asyncio.run(make())


async def page_of(person: Person, shell: Shell, page: Page, kind: type[QWidget]) -> QWidget:
    shell._navigation.go(page)
    await person.until(lambda: bool(shell.page(page).findChildren(kind)), kind.__name__)
    found: QWidget = shell.page(page).findChildren(kind)[0]
    return found


def test_every_page_opens_and_the_window_closes_over_all_of_them(qapp: QApplication, tmp_path: Path) -> None:
    organization(tmp_path)

    async def scenario(person: Person) -> None:
        shell = await person.sees(Shell)
        await person.reads("No gem is installed yet")
        await page_of(person, shell, Page.CHAT, ChatPage)
        await page_of(person, shell, Page.SETTINGS, SettingsPage)
        assert person.stage.window is not None
        person.stage.window.close()

    assert run_desktop(qapp, tmp_path, scenario) == 0


@pytest.mark.req("SETUP-044", "SETUP-049", "SETUP-051")
def test_a_start_without_a_model_begins_with_connecting_one_and_chat_leads_back_there(
    qapp: QApplication, tmp_path: Path
) -> None:
    organization(tmp_path, model=False)

    async def scenario(person: Person) -> None:
        from notochord.ui.start.connect_view import ConnectView

        shell = await person.sees(Shell)
        await person.until(lambda: shell._navigation.place.value.page is Page.CONNECT_MODEL, "the page")
        view = shell.page(Page.CONNECT_MODEL).findChildren(ConnectView)[0]
        await person.press(view.skip)
        assert shell._navigation.place.value.page is Page.HOME
        shell.sidebar.entries[Page.CHAT].click()
        assert shell._navigation.place.value.page is Page.CONNECT_MODEL

    run_desktop(qapp, tmp_path, scenario)


@pytest.mark.req("ORG-029", "SETUP-002", "ORG-021")
def test_switching_opens_the_other_organization_which_is_set_up_first(qapp: QApplication, tmp_path: Path) -> None:
    organization(tmp_path)

    async def scenario(person: Person) -> None:
        shell = await person.sees(Shell)
        await person.reads("No gem is installed yet")
        page = await page_of(person, shell, Page.SETTINGS, SettingsPage)
        assert isinstance(page, SettingsPage)
        model = page._model.sections.organization
        made = await model.create("Work")
        await model.switch(made.id)
        view = await person.sees(SetupView)
        assert view.step is Step.LANGUAGE

    run_desktop(qapp, tmp_path, scenario)
    places = {one.name: one.key_place for one in asyncio.run(organizations_in(tmp_path).all())}
    assert places == {"Personal": KeyPlace.FILE, "Work": KeyPlace.UNDECIDED}


@pytest.mark.req("SETUP-010")
def test_another_language_in_the_settings_reopens_the_window(qapp: QApplication, tmp_path: Path) -> None:
    organization(tmp_path)

    async def scenario(person: Person) -> None:
        shell = await person.sees(Shell)
        await person.reads("No gem is installed yet")
        page = await page_of(person, shell, Page.SETTINGS, SettingsPage)
        assert isinstance(page, SettingsPage)
        await page._model.sections.system.start()
        await page._model.sections.system.choose_language("zh_CN")
        await person.reads("还没有安装")

    run_desktop(qapp, tmp_path, scenario)


PIECE = 'data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,%s}]}\n\n'
BEGUN = PIECE % '"delta":{"content":"begun "},"finish_reason":null'
ENDED = PIECE % '"delta":{"content":"and ended"},"finish_reason":"stop"' + "data: [DONE]\n\n"


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, go_on: asyncio.Event) -> None:
    """Answer one request as a model's server does: half of it, and the rest when told to go on."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + BEGUN.encode())
    await writer.drain()
    await go_on.wait()
    writer.write(ENDED.encode())
    await writer.drain()
    writer.close()


@pytest.mark.req("SETUP-010")
def test_another_language_stops_no_answer(qapp: QApplication, tmp_path: Path) -> None:
    """It once ended what was being written, and said that the user had stopped it."""
    listening = socket.create_server(("127.0.0.1", 0))
    organization(tmp_path, address=f"http://127.0.0.1:{listening.getsockname()[1]}")

    async def scenario(person: Person) -> None:
        go_on = asyncio.Event()
        server = await asyncio.start_server(lambda reader, writer: answer(reader, writer, go_on), sock=listening)
        try:
            shell = await person.sees(Shell)
            chats = await page_of(person, shell, Page.CHAT, ChatPage)
            assert isinstance(chats, ChatPage)
            desk = chats._model.desk
            chat = (await desk.chats.create(NewChat())).id
            desk.writing(chat).outbox.post("hello")
            await person.until(lambda: desk.live.of(chat).steps != [], "the answer")
            settings = await page_of(person, shell, Page.SETTINGS, SettingsPage)
            assert isinstance(settings, SettingsPage)
            await settings._model.sections.system.start()
            await settings._model.sections.system.choose_language("zh_CN")
            await person.reads("首页")
            go_on.set()
            await person.until(lambda: not desk.writing(chat).outbox.busy.value, "the end of the answer")
            said = await desk.chats.entries(chat)
            assert "begun and ended" in repr(said)
        finally:
            go_on.set()
            server.close()

    run_desktop(qapp, tmp_path, scenario)
