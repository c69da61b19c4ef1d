"""What a gem can do, what is downloaded for it, and what it contains (GEMUI-043 to GEMUI-047, RES-044)."""

from collections.abc import Callable, Iterator
from typing import Protocol

from PySide6.QtWidgets import QWidget

from notochord.core.observable import Observable
from notochord.core.sentences import joined
from notochord.ui.chat.wording import file_size
from notochord.ui.gem.parts import Chapter, Fact, Group
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem.procedures import Procedure
from notochord.viewmodels.gem.shown import ExtraFile, GemShown, Item


class Described(Protocol):
    """Whose gem is shown: an installed one, or one of the store."""

    shown: Observable[GemShown | None]
    open_page: Callable[[str, str], None] | None


class AbilitiesChapter(Chapter):
    """Facts of the signed manifest, as recorded or as listed; drawn anew only when another version is there."""

    def __init__(self, kit: Kit, model: Described, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.gem.can"), parent)
        self._model = model
        self._told: object = None
        self._can = Group(kit)
        self._files = Group(kit, kit.text("window.gem.files"), kit.text("window.gem.files.remark"))
        self._procedures = Group(kit, kit.text("window.gem.procedures"), kit.text("window.gem.procedures.not_yet"))
        self._holds = Group(kit, kit.text("window.gem.contains"))
        self.column.addWidget(self._can)
        self.column.addWidget(self._procedures)
        self.column.addWidget(self._files)
        self.column.addWidget(self._holds)
        bind(self, model.shown, self._show)

    def _show(self, found: GemShown | None) -> None:
        if found is None or self._told == (found.id, found.version, found.procedures):
            return
        self._told = (found.id, found.version, found.procedures)
        self._can.fill(list(self._abilities(found)))
        self._procedures.setVisible(bool(found.procedures))
        self._procedures.fill(map(self._procedure, found.procedures))
        self._files.setVisible(bool(found.files))
        self._files.fill([self._file(one) for one in found.files])
        contents = list(self._contents(found))
        self._holds.setVisible(bool(contents))
        self._holds.fill(contents)

    def _abilities(self, found: GemShown) -> Iterator[QWidget]:
        kit, text = self.kit, self.kit.text
        why = text("window.gem.reason", reason=found.network_reason) if found.network_reason else ""
        if found.hosts:
            listed = text("window.settings.list.separator").join(found.hosts)
            yield Fact(kit, "globe", text("window.gem.reaches", hosts=listed), why)
        elif not found.local_network:
            yield Fact(kit, "globe", text("window.gem.reaches_nothing"))
        if found.local_network:
            yield Fact(kit, "computer", text("window.gem.reaches_local"), text("window.gem.reaches_local.why"))
        mail, knowledge = found.reads_mail, bool(found.knowledge)
        yield Fact(kit, "mail", text("window.gem.reads_mail" if mail else "window.gem.reads_no_mail"))
        yield Fact(kit, "list", text("window.gem.uses_knowledge" if knowledge else "window.gem.uses_no_knowledge"))
        if found.uses_model:
            yield Fact(kit, "agent", text("window.gem.uses_model"))
        if found.platform_tools:
            listed = text("window.settings.list.separator").join(found.platform_tools)
            yield Fact(kit, "tool", text("window.gem.platform_tools", tools=listed))

    def _procedure(self, one: Procedure) -> QWidget:
        """Tell when an SOP runs and what it calls (GEMUI-045, SOP-143 to SOP-147)."""
        text, when = self.kit.text, one.when
        said = text(
            f"window.gem.when.{when.kind}", time=when.time, count=when.number, when=when.as_written,
            weekday=text(f"window.gem.weekday.{when.weekday}"),
        )  # fmt: skip
        calls = [text("window.gem.calls.tool", name=name) for name in one.tools]
        calls += [text("window.gem.calls.agent", name=name) for name in one.agents]
        calls += [text(f"window.gem.calls.{name}") for name in one.services]
        listed = text("window.settings.list.separator").join(dict.fromkeys(calls))
        lines = [one.text, said, text("window.gem.calls", calls=listed) if calls else ""]
        return Fact(self.kit, "plan", text("window.gem.procedure", name=one.name), "\n".join(filter(None, lines)))

    def _file(self, one: ExtraFile) -> QWidget:
        text = self.kit.text
        when = text("window.gem.files.at_once" if one.required else "window.gem.files.when_needed")
        hosts = text("window.settings.list.separator").join(one.hosts)
        below = text("window.gem.files.told", size=file_size(self.kit, one.size), hosts=hosts, when=when)
        return Fact(self.kit, "download", one.description, below)

    def _contents(self, found: GemShown) -> Iterator[QWidget]:
        kit, text = self.kit, self.kit.text
        for kind, icon, items in (("tool", "tool", found.tools), ("agent", "agent", found.agents)):
            for item in items:
                yield Fact(kit, icon, text(f"window.gem.{kind}", name=item.name), self._said(item))
        if found.has_skill:
            below = text("window.gem.skill.references", count=found.references) if found.references else ""
            yield Fact(kit, "file", text("window.gem.skill"), below)
        for name, title in found.pages:
            yield self._page(found.id, name, text("window.gem.page", name=title))

    def _page(self, gem: str, name: str, text: str) -> QWidget:
        if (open_page := self._model.open_page) is None:
            return Fact(self.kit, "panel", text)
        return RowButton(self.kit, "panel", text, "", lambda: open_page(gem, name))

    def _said(self, item: Item) -> str:
        own = "" if item.shared else self.kit.text("window.gem.own_item")
        return joined((item.text, own))
