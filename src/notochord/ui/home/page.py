"""The page Home: what waits for the user, and the installed gems; projects come above them when they land."""

from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.home.gem_tile import GemTile, StoreTile, Tile
from notochord.ui.home.offer_row import OfferRow
from notochord.ui.home.tile_grid import TileGrid
from notochord.ui.home.waiting_rows import waiting_row
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import heading, remark, title
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.controls.scroll_page import ScrollPage
from notochord.ui.kit.controls.sections import Section
from notochord.ui.kit.controls.skeleton import Skeleton
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.file_dialogs import ask_open_file
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.ui.kit.tab_order import put_in_order
from notochord.viewmodels.home.model import GemRow, HomeModel, Reading

PACKAGE = ".gem"
STORE = ""
"""Stands for the tile of the store among the ids of gems."""


class HomePage(ScrollPage):
    """Shows a `HomeModel`, which its maker starts and closes."""

    def __init__(self, kit: Kit, model: HomeModel) -> None:
        super().__init__(kit, kit.text("window.home.title"))
        self._kit = kit
        self._model = model
        self._tiles: dict[str, Tile] = {}
        self.setAcceptDrops(True)
        head = QHBoxLayout()
        head.addWidget(title(kit, kit.text("window.home.title")), 1)
        self._new = Button(kit, kit.text("window.home.new_chat"), model.new_chat, primary=True, icon_name="new-chat")
        head.addWidget(self._new)
        self.column.addLayout(head)
        self.column.setSpacing(kit.theme.space.xl)
        self._connect = NoticeBar(
            kit, kit.text("window.home.no_model"), "info",
            action=kit.text("window.home.connect_model"), on_action=model.connect_model,
        )  # fmt: skip
        self.column.addWidget(self._connect)
        self._waiting = _room(self.column, kit)
        self.column.addLayout(self._head_of_gems())
        self._drop = NoticeBar(kit, kit.text("window.home.drop"), "info")
        self._drop.hide()
        self.column.addWidget(self._drop)
        self._installing = remark(kit, "")
        self.column.addWidget(self._installing)
        self._gems = _room(self.column, kit)
        self._offers = _room(self.column, kit)
        self.column.addStretch(1)
        bind(self, model.model_connected, self._show_connection)
        bind_list(self, model.waiting, self._show_waiting)
        bind_list(self, model.gems, self._show_gems)
        bind_list(self, model.offered, self._show_offers)
        bind_list(self, model.offered, self._show_gems)
        bind(self, model.installing, self._show_installing)
        bind(self, model.reading, lambda _: self._show_gems())

    def _show_connection(self, connected: bool) -> None:
        self._connect.setVisible(not connected)
        self._new.setVisible(connected)

    def _show_waiting(self) -> None:
        _empty(self._waiting)
        holder = self._waiting.parentWidget()
        if holder is not None:
            holder.setVisible(bool(self._model.waiting))
        if not self._model.waiting:
            return
        section = Section(self._kit, self._kit.text("window.home.waiting"))
        for waiting in self._model.waiting:
            section.add(waiting_row(self._kit, self._model, waiting))
        self._waiting.addWidget(section)
        put_in_order(self.column)

    def ask_for_file(self) -> QFileDialog:
        """Let the user choose a package that is installed then."""
        title, pattern = self._kit.text("window.home.install_file"), self._kit.text("window.home.packages")
        return ask_open_file(self._kit, self, title, self._install, Purpose.PACKAGE, pattern=pattern)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take packages, and nothing else."""
        if _packages(event.mimeData()):
            self._drop.show()
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Install what was dropped."""
        self._drop.hide()
        for file in _packages(event.mimeData()):
            self._install(file)
        event.acceptProposedAction()

    def _head_of_gems(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(heading(self._kit, self._kit.text("window.home.gems")), 1)
        self.from_file = Button(
            self._kit, self._kit.text("window.home.install_file"), self._choose, icon_name="download"
        )
        row.addWidget(self.from_file)
        return row

    def _choose(self) -> None:
        self.ask_for_file()

    def _install(self, file: Path) -> None:
        self._kit.runner.run(self, "install a gem", self._model.install_file(file))

    def _show_installing(self, installing: frozenset[str]) -> None:
        self._show_offers()
        files = sorted(Path(one).name for one in installing if one.endswith(PACKAGE))
        names = self._kit.text("window.settings.list.separator").join(files)
        self._installing.setText(self._kit.text("window.home.installing_file", name=names))
        self._installing.setVisible(bool(files))

    def _show_gems(self) -> None:
        held = next((gem for gem, tile in self._tiles.items() if tile.hasFocus()), None)
        _empty(self._gems)
        self._tiles = {STORE: self._store_tile()} if self._model.has_store else {}
        self._tiles |= {gem.id: self._tile(gem) for gem in self._model.gems}
        if self._tiles:
            self._gems.addWidget(TileGrid(self._kit, list(self._tiles.values())))
            if held in self._tiles:
                self._tiles[held].setFocus()
        self._tell_of_gems()
        put_in_order(self.column)

    def _tell_of_gems(self) -> None:
        """Tell why there is no gem, if there is none."""
        if self._model.gems:
            return
        if self._model.reading.value is Reading.LOADING:
            self._gems.addWidget(Skeleton(self._kit, self._kit.text("window.home.loading")))
        elif error := self._model.failure.value:
            self._gems.addWidget(
                NoticeBar(
                    self._kit, self._kit.failure(error), "error", action=self._kit.text("window.home.again"),
                    on_action=lambda: self._again(),
                )
            )  # fmt: skip
        elif self._model.offered or self._model.has_store:
            self._gems.addWidget(remark(self._kit, self._kit.text("window.home.none")))
        else:
            self._gems.addWidget(
                State(self._kit, self._kit.text("window.home.none"), self._kit.text("window.home.none_explained"))
            )

    def _store_tile(self) -> Tile:
        updates = sum(bool(gem.update) for gem in self._model.gems)
        return StoreTile(self._kit, self._model.open_store, updates)

    def _tile(self, gem: GemRow) -> GemTile:
        def pin(pinned: bool) -> None:
            self._kit.runner.run(self, "pin a gem", self._model.pin(gem.id, pinned=pinned))

        return GemTile(self._kit, gem, lambda: self._model.open_gem(gem.id), pin)

    def _show_offers(self) -> None:
        _empty(self._offers)
        if not self._model.offered:
            return
        section = Section(self._kit, self._kit.text("window.home.offered"))
        for offer in self._model.offered:
            section.add(OfferRow(self._kit, self._model, offer))
        self._offers.addWidget(section)
        put_in_order(self.column)

    def _again(self) -> None:
        self._kit.runner.run(self, "read gems", self._model.read())


def _packages(dragged: QMimeData) -> list[Path]:
    """Return what is dragged, if all of it is packages on this computer."""
    files = [Path(url.toLocalFile()) if url.isLocalFile() else Path() for url in dragged.urls()]
    return files if files and all(file.suffix.lower() == PACKAGE for file in files) else []


def _room(column: QVBoxLayout, kit: Kit) -> QVBoxLayout:
    """Return a place in the column whose widgets are exchanged."""
    holder = QWidget()
    room = QVBoxLayout(holder)
    room.setContentsMargins(0, 0, 0, 0)
    room.setSpacing(kit.theme.space.s)
    column.addWidget(holder)
    return room


def _empty(room: QVBoxLayout) -> None:
    while (item := room.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
