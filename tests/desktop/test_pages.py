"""The pages of an open organization on the real services: each is built at its first visit and left in order."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from notochord.services.organizations.api import KeyPlace
from notochord.ui.chat.page import ChatPage
from notochord.ui.settings.page import SettingsPage
from notochord.ui.shell.shell import Shell
from notochord.ui.start.setup_view import SetupView
from notochord.viewmodels.shell.navigation import Page
from notochord.viewmodels.start.setup import Step
from support.desktops import Person, run_desktop
from support.gems import FILES, PackageMaker, manifest
from support.organizations import organizations_in
from support.whole import opened


def organization(home: Path, *, model: bool = True, name: str = "Personal", package: Path | None = None) -> str:
    """Make an organization whose set-up is complete."""

    async def make() -> str:
        from notochord.services.models.api import ProviderDraft, ProviderKind

        async with opened(home, name=name) as services:
            if model:
                draft = ProviderDraft("Ollama", ProviderKind.OLLAMA, models=("qwen3",))
                await services.models.add_provider(draft, None)
            if package is not None:
                await services.gems.install(package, allow_unsigned=True)
            identifier = services.unlocked.organization.id
        await organizations_in(home).finish_setup_step(identifier, Step.DONE)
        return identifier

    return asyncio.run(make())


def page_shown(shell: Shell) -> Page:
    return shell._navigation.place.value.page


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


@pytest.mark.req("GEMUI-006", "GEMUI-009", "HOME-006", "GEMUI-050")
def test_the_included_gem_is_installed_looked_into_and_deleted_in_the_window(
    qapp: QApplication, tmp_path: Path
) -> None:
    organization(tmp_path)

    async def scenario(person: Person) -> None:
        from notochord.ui.gem.page import GemPage
        from notochord.ui.home.gem_tile import GemTile
        from notochord.ui.home.offer_row import OfferRow
        from notochord.ui.kit.controls.confirm import Confirm
        from notochord.viewmodels.gem.place import View

        shell = await person.sees(Shell)
        home = shell.page(Page.HOME)
        await person.until(lambda: bool(home.findChildren(OfferRow)), "the included gem")
        await person.press(home.findChildren(OfferRow)[0].button)
        await person.until(lambda: page_shown(shell) is Page.GEM, "the page of the gem")
        await person.until(lambda: bool(shell.page(Page.GEM).findChildren(GemPage)), "the page of the gem")
        page = shell.page(Page.GEM).findChildren(GemPage)[0]
        await person.until(lambda: page.main.head.delete.isVisible(), "its head")
        page._model.go_to(View.DATA)
        await person.until(page.data.isVisible, "its data")
        await person.reads("No collections yet.")
        page._model.go_home()
        await person.until(lambda: bool(home.findChildren(GemTile)), "the tile")
        await person.press(home.findChildren(GemTile)[0])
        await person.until(lambda: page.main.isVisible() and page.main.head.delete.isVisible(), "the page again")
        await person.press(page.main.head.delete)
        assert person.stage.window is not None
        window = person.stage.window
        await person.until(lambda: bool(window.findChildren(Confirm)), "the question")
        await person.press(window.findChildren(Confirm)[0].act)
        await person.until(lambda: page_shown(shell) is Page.HOME, "Home")
        await person.until(lambda: bool(home.findChildren(OfferRow)), "the offer again")

    run_desktop(qapp, tmp_path, scenario)


def with_a_board(folder: Path) -> Path:
    """Return a package that has a page and an agent."""
    files = {
        **FILES,
        "agents/helper.md": "---\ndescription: Helps.\n---\nYou help.",
        "pages/board.html": "<!doctype html><h1 data-agent=helper>A row</h1>",
    }
    content = manifest(pages=[{"name": "board", "title": "Board", "entry": "pages/board.html"}])
    return PackageMaker(folder).make(content, files, key=None)


@pytest.mark.req("AGENT-011")
def test_the_bubble_of_a_page_opens_a_conversation_with_the_agent_in_the_window(
    qapp: QApplication, tmp_path: Path
) -> None:
    organization(tmp_path / "home", package=with_a_board(tmp_path / "packages"))

    async def scenario(person: Person) -> None:
        from notochord.ui.chat.open_chat import OpenChatView
        from notochord.ui.gem_page.view import GemPageView

        shell = await person.sees(Shell)
        shell._navigation.go(Page.GEM_PAGE, "greeter/board")
        await person.until(lambda: bool(shell.page(Page.GEM_PAGE).findChildren(GemPageView)), "the page of the gem")
        (view,) = shell.page(Page.GEM_PAGE).findChildren(GemPageView)
        await person.until(lambda: view._model.details.value is not None, "what it is called")
        view._model.receive('{"kind":"ask","agent":"helper","about":"A row"}')
        await person.until(lambda: page_shown(shell) is Page.CHAT, "the chats")
        await person.until(lambda: bool(shell.page(Page.CHAT).findChildren(OpenChatView)), "the conversation")
        (chat,) = shell.page(Page.CHAT).findChildren(OpenChatView)
        await person.until(lambda: chat.header.folder.text() == "with helper, an agent of Greeter", "the agent")
        assert chat.composer.edit.toPlainText() == "> A row\n\n"

    run_desktop(qapp, tmp_path / "home", scenario)


def test_commands_that_come_before_the_services_are_there_are_carried_out_then(
    qapp: QApplication, tmp_path: Path
) -> None:
    organization(tmp_path)
    usual = qapp.font().pointSizeF()

    async def scenario(person: Person) -> None:
        shell = await person.sees(Shell)
        early = [command.do for command in shell.commands if command.key.endswith(("larger", "home", "settings"))]
        for press in early:
            assert press is not None
            press()
        await person.until(lambda: qapp.font().pointSizeF() > usual, "larger text")
        await person.until(lambda: bool(shell.page(Page.SETTINGS).findChildren(SettingsPage)), "the settings")
        assert not list(person.stage.notices.standing)
        person.stage.theme.set_text_size(100)

    run_desktop(qapp, tmp_path, scenario)


@pytest.mark.req("SETUP-044", "SETUP-049", "SETUP-051")
def test_a_start_without_a_model_begins_with_connecting_one_and_chat_leads_back_there(
    qapp: QApplication, tmp_path: Path
) -> None:
    organization(tmp_path, model=False)

    async def scenario(person: Person) -> None:
        from notochord.ui.start.connect_view import ConnectView

        shell = await person.sees(Shell)
        await person.until(lambda: page_shown(shell) is Page.CONNECT_MODEL, "the page")
        view = shell.page(Page.CONNECT_MODEL).findChildren(ConnectView)[0]
        await person.press(view.skip)
        assert page_shown(shell) is Page.HOME
        shell.sidebar.entries[Page.CHAT].click()
        assert page_shown(shell) is Page.CONNECT_MODEL

    run_desktop(qapp, tmp_path, scenario)


@pytest.mark.req("ORG-029", "SETUP-002", "ORG-021", "DATA-503")
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
def test_another_language_in_the_settings_reopens_the_window_where_it_was_chosen_in_the_same_size(
    qapp: QApplication, tmp_path: Path
) -> None:
    organization(tmp_path)

    async def scenario(person: Person) -> None:
        shell = await person.sees(Shell)
        await person.reads("No gem is installed yet")
        page = await page_of(person, shell, Page.SETTINGS, SettingsPage)
        assert isinstance(page, SettingsPage)
        await page._model.sections.system.start()
        before = person.stage.window
        assert before is not None
        before.resize(before.width() - 40, before.height() - 30)
        size = before.size()
        await page._model.sections.system.choose_language("zh_CN")
        await person.reads("窗口会以新语言重新打开")
        assert person.stage.window is not None
        assert person.stage.window is not before
        assert person.stage.window.size() == size

    run_desktop(qapp, tmp_path, scenario)


def test_running_answers_and_waiting_messages_outlive_a_change_of_language(qapp: QApplication, tmp_path: Path) -> None:
    organization(tmp_path)

    async def scenario(person: Person) -> None:
        shell = await person.sees(Shell)
        await person.reads("No gem is installed yet")
        before = await page_of(person, shell, Page.CHAT, ChatPage)
        assert isinstance(before, ChatPage)
        desk = before._model.desk
        desk.writing("a-chat").composer.set_text("not sent yet")
        settings = await page_of(person, shell, Page.SETTINGS, SettingsPage)
        assert isinstance(settings, SettingsPage)
        await settings._model.sections.system.start()
        await settings._model.sections.system.choose_language("zh_CN")
        await person.reads("窗口会以新语言重新打开")
        after = await page_of(person, await person.sees(Shell), Page.CHAT, ChatPage)
        assert isinstance(after, ChatPage)
        assert after._model.desk is desk
        assert desk.writing("a-chat").composer.text.value == "not sent yet"

    run_desktop(qapp, tmp_path, scenario)
