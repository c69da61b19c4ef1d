"""What a gem has stored: its collections with counts and sizes, the last changes, and an export of each collection."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from notochord.ui.chat.dialogs import file_name
from notochord.ui.chat.wording import Moments, file_size
from notochord.ui.gem.head import BackRow
from notochord.ui.gem.parts import Group
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.controls.scroll_page import ScrollPage
from notochord.ui.kit.file_dialogs import ask_save_file
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.ui.kit.tab_order import put_in_order
from notochord.ui.settings.numbers import whole
from notochord.ui.settings.pane_view import PaneView
from notochord.viewmodels.gem.data import Export
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.values import ChangeOverview, CollectionOverview, Overview


class DataView(ScrollPage):
    """Follows the data model; the export bar stays while an export goes on."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.gem.data"), parent)
        self._kit, self._model = kit, model
        self._moments = Moments(kit, model.clock)
        self.column.addWidget(BackRow(kit, model, kit.text("window.gem.data")))
        self.progress = ExportBar(kit, model, self)
        self.column.addWidget(self.progress)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.l)
        self._sum = remark(kit, "")
        column.addWidget(self._sum)
        self._collections = Group(kit, kit.text("window.gem.collections"))
        self._changes = Group(kit, kit.text("window.gem.changes"))
        column.addWidget(self._collections)
        column.addWidget(self._changes)
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.data.state, content, self._load), 1)
        bind(self, model.data.overview, self._show)

    def ask_where_to(self, collection: str) -> QFileDialog:
        """Let the user choose the file that a collection is written to."""
        title = self._kit.text("window.gem.export_to", name=collection)
        name = file_name(f"{self._model.data.gem} {collection}") + ".jsonl"

        def begin(file: Path) -> None:
            self._model.data.begin_export(collection, file)

        return ask_save_file(self._kit, self, title, name, begin, Purpose.EXPORT, ending="jsonl")

    def _show(self, found: Overview | None) -> None:
        if found is None:
            return
        kit, text = self._kit, self._kit.text
        parts = [
            text("window.gem.count.documents", count=found.documents),
            text("window.gem.files_stored", count=found.blobs, size=file_size(kit, found.blob_size)),
            text("window.gem.count.keys", count=found.keys),
            text("window.gem.on_disk", size=file_size(kit, found.folder_size)),
        ]
        self._sum.setText(" · ".join(parts))
        rows: list[QWidget] = [CollectionRow(kit, one, self._export) for one in found.collections]
        self._collections.fill(rows or [_line(kit, text("window.gem.no_collections"))])
        changes: list[QWidget] = [ChangeRow(kit, one, self._moments.write(one.at)) for one in found.last_changes]
        self._changes.fill(changes or [_line(kit, text("window.gem.no_changes"))])
        put_in_order(self.column)

    def _export(self, collection: str) -> None:
        self.ask_where_to(collection)

    def _load(self) -> None:
        self._kit.runner.run(self, "count a gem's data", self._model.data.load(self._model.place.value.gem))


class CollectionRow(QWidget):
    """A collection: what it is, how much is in it, and the button that takes it out."""

    def __init__(
        self, kit: Kit, one: CollectionOverview, export: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        text, space = kit.text, kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.l, space.s, space.m, space.s)
        row.setSpacing(space.l)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(ElidedLabel(kit, one.name))
        facts = [text(f"window.gem.kind.{one.kind}"), text("window.gem.count.records", count=one.count)]
        facts.append(file_size(kit, one.size))
        if not one.declared:
            facts.append(text("window.gem.undeclared"))
        words.addWidget(Label(kit, " · ".join(facts), size="small", colour="text_soft"))
        row.addLayout(words, 1)
        self.export = Button(kit, text("window.gem.export"), lambda: export(one.name), icon_name="download")
        self.export.setAccessibleName(text("window.gem.export_named", name=one.name))
        row.addWidget(self.export, 0, Qt.AlignmentFlag.AlignVCenter)


class ChangeRow(QWidget):
    """One change: what happened to what, when, and who did it."""

    def __init__(self, kit: Kit, one: ChangeOverview, moment: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.l, space.s, space.l, space.s)
        row.setSpacing(space.m)
        said = kit.text(f"window.gem.change.{one.what}", subject=f"{one.kind} {one.subject}")
        row.addWidget(ElidedLabel(kit, said, size="small"), 1)
        row.addWidget(Label(kit, f"{one.actor} {one.name}".strip(), size="small", colour="text_soft"))
        row.addWidget(Label(kit, moment, size="small", colour="text_soft"))
        for at in (1, 2):
            item = row.itemAt(at)
            if item is not None and isinstance(label := item.widget(), Label):
                label.setWordWrap(False)


class ExportBar(QWidget):
    """How far an export is, and that it ended; not there without one."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._model = kit, model
        space = kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.running = QWidget()
        row = QHBoxLayout(self.running)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space.m)
        self._label = Label(kit, "", colour="text_soft")
        row.addWidget(self._label, 1)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(180)
        row.addWidget(self.bar)
        self.cancel = Button(kit, kit.text("window.kit.cancel"), model.data.cancel)
        row.addWidget(self.cancel)
        self.ended = NoticeBar(kit, "", "success", on_close=model.data.dismiss)
        column.addWidget(self.running)
        column.addWidget(self.ended)
        bind(self, model.data.export, self._show)

    def _show(self, export: Export | None) -> None:
        self.setVisible(export is not None)
        if export is None:
            return
        kit = self._kit
        self.running.setVisible(export.running)
        self.ended.setVisible(not export.running)
        if export.running:
            told = kit.text(
                "window.gem.exporting", name=export.collection, written=whole(kit, export.written),
                total=whole(kit, export.total),
            )  # fmt: skip
            self._label.setText(told)
            self.bar.setAccessibleName(told)
            self.bar.setRange(0, max(export.total, 0))
            self.bar.setValue(export.written)
        elif export.error is not None:
            self.ended.tell(kit.failure(export.error), "error")
        else:
            self.ended.tell(kit.text("window.gem.exported", count=export.written, file=str(export.file)), "success")


def _line(kit: Kit, text: str) -> Label:
    label = remark(kit, text)
    label.setContentsMargins(kit.theme.space.l, kit.theme.space.m, kit.theme.space.l, kit.theme.space.m)
    return label
