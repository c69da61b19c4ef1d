"""A connected provider in the table: where it is, which models are used, whether it works, what can be done."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from notochord.ui.kit.brought import model_note
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.numbers import numbers, whole
from notochord.ui.settings.parts import Card
from notochord.viewmodels.settings.provider_rows import CheckPhase, FileRow, ModelRow, ProviderRow

MOST_MODELS = 4
KEYLESS = ("ollama", "local")
ICON = 20
MEGABYTE, GIGABYTE = 1_000_000, 1_000_000_000


@dataclass(frozen=True, slots=True)
class ProviderActions:
    """What the buttons of a provider do, given its name."""

    test: Callable[[str], None]
    cancel_test: Callable[[str], None]
    choose_models: Callable[[str], None]
    replace_key: Callable[[str], None]
    remove: Callable[[str], None]


class ProviderCard(Card):
    """One provider; `show_row` brings it up to date."""

    def __init__(self, kit: Kit, row: ProviderRow, actions: ProviderActions, parent: QWidget | None = None) -> None:
        super().__init__(kit, parent)
        self._icon = QLabel()
        self._icon_name = "computer" if row.on_this_computer else "cloud"
        self.name = Label(kit, row.name, bold=True)
        self.badge = _OneLine(kit, "", size="small")
        self.address = Label(kit, "", colour="text_soft", size="small", selectable=True)
        self.models = Label(kit, "")
        self.status = Label(kit, "", size="small", selectable=True)
        self._head()
        self.column.addWidget(self.models)
        self.column.addWidget(self.status)
        self._bar(row.name, actions)
        kit.theme.changed.connect(self._paint_icon)
        self._paint_icon()
        self.show_row(row)

    def _head(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(self._kit.theme.space.m)
        head.addWidget(self._icon)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.name)
        words.addWidget(self.address)
        head.addLayout(words, 1)
        head.addWidget(self.badge)
        self.column.addLayout(head)

    def _bar(self, name: str, actions: ProviderActions) -> None:
        text = self._kit.text
        self.progress = QProgressBar()
        self.progress.setRange(0, 0)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(text("window.settings.providers.testing"))
        self.column.addWidget(self.progress)
        row = QHBoxLayout()
        row.setSpacing(self._kit.theme.space.s)
        self.test = Button(
            self._kit, text("window.settings.providers.test"), lambda: actions.test(name), gives_way=True
        )
        self.cancel = Button(self._kit, text("window.settings.cancel"), lambda: actions.cancel_test(name))
        self.choose = Button(
            self._kit, text("window.settings.providers.models"), lambda: actions.choose_models(name), gives_way=True
        )
        self.key = Button(self._kit, "", lambda: actions.replace_key(name), gives_way=True)
        self.remove = Button(self._kit, text("window.settings.remove"), lambda: actions.remove(name), gives_way=True)
        for button in (self.test, self.cancel, self.choose, self.key):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.remove)
        self.column.addLayout(row)

    def show_row(self, row: ProviderRow) -> None:
        """Show the provider as it is now."""
        text = self._kit.text
        here = row.on_this_computer
        is_files = row.kind == "local"
        self.badge.setText(text("window.settings.stays_here" if here else "window.settings.leaves"))
        self.badge.set_colour("success" if here else "text_soft")
        self.address.setText(text("window.settings.providers.files_here") if is_files else row.address)
        self.models.setText(models_text(self._kit, row.models))
        self.models.set_colour("text" if row.models else "warning")
        self.key.setText(text(f"window.settings.providers.key.{'change' if row.has_key else 'add'}"))
        self.key.setVisible(row.has_key or row.kind not in KEYLESS)
        for button in (self.test, self.cancel, self.choose, self.key, self.remove):
            button.setAccessibleName(f"{button.text()} {row.name}")
        self._show_check(row)

    def _show_check(self, row: ProviderRow) -> None:
        text, check = self._kit.text, row.check
        running = check.phase is CheckPhase.RUNNING
        self.progress.setVisible(running)
        with keyboard_kept(self.test, self.cancel):
            self.cancel.setVisible(running)
            self.test.setVisible(not running)
        told = ""
        if check.phase is CheckPhase.WORKS:
            told = text("window.settings.providers.works", count=check.count)
        elif running:
            told = text("window.settings.providers.testing")
        elif check.error is not None:
            told = self._kit.failure(check.error)
        self.status.setText(told)
        self.status.setVisible(bool(told))
        colours = {CheckPhase.WORKS: "success", CheckPhase.FAILED: "danger"}
        self.status.set_colour(colours.get(check.phase, "text_soft"))

    def _paint_icon(self) -> None:
        colour = self._kit.theme.colours.text_soft
        side = self._kit.theme.grown(ICON)
        self._icon.setPixmap(icon(self._icon_name, colour, side).pixmap(side))


class _OneLine(Label):
    """Stands in one line where there is room for it, and wraps where not."""

    def sizeHint(self) -> QSize:
        measure = self.fontMetrics()
        return QSize(measure.horizontalAdvance(self.text()) + 2, measure.height())


def models_text(kit: Kit, models: tuple[ModelRow, ...]) -> str:
    """Return the models in use with what is known of them, a line each; the rest is counted."""
    if not models:
        return kit.text("window.settings.providers.no_models")
    lines = [model_text(kit, model) for model in models[:MOST_MODELS]]
    if (more := len(models) - MOST_MODELS) > 0:
        lines.append(kit.text("window.settings.providers.more_models", count=more))
    return "\n".join(lines)


def model_text(kit: Kit, model: ModelRow) -> str:
    """Return a model's name and what the list of common models knows of it."""
    known = model.capabilities
    facts = []
    if known.known:
        facts.append(kit.text("window.settings.models.images" if known.vision else "window.settings.models.text_only"))
        if not known.tools:
            facts.append(kit.text("window.settings.models.no_tools"))
        if known.context:
            facts.append(kit.text("window.settings.models.context", count=whole(kit, known.context)))
    return " · ".join((model.name, *facts))


