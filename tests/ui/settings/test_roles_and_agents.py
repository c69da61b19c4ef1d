"""Roles and agents as they are used."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from notochord.core.events import EventBus
from notochord.core.sentences import Sentences
from notochord.services.agents.api import ToolOfChoice, tool_setting
from notochord.services.gems.api import GemAgent, ModelNotice, agent_model
from notochord.services.models.api import ModelRef, ProviderDraft, ProviderKind
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.agents_section import AgentsSection
from notochord.ui.settings.parts import Choice
from notochord.ui.settings.roles_table import RolesTable, RoleView
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.samples import settings as samples
from notochord.viewmodels.settings.agents import AgentsModel
from notochord.viewmodels.settings.roles import RolesModel
from support.known_gems import KnownGems, gem_with_agents
from support.settings import MemoryModels, MemorySettings


def pick(choice: Choice, text: str) -> None:
    """Choose an entry as the mouse or the keyboard does."""
    choice.setCurrentIndex(choice.findText(text))
    choice.activated.emit(choice.currentIndex())


class Bench:
    """Roles and agents over models in memory, with one provider."""

    def __init__(self, kit: Kit) -> None:
        self.models, self.settings, events = MemoryModels(), MemorySettings(), EventBus()
        draft = ProviderDraft("Cloud", ProviderKind.OPENAI, models=("small", "large"))
        asyncio.run(self.models.add_provider(draft, None))
        self.known = KnownGems()
        self.roles = RolesModel(models=self.models, settings=self.settings, events=events)
        self.agents = AgentsModel(models=self.models, settings=self.settings, events=events, gems=self.known.door())
        self.table, self.section = RolesTable(kit, self.roles), AgentsSection(kit, self.agents)
        self.reload()

    def reload(self) -> None:
        asyncio.run(self.roles.load())
        asyncio.run(self.agents.load())

    def view(self, role: str) -> RoleView:
        return self.table.rows.views[role]


@pytest.fixture
def bench(kit: Kit, qtbot: QtBot) -> Bench:
    made = Bench(kit)
    for view in (made.table, made.section):
        qtbot.addWidget(view)
        view.show()
    return made


@pytest.mark.req("MODEL-007", "SETUP-035", "SETUP-036")
def test_a_role_gets_its_model_from_a_list(bench: Bench) -> None:
    pick(bench.view("chat").choice, "large · Cloud")
    bench.reload()
    assert bench.roles.roles[0].model == "Cloud/large"
    pick(bench.view("chat").choice, "No model")
    bench.reload()
    assert bench.roles.roles[0].model == ""


@pytest.mark.req("MODEL-011", "MODEL-012", "MODEL-013")
def test_below_a_role_stands_the_line_that_the_ai_reads(bench: Bench) -> None:
    line = bench.view("chat").line
    assert isinstance(line, QLabel)
    assert line.text() == asyncio.run(bench.models.roles())[0].description


def test_the_keyboard_is_back_in_the_form_when_a_role_of_ones_own_is_made_or_given_up(bench: Bench) -> None:
    table = bench.table
    ends: tuple[Callable[[], None], ...] = (
        lambda: pick(table.waiting_choice, "small · Cloud"),
        lambda: table.give_up.click(),
    )
    for number, end in enumerate(ends):
        table.name.setText(f"Translator {number}")
        table.line.setText("Translates")
        table.plus.click()
        assert table.focusWidget() is table.waiting_choice
        end()
        bench.reload()
        assert table.focusWidget() is table.name


@pytest.mark.req("MODEL-020", "MODEL-021", "MODEL-022")
def test_a_role_of_ones_own_is_made_by_name_description_plus_and_model(bench: Bench) -> None:
    table = bench.table
    table.name.setText("Translator")
    assert not table.plus.isEnabled()
    table.line.setText("Translates.")
    table.plus.click()
    bench.reload()
    assert len(bench.roles.roles) == 1
    assert table.waiting.isVisibleTo(table)
    pick(table.waiting_choice, "small · Cloud")
    bench.reload()
    assert [row.name for row in bench.roles.roles] == ["chat", "Translator"]
    assert not table.waiting.isVisibleTo(table)


@pytest.mark.req("MODEL-023")
def test_the_description_of_ones_own_role_is_changed_in_the_list(bench: Bench) -> None:
    asyncio.run(bench.models.add_role("Translator", "Translates.", ModelRef("Cloud", "small")))
    bench.reload()
    line = bench.view("Translator").line
    assert isinstance(line, QLineEdit)
    line.setText("Translates well.")
    line.editingFinished.emit()
    assert asyncio.run(bench.models.roles())[1].description == "Translates well."
    bench.reload()
    line.setText(" ")
    line.editingFinished.emit()
    assert line.text() == "Translates well."


@pytest.mark.req("MODEL-024", "MODEL-009")
def test_ones_own_role_is_deleted_after_a_question_and_a_built_in_one_cannot_be(bench: Bench) -> None:
    asyncio.run(bench.models.add_role("Translator", "Translates.", ModelRef("Cloud", "small")))
    bench.reload()
    assert bench.view("chat").delete is None
    button = bench.view("Translator").delete
    assert button is not None
    button.click()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    (question,) = bench.table.findChildren(Confirmation)
    assert len(bench.roles.roles) == 2
    question.submit()
    bench.reload()
    assert len(bench.roles.roles) == 1


@pytest.mark.req("MODEL-036", "MODEL-037", "SET-003")
def test_agents_get_a_role_or_a_model(bench: Bench) -> None:
    views = bench.section.rows.views
    assert list(views) == ["project", "chat", "studio", "background"]
    choice = views["background"].choice
    entries = [choice.itemText(at) for at in range(choice.count()) if choice.itemText(at)]
    assert entries == ["Chat role (default)", "Chat (no model)", "small · Cloud", "large · Cloud"]
    pick(choice, "large · Cloud")
    bench.reload()
    assert bench.agents.agents[3].value == "Cloud/large"
    assert "large of Cloud" in views["background"].uses.text()
    pick(choice, "Chat role (default)")
    bench.reload()
    assert bench.agents.agents[3].value == ""


@pytest.mark.req("MODEL-112", "MODEL-116", "MODEL-117", "MODEL-119")
@pytest.mark.parametrize(
    ("notice", "hint"),
    [
        (ModelNotice.NONE, ""),
        (ModelNotice.LACKS, "This model probably cannot do what the agent has to do."),
        (ModelNotice.NO_MODEL, "This role has no model yet."),
    ],
)
def test_an_agent_of_a_gem_is_listed_with_its_gem_and_takes_a_model_like_the_others(
    bench: Bench, notice: ModelNotice, hint: str
) -> None:
    bench.known.gems, bench.known.notice = [gem_with_agents(GemAgent("reader", "Reads receipts.", True))], notice
    bench.reload()
    view = bench.section.rows.views["gem.receipts.reader"]
    assert view.row.hint.text() == hint
    pick(view.choice, "large · Cloud")
    bench.reload()
    assert bench.settings.current(agent_model("receipts", "reader")) == "Cloud/large"


@pytest.mark.req("GEM-020", "GEM-021", "GEM-022", "GEM-023")
def test_tools_for_gems_are_taken_from_the_chat_agent_and_given_to_another(bench: Bench) -> None:
    def state(agent: str) -> dict[str, bool]:
        return {tool.value: box.isChecked() for tool, box in bench.section.rows.views[agent].tools.items()}

    on, off = {"read_skill": True, "tool_search": True}, {"read_skill": False, "tool_search": False}
    assert (state("chat"), state("project"), state("studio"), state("background")) == (on, off, off, {})
    for agent in ("chat", "project"):
        for box in bench.section.rows.views[agent].tools.values():
            box.click()
    bench.reload()
    assert (state("chat"), state("project"), state("studio")) == (off, on, off)
    assert bench.settings.current(tool_setting("chat", ToolOfChoice.READ_SKILL)) is False
    assert bench.settings.current(tool_setting("project", ToolOfChoice.TOOL_SEARCH)) is True


@pytest.mark.req("AGENT-040")
@pytest.mark.parametrize(("language", "label"), [("en", "Local"), ("zh_CN", "本地")])
def test_the_role_for_models_on_this_computer_is_called_local(
    kit: Kit, qtbot: QtBot, language: str, label: str
) -> None:
    mine = replace(kit, sentences=Sentences.load(language).in_window())
    table, section = RolesTable(mine, samples.roles()), AgentsSection(mine, samples.agents())
    for view in (table, section):
        qtbot.addWidget(view)
    assert label in [shown.text() for shown in table.rows.views["local"].findChildren(QLabel)]
    choice = section.rows.views["chat"].choice
    assert any(choice.itemText(at).startswith(label) for at in range(choice.count()))
