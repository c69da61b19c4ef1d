"""The page of a gem as it is seen."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QFileDialog, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.sentences import Sentences
from notochord.ui.gem.data_view import CollectionRow
from notochord.ui.gem.page import GemPage
from notochord.ui.gem.parts import Fact, Group
from notochord.ui.kit.controls.choices import Switch
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem.model import GemModel, Lost
from notochord.viewmodels.gem.place import GemPlace, View
from notochord.viewmodels.samples import gem as samples
from support.focus_walk import names_walked, out_of_order, shown, walk
from support.gem_screens import heard, page_of, seen


def too_wide(view: QScrollArea) -> list[QWidget]:
    """Return what reaches over the edge of a view that scrolls up and down only."""
    inside, room = view.widget(), view.viewport().width()
    assert inside is not None
    shown = [widget for widget in inside.findChildren(QWidget) if widget.isVisible()]
    return [widget for widget in shown if widget.mapTo(inside, widget.rect().topRight()).x() > room]


HEADINGS = [
    "Setup still needed", "Settings", "AI model", "Accounts", "Mailboxes it can read", "Knowledge base",
    "Working folder", "What it can do", "Procedures (SOPs)", "What's included", "Problems",
]  # fmt: skip
CHINESE = [
    "还需要完成设置", "设置", "AI 模型", "账号", "它能读的邮箱", "知识库", "工作文件夹", "它能做什么",
    "流程（SOP）", "包含的内容", "问题",
]  # fmt: skip


@pytest.mark.req("GEMUI-015")
@pytest.mark.parametrize(("language", "headings"), [("en", HEADINGS), ("zh_CN", CHINESE)])
def test_the_sections_stand_in_their_order(kit: Kit, qtbot: QtBot, language: str, headings: list[str]) -> None:
    mine = replace(kit, sentences=Sentences.load(language))
    page = page_of(mine, qtbot, samples.full(language))
    assert [text for text in seen(page) if text in headings] == headings


@pytest.mark.req("GEMUI-016", "GEMUI-041")
def test_a_gem_that_asks_for_nothing_has_neither_setup_nor_settings_nor_runs(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.simple("en"))
    assert [text for text in seen(page) if text in HEADINGS] == ["What it can do", "What's included", "Problems"]
    assert "Run log" not in seen(page)


@pytest.mark.req("RES-019", "RES-020", "RES-021", "RES-044")
def test_the_files_that_are_downloaded_for_a_gem_are_listed_one_by_one(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.full("en"))
    told = seen(page.main.abilities)
    start = told.index("Download extra files")
    assert told[start + 2 : start + 6] == [
        "Names and addresses of banks",
        "4.0 MB from files.example.org, mirror.example.net. Downloaded when a tool first needs it.",
        "A model that reads scans",
        "92.0 MB from models.example.com. Downloaded right after the installation.",
    ]
    assert told.index("What it can do") < start < told.index("What's included")
    assert "Download extra files" not in seen(page_of(kit, qtbot, samples.simple("en")).main)


@pytest.mark.req("AGENT-014", "AGENT-018", "PERM-030")
def test_what_assistants_may_use_and_why_the_net_is_needed_is_told(kit: Kit, qtbot: QtBot) -> None:
    told = seen(page_of(kit, qtbot, samples.full("en")).main.abilities)
    assert "Its assistants may use these tools of Notochord: fs.cat, fs.list" in told
    assert told[told.index("Assistant reader") + 1] == "Reads scanned invoices."
    assert "In its own words: To ask which invoices were paid." in told


@pytest.mark.req("PERM-126", "PERM-132")
@pytest.mark.parametrize("sample", [samples.full, samples.simple])
def test_neither_files_nor_storage_are_listed_as_something_asked_for(
    kit: Kit, qtbot: QtBot, sample: Callable[[str], GemModel]
) -> None:
    page = page_of(kit, qtbot, sample("en"))
    can = page.main.abilities.findChildren(Group)[0]
    told = " ".join(seen(can)).lower()
    assert told
    assert [word for word in ("storage", "database", "folder", "files", "data ") if word in told] == []


@pytest.mark.req("GEM-012", "GEMUI-043", "GEMUI-044", "GEMUI-047")
def test_what_a_gem_can_do_and_contains_is_told(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.full("en"))
    told = "\n".join(text for fact in page.main.abilities.findChildren(Fact) for text in seen(fact))
    for said in (
        "Reaches these websites: api.bank.example.com, rates.example.org",
        "Reads mail in the mailboxes that you choose",
        "Uses the parts of the knowledge base that you switch on",
        "Procedure remind\nWrites what is due this week.\nWhen: Mondays at 08:00\nCalls: tool read_invoice, read",
        "Procedure take_in\nKeeps the invoices of a mail.\nWhen: a new mail comes into a mailbox that you allowed\n",
        "Tool read_invoice",
        "Assistant reader",
        "Skill: instructions for your assistant\nWith 2 references.",
    ):
        assert said in told


@pytest.mark.req("SOP-143", "SOP-144", "SOP-145", "SOP-147")
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_each_procedure_is_told_in_words_with_what_it_calls(kit: Kit, qtbot: QtBot, language: str) -> None:
    mine = replace(kit, sentences=Sentences.load(language))
    page = page_of(mine, qtbot, samples.procedures(language))
    told = "\n".join(seen(page.main.abilities))
    for number in range(5):
        assert f"step_{number}" in told
    for said in ("07:30", "15", "0 9-17/2 1,15 * *", "count", "remember", "reader"):
        assert said in told
    assert "window.gem" not in told


def test_that_procedures_do_not_run_is_said_and_nothing_offers_to_run_one(kit: Kit, qtbot: QtBot) -> None:
    said = "This version of Notochord does not run procedures yet"
    page = page_of(kit, qtbot, samples.procedures("en"))
    assert any(text.startswith(said) for text in seen(page.main.abilities))
    assert page.main.abilities.findChildren(QAbstractButton) == []
    simple = page_of(kit, qtbot, samples.simple("en"))
    assert not any(text.startswith(said) for text in seen(simple.main.abilities))


def test_a_page_of_the_gem_is_opened_where_pages_can_be_shown(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    opened: list[tuple[str, str]] = []
    model.open_page = lambda gem, page: opened.append((gem, page))
    page = page_of(kit, qtbot, model)
    (row,) = [row for row in page.main.abilities.findChildren(RowButton) if row.text() == "Page Due"]
    row.click()
    assert opened == [("invoices", "due")]
    without = page_of(kit, qtbot, samples.full("en"))
    assert "Page Due" in seen(without.main.abilities)


@pytest.mark.req("GEMUI-046", "PERM-051")
def test_reaching_the_local_network_is_told(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.hostile("en"))
    assert "Reaches this computer and your internal network" in seen(page.main.abilities)
    simple = page_of(kit, qtbot, samples.simple("en"))
    assert "Reaches no website" in seen(simple.main.abilities)
    assert "Reaches this computer and your internal network" not in seen(simple.main.abilities)


def test_what_is_missing_leads_to_where_it_is_set(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.full("en"))
    rows = [row for row in page.main.setup.findChildren(RowButton) if row.isVisible()]
    assert [row.accessibleName().split(",")[0] for row in rows] == [
        "The model of reader", "The account bank", "The mailboxes it can read",
    ]  # fmt: skip
    rows[2].click()
    switch = page.main.mailboxes.findChildren(Switch)[0]
    qtbot.waitUntil(switch.hasFocus)
    view = page.main.viewport()
    qtbot.waitUntil(lambda: view.rect().contains(switch.mapTo(view, switch.rect().center())))


@pytest.mark.req("GEMUI-048", "GEMUI-049")
def test_problems_are_counted_and_copied(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.full("en"))
    assert [text for text in seen(page.main.problems) if "read_invoice" in text or "remember" in text] == [
        "read_invoice: 12 times", "remember: once",
    ]  # fmt: skip
    page.main.problems.copy.click()
    assert QGuiApplication.clipboard().text() == ("invoices 2.3.1\nread_invoice E_TOOL_FAILED 12\nremember E_TIMEOUT 1")
    simple = page_of(kit, qtbot, samples.simple("en"))
    assert "None so far" in seen(simple.main.problems)
    assert not simple.main.problems.copy.isVisible()


@pytest.mark.req("GEMUI-050", "GEMUI-052", "GEMUI-053")
def test_a_gem_is_deleted_after_a_question_that_names_what_is_destroyed(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    removed = heard(model, "remove")
    page = page_of(kit, qtbot, model)
    lost = Lost(True, 1200, 3, 1, 0, 5_000_000, uses_knowledge=True)
    question = page.main.head.ask_to_remove(lost)
    said = " ".join(label.text() for label in question.findChildren(Label))
    for part in ("Delete Invoices?", "1200 records, 3 documents, 1 file", "4.8 MB", "knowledge base", "undone"):
        assert part in said
    question.cancel.click()
    assert removed == []
    page.main.head.ask_to_remove(Lost(known=False)).act.click()
    assert removed == [()]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_a_gem_whose_files_changed_says_which_and_what_to_do(kit: Kit, qtbot: QtBot, language: str) -> None:
    mine = replace(kit, sentences=Sentences.load(language))
    model = samples.tampered(language)
    verified = heard(model, "verify")
    page = page_of(mine, qtbot, model)
    assert page.main.stopped.isVisible()
    assert "tools/monthly_summary.ts" in page.main.stopped.label.text()
    assert page.main.stopped.button is not None
    page.main.stopped.button.click()
    assert verified == [()]
    assert not page.main.repair.isVisible()
    model.can_repair.set(True)
    assert page.main.repair.isVisible()
    assert mine.text("window.gem.download_again") in [entry.text for entry in page.main.head.entries()]


def test_the_menu_leads_to_the_data_and_the_arrow_back(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    page = page_of(kit, qtbot, model)
    assert [entry.text for entry in page.main.head.entries()] == ["Data", "", "Check its files"]
    model.place.set(GemPlace(samples.GEM, View.DATA))
    assert page.data.isVisible()
    assert not page.main.isVisible()


@pytest.mark.parametrize(("start", "place"), [(View.DATA, "invoices"), (View.MAIN, "")])
def test_the_key_for_back_goes_where_the_arrow_leads(kit: Kit, qtbot: QtBot, start: View, place: str) -> None:
    model = samples.gem("en", view=start)
    page = page_of(kit, qtbot, model)
    QTest.keyClick(page, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert model._navigation.place.value.subject == place


def test_each_collection_is_exported_by_its_button(kit: Kit, qtbot: QtBot) -> None:
    model = samples.data("en")
    page = page_of(kit, qtbot, model)
    rows = page.findChildren(CollectionRow)
    assert rows[0].export.accessibleName() == "Export invoices as JSON lines"
    begun: list[tuple[str, str]] = []
    model.data.begin_export = lambda collection, file: begun.append((collection, file.name))  # type: ignore[method-assign]
    dialog = page.data.ask_where_to("payments")
    dialog.fileSelected.emit("/tmp/payments.jsonl")
    dialog.close()
    assert begun == [("payments", "payments.jsonl")]


def test_an_export_shows_how_far_it_is_and_is_cancelled(kit: Kit, qtbot: QtBot) -> None:
    model = samples.exporting("en")
    cancelled: list[bool] = []
    model.data.cancel = lambda: cancelled.append(True)  # type: ignore[method-assign]
    page = page_of(kit, qtbot, model)
    assert (page.data.progress.bar.value(), page.data.progress.bar.maximum()) == (21, 68)
    assert "Writing payments: 21 of 68" in seen(page.data)
    ended = page_of(kit, qtbot, samples.exported("en"))
    assert "68 records were written to /home/anna/payments.jsonl" in seen(ended.data)


@pytest.mark.req("DOCS-011", "DOCS-014", "DOCS-016", "DOCS-017")
def test_an_introduction_has_its_languages_and_tabs(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.introduction("en"))
    languages = page.introduction.languages
    assert [languages.itemText(at) for at in range(languages.count())] == ["English", "简体中文"]
    tabs = [b.text() for b in page.introduction.findChildren(QAbstractButton) if ":" in b.accessibleName()]
    assert tabs == ["Overview", "Prompts", "Examples"]


def test_a_link_of_an_introduction_tells_its_host_and_is_opened_elsewhere(kit: Kit, qtbot: QtBot) -> None:
    opened: list[str] = []
    page = GemPage(kit, samples.introduction("en"), opened.append)
    shown(qtbot, page)
    page.introduction.text.link_hovered.emit("finance.example.com")
    assert page.introduction.documents._link.text() == "finance.example.com"
    page.introduction.text.link_activated.emit("https://finance.example.com/invoices")
    assert opened == ["https://finance.example.com/invoices"]


@pytest.mark.parametrize("make", [samples.full, samples.simple, samples.tampered, samples.data])
def test_everything_is_reached_with_tab_in_its_order_and_has_a_name(
    kit: Kit, qtbot: QtBot, make: Callable[[str], GemModel]
) -> None:
    page = page_of(kit, qtbot, make("en"), 1064, 2800)
    assert all(names_walked(page))
    assert out_of_order(walk(page), page) == []


def test_the_introduction_is_reached_with_tab_after_its_tabs_and_languages(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.introduction("en"))
    names = names_walked(page)
    assert names[:3] == ["Back to Invoices", "Parts of the introduction: Overview", "English"]
    assert "Introduction" in names[3:]


@pytest.mark.parametrize("width", [560, 1064])
def test_the_longest_texts_of_a_gem_stay_within_the_page(kit: Kit, qtbot: QtBot, width: int) -> None:
    page = page_of(kit, qtbot, samples.hostile("en"), width)
    assert too_wide(page.main) == []


def test_sixty_four_collections_are_listed(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.data("en", collections=64), 420)
    assert len(page.findChildren(CollectionRow)) == 64
    assert too_wide(page.data) == []


def test_what_is_read_later_is_reached_with_tab_where_it_is_seen(kit: Kit, qtbot: QtBot) -> None:
    whole = samples.full("en")
    model = samples.bare("en", GemPlace(samples.GEM))
    page = page_of(kit, qtbot, model, 1064, 2800)
    model.assistants.options.set(whole.assistants.options.value)
    model.assistants.rows.reset(whole.assistants.rows)
    model.accounts.rows.reset(whole.accounts.rows)
    model.mailboxes.set(whole.mailboxes.value)
    model.needs.reset(whole.needs)
    model.shown.set(whole.shown.value)
    model.state.set(whole.state.value)
    names = names_walked(page)
    need = "The account bank, It is not connected. Whatever needs it fails until then."
    assert names.index(need) < names.index("Copy")
    assert out_of_order(walk(page), page) == []


def test_a_gem_that_is_not_there_any_more_says_so(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.failed("en"))
    assert any("E_GEM_UNKNOWN" in text for text in seen(page))


def test_a_later_version_is_named_and_taken_with_one_press(kit: Kit, qtbot: QtBot) -> None:
    model = samples.later("en")
    taken = heard(model, "update_now")
    page = page_of(kit, qtbot, model)
    bar = page.main.update_bar
    assert bar.isVisible()
    assert bar.label.text().startswith("Version 1.4.0 is available.")
    assert bar.button is not None
    bar.button.click()
    assert taken == [()]
    model.update.set("")
    assert not bar.isVisible()


@pytest.mark.req("SOP-150", "SOP-151")
@pytest.mark.parametrize("more", [True, False])
def test_an_update_that_asks_for_more_says_so(kit: Kit, qtbot: QtBot, more: bool) -> None:
    model = samples.simple("en")
    model.update_asks_more.set(more)
    model.update.set("2.0.0")
    page = page_of(kit, qtbot, model)
    said = " ".join(seen(page.main.update_bar))
    assert "Version 2.0.0 is available" in said
    assert ("asks for more permissions than the installed version" in said) is more


@pytest.mark.req("PERM-116")
def test_the_working_folder_stands_in_the_settings_and_can_be_changed_and_taken_back(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    asked = heard(model, "choose_working_folder")
    page = page_of(kit, qtbot, model, height=1600)
    group = page.main.folder
    assert page.main.settings.isAncestorOf(group)
    assert group.path.text() == "/home/anna/Documents/Invoices"
    group.choose.click()
    (dialog,) = page.findChildren(QFileDialog)
    assert dialog.windowTitle() == "Working folder of Invoices"
    dialog.fileSelected.emit("/home/anna/Documents")
    dialog.close()
    group.take_back.setFocus()
    group.take_back.click()
    assert asked == [(Path("/home/anna/Documents"),), (None,)]
    assert model.shown.value is not None
    model.shown.set(replace(model.shown.value, working_folder=""))
    assert group.path.text() == "None chosen: they reach none of your folders."
    assert (group.choose.text(), group.choose.hasFocus()) == ("Choose a folder…", True)
    assert not group.take_back.isVisible()
    without = page_of(kit, qtbot, samples.simple("en"))
    assert not without.main.folder.isVisible()


def test_a_working_folder_that_is_lost_is_told_of(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    page = page_of(kit, qtbot, model, height=1600)
    assert not page.main.folder.lost.isVisible()
    model.folder_lost.set(True)
    assert page.main.folder.lost.isVisible()


@pytest.mark.req("GEMUI-037")
def test_a_fact_that_a_gem_adds_is_shown_with_what_its_author_says_of_it(kit: Kit, qtbot: QtBot) -> None:
    told = seen(page_of(kit, qtbot, samples.full("en")).main.knowledge)
    at = told.index("Adds the fact finance.invoices.reminder")
    assert told[at + 1] == "How many days before an invoice is due you want to be told."
    assert at > told.index("Write to the diary")


@pytest.mark.req("GEMUI-020")
def test_all_that_can_be_set_is_in_the_settings_and_nowhere_else(kit: Kit, qtbot: QtBot) -> None:
    page = page_of(kit, qtbot, samples.full("en"), height=3200)
    main = page.main
    inside = (main.models, main.accounts, main.mailboxes, main.knowledge, main.folder)
    assert all(group.isVisible() and main.settings.isAncestorOf(group) for group in inside)
    kinds = (Switch, QComboBox, QCheckBox, QLineEdit)
    found = [one for kind in kinds for one in main.findChildren(kind) if one.isVisible()]
    assert found
    assert [one for one in found if not main.settings.isAncestorOf(one)] == []


@pytest.mark.req("PERM-128")
@pytest.mark.parametrize("sample", [samples.full, samples.simple, samples.procedures])
def test_a_folder_of_the_user_is_seen_on_the_page_as_the_working_folder_only(
    kit: Kit, qtbot: QtBot, sample: Callable[[str], GemModel]
) -> None:
    main = page_of(kit, qtbot, sample("en"), height=3200).main
    written = {text for text in seen(main.head)}  # by the author

    def about(part: QWidget) -> list[str]:
        return [text for text in seen(part) if "folder" in text.lower() and text not in written]

    assert about(main) == about(main.folder)
    assert bool(about(main)) is main.folder.isVisible()