@dataclass(frozen=True, slots=True)
class FileActions:
    """What the buttons of a model file do, given its name."""

    fetch: Callable[[str], None]
    cancel: Callable[[str], None]
    use: Callable[[str], None]
    stop_using: Callable[[str], None]
    delete: Callable[[str], None]


class FileCard(QWidget):
    """A model file of this computer or of the catalogue."""

    def __init__(self, kit: Kit, row: FileRow, actions: FileActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        text, space = kit.text, kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.xs)
        head = QHBoxLayout()
        head.setSpacing(space.s)
        self.name = Label(kit, row.name, bold=True)
        head.addWidget(self.name, 1)
        self.buttons = {
            "fetch": Button(kit, text("window.settings.files.fetch"), lambda: actions.fetch(row.name), gives_way=True),
            "cancel": Button(kit, text("window.settings.cancel"), lambda: actions.cancel(row.name), gives_way=True),
            "use": Button(kit, text("window.settings.files.use"), lambda: actions.use(row.name), gives_way=True),
            "stop": Button(
                kit, text("window.settings.files.stop"), lambda: actions.stop_using(row.name), gives_way=True
            ),
            "delete": Button(
                kit, text("window.settings.files.delete"), lambda: actions.delete(row.name), gives_way=True
            ),
        }
        for button in self.buttons.values():
            button.setAccessibleName(f"{button.text()} {row.name}")
            head.addWidget(button)
        column.addLayout(head)
        self.facts = remark(kit, "", size="small")
        column.addWidget(self.facts)
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setAccessibleName(text("window.settings.files.fetching", name=row.name))
        column.addWidget(self.progress)
        self.error = Label(kit, "", size="small", colour="danger", selectable=True)
        column.addWidget(self.error)
        self.show_row(row)

    def show_row(self, row: FileRow) -> None:
        """Show the file as it is now."""
        fetching = row.progress is not None
        shown = {
            "fetch": not row.here and not fetching,
            "cancel": fetching,
            "use": row.here and not row.used,
            "stop": row.here and row.used,
            "delete": row.here,
        }
        with keyboard_kept(*self.buttons.values()):
            for name, visible in shown.items():
                self.buttons[name].setVisible(visible)
        state = "used" if row.used else "here" if row.here else "obtainable"
        facts = (size_text(self._kit, row.size), self._kit.text(f"window.settings.files.{state}"), row.licence)
        note = model_note(self._kit, row.name, row.note)
        self.facts.setText(" · ".join(fact for fact in facts if fact) + (f"\n{note}" if note else ""))
        self.progress.setVisible(fetching)
        self.progress.setValue(int((row.progress or 0) * 100))
        self.error.setText(self._kit.failure(row.error) if row.error else "")
        self.error.setVisible(row.error is not None)


def size_text(kit: Kit, size: int) -> str:
    """Return a size in MB or GB as the language writes it."""
    if size >= GIGABYTE:
        return f"{numbers(kit).toString(size / GIGABYTE, 'f', 1)} GB"
    return f"{whole(kit, round(size / MEGABYTE))} MB"
