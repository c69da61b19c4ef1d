"""The settings page: the list of sections at the left with a search field above it, the section at the right."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListWidget, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.labels import Label, title
from notochord.ui.kit.controls.lead import Lead
from notochord.ui.kit.controls.search_field import SearchField
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.accounts_section import AccountsSection
from notochord.ui.settings.agents_section import AgentsSection
from notochord.ui.settings.developers_section import DevelopersSection
from notochord.ui.settings.network_section import NetworkSection
from notochord.ui.settings.organization_section import OrganizationSection
from notochord.ui.settings.parts import Column, Rule
from notochord.ui.settings.providers_section import ProvidersSection
from notochord.ui.settings.roles_section import RolesSection
from notochord.ui.settings.statistics_section import StatisticsSection
from notochord.ui.settings.system_section import SystemSection
from notochord.viewmodels.settings.page import AI_SECTIONS, Section, SettingFound, SettingsModel

LIST_WIDTH = 236
NARROW_PAGE = 700
"""Pixels below which the list of sections is as narrow as its words let it be."""
ICON = 18
ICONS = {
    Section.PROVIDERS: "cloud",
    Section.ROLES: "users",
    Section.AGENTS: "agent",
    Section.SYSTEM: "sliders",
    Section.NETWORK: "globe",
    Section.ACCOUNTS: "key",
    Section.DEVELOPERS: "shield",
    Section.ORGANIZATION: "building",
    Section.STATISTICS: "chart",
}
DATA = Qt.ItemDataRole.UserRole


class SettingsPage(Lead):
    """Shows the section that the view-model names; each is built at its first visit and read anew at every one."""

    def __init__(self, kit: Kit, model: SettingsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model = kit, model
        self._with_icons = True
        self._sought = ""
        self._built: dict[Section, Column] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._left())
        row.addWidget(Rule(kit, upright=True))
        self.stack = QStackedWidget()
        row.addWidget(self.stack, 1)
        kit.theme.changed.connect(self._paint_icons)
        self.lead_to(self.list)
        bind(self, model.found, self._show_found)
        bind(self, model.section, self._show_section)

    def _left(self) -> QWidget:
        kit, space = self._kit, self._kit.theme.space
        left = self.left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(space.m, space.xl, space.m, space.m)
        column.setSpacing(space.m)
        column.addWidget(title(kit, kit.text("window.settings.title")))
        self.search = SearchField(kit, kit.text("window.settings.search"), self._model.search)
        self.search.returnPressed.connect(self._open_first)
        column.addWidget(self.search)
        self.list = self._plain_list(kit.text("window.settings.sections"))
        self._fill_list()
        self.list.currentItemChanged.connect(lambda item, _: self._chosen(item))
        self.results = self._plain_list(kit.text("window.settings.found"))
        self.results.itemActivated.connect(self._open)
        self.results.itemClicked.connect(self._open)
        self.nothing = Label(kit, kit.text("window.settings.found.none"), colour="text_soft")
        for widget in (self.list, self.results):
            column.addWidget(widget, 1)
        column.addWidget(self.nothing, 1, Qt.AlignmentFlag.AlignTop)
        return left

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure()
            self._show_found(self._model.found.value)

    def _plain_list(self, name: str) -> QListWidget:
        found = QListWidget()
        found.setAccessibleName(name)
        found.setFrameShape(QFrame.Shape.NoFrame)
        found.setIconSize(QSize(ICON, ICON))
        found.setSpacing(1)
        found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        found.viewport().setAutoFillBackground(False)
        return found

    def _fill_list(self) -> None:
        text = self._kit.text
        for section in Section:
            if section in (AI_SECTIONS[0], Section.SYSTEM):
                self._add_heading(text("window.settings.ai" if section in AI_SECTIONS else "window.settings.app"))
            item = QListWidgetItem(text(f"window.settings.{section}.title"))
            item.setData(DATA, section.value)
            self.list.addItem(item)
        self._paint_icons()
        self._measure()

    def _measure(self) -> None:
        """Give the rows and the column of sections the room that the text needs now."""
        heading, height = self._kit.theme.font("small", bold=True), self._row()
        for at in range(self.list.count()):
            item = self.list.item(at)
            item.setSizeHint(QSize(0, height))
            if item.data(DATA) is None:
                item.setFont(heading)
        self.left.setFixedWidth(self._width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the section its room in a narrow window: the names of the others then stand without icons."""
        self.left.setFixedWidth(self._width())
        if (self.width() < NARROW_PAGE) is self._with_icons:
            self._with_icons = not self._with_icons
            self._paint_icons()
        super().resizeEvent(event)

    def _row(self, lines: int = 1) -> int:
        """Return the height of a row with so many lines of text."""
        return self._kit.theme.line_height() * lines + 2 * self._kit.theme.space.s

    def _width(self) -> int:
        """Return a width in which the names of all sections can be read at any size of text."""
        names = (self._kit.text(f"window.settings.{section}.title") for section in Section)
        widest = max(self.fontMetrics().horizontalAdvance(name) for name in names)
        space = self._kit.theme.space
        least = widest + ICON + 2 * space.xl + space.l
        return least if self.width() < NARROW_PAGE else max(LIST_WIDTH, least + 2 * space.xl - space.l)

    def _add_heading(self, text: str) -> None:
        heading = QListWidgetItem(text)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.addItem(heading)

    def _paint_icons(self) -> None:
        colour = self._kit.theme.colours.text_soft
        for at in range(self.list.count()):
            section = self.list.item(at).data(DATA)
            if section is not None:
                drawn = icon(ICONS[Section(section)], colour, ICON) if self._with_icons else QIcon()
                self.list.item(at).setIcon(drawn)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        section = item.data(DATA) if item is not None else None
        if section is not None:
            self._model.section.set(Section(section))

    def _show_section(self, section: Section) -> None:
        if section not in self._built:
            self._built[section] = self._make(section)
            self.stack.addWidget(self._built[section])
            bind(self, self._model.sections.of(section).state, lambda _: self._look_again())
        self._sought = ""
        self.stack.setCurrentWidget(self._built[section])
        for at in range(self.list.count()):
            if self.list.item(at).data(DATA) == section.value:
                self.list.setCurrentRow(at)
        self._kit.runner.run(self, f"read {section}", self._model.read(section))

    def _look_again(self) -> None:
        """Go to the setting that was sought once its section is read, and not if the user went elsewhere meanwhile."""
        section = self._built.get(self._model.section.value)
        if self._sought and section is not None and section.go_to(self._sought):
            self._sought = ""

    def _make(self, section: Section) -> Column:
        kit, models = self._kit, self._model.sections
        go = self._model.section.set
        makers: Mapping[Section, Callable[[], Column]] = {
            Section.PROVIDERS: lambda: ProvidersSection(kit, models.providers),
            Section.ROLES: lambda: RolesSection(kit, models.roles),
            Section.AGENTS: lambda: AgentsSection(kit, models.agents),
            Section.SYSTEM: lambda: SystemSection(kit, models.system, lambda: go(Section.NETWORK)),
            Section.NETWORK: lambda: NetworkSection(kit, models.network),
            Section.ACCOUNTS: lambda: AccountsSection(kit, models.accounts, lambda: go(Section.PROVIDERS)),
            Section.DEVELOPERS: lambda: DevelopersSection(kit, models.developers),
            Section.ORGANIZATION: lambda: OrganizationSection(kit, models.organization),
            Section.STATISTICS: lambda: StatisticsSection(kit, models.statistics),
        }
        return makers[section]()

    def _show_found(self, found: tuple[SettingFound, ...] | None) -> None:
        self.list.setVisible(found is None)
        self.results.setVisible(bool(found))
        self.nothing.setVisible(found == ())
        self.results.clear()
        for setting in found or ():
            where = "" if setting.is_section else "\n" + self._kit.text(f"window.settings.{setting.section}.title")
            item = QListWidgetItem(setting.title + where)
            item.setSizeHint(QSize(0, self._row(1 if setting.is_section else 2)))
            item.setIcon(icon(ICONS[setting.section], self._kit.theme.colours.text_soft, ICON))
            self.results.addItem(item)
        if found:
            self.results.setCurrentRow(0)

    def _open_first(self) -> None:
        if self.results.count():
            self._open(self.results.item(max(0, self.results.currentRow())))

    def _open(self, item: QListWidgetItem) -> None:
        """Show the section of what was found, with the setting itself in view and in focus."""
        setting = (self._model.found.value or ())[self.results.row(item)]
        self.search.clear()
        self._model.section.set(setting.section)
        section = self._built[setting.section]
        if setting.is_section:
            self.list.setFocus()
        else:
            self._sought = "" if section.go_to(setting.title) else setting.title
