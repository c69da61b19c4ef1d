"""What can be done with a gem of the store: install, update or open it, and while it arrives, how far it is."""

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from notochord.ui.chat.wording import file_size
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.store.model import Arriving, StoreModel
from notochord.viewmodels.store.rows import StoreRow

BAR = 120
STEPS = 1_000
OTHER = "other"
INSTALLED = "installed"
UPDATE = "update"


class Actions(QWidget):
    """One button for what can be done, or a bar with a way to stop."""

    def __init__(self, kit: Kit, model: StoreModel, parent: QWidget | None = None, *, primary: bool = False) -> None:
        super().__init__(parent)
        self._kit, self._model = kit, model
        self._gem = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(kit.theme.space.s)
        self._told = Label(kit, "", size="small", colour="text_soft")
        self._told.setWordWrap(False)
        self.bar = QProgressBar()
        self.bar.setFixedWidth(BAR)
        self.bar.setTextVisible(False)
        self.cancel = IconButton(kit, "close", kit.text("window.store.cancel"), lambda: model.cancel(self._gem))
        self.install = Button(kit, kit.text("window.store.install"), lambda: model.install(self._gem), primary=primary)
        self.open = Button(kit, kit.text("window.store.open"), lambda: model.open_installed(self._gem))
        for part in (self._told, self.bar, self.cancel, self.open, self.install):
            part.hide()
            row.addWidget(part)

    def show_row(self, gem: StoreRow) -> None:
        """Offer what fits this gem now."""
        text, self._gem = self._kit.text, gem.id
        arriving = self._model.work.value.get(gem.id)
        is_update = gem.standing == UPDATE
        self.install.setText(text("window.store.update" if is_update else "window.store.install"))
        named = "window.store.update.named" if is_update else "window.store.install.named"
        self.install.setAccessibleName(text(named, gem=gem.name))
        self.open.setAccessibleName(text("window.store.open.named", gem=gem.name))
        self.cancel.rename(text("window.store.cancel.named", gem=gem.name))
        self.bar.setAccessibleName(text("window.store.progress", gem=gem.name))
        with keyboard_kept(self.install, self.open, self.cancel):
            self.install.setVisible(arriving is None and gem.standing not in (INSTALLED, OTHER))
            self.open.setVisible(arriving is None and gem.standing in (INSTALLED, UPDATE))
            for part in (self._told, self.bar, self.cancel):
                part.setVisible(arriving is not None)
            if arriving is not None:
                self._show_arriving(arriving)

    def _show_arriving(self, arriving: Arriving) -> None:
        arrives = arriving.whole > 0 and arriving.here < arriving.whole
        self.cancel.setVisible(arrives or not arriving.whole)
        self.bar.setRange(0, STEPS if arrives else 0)
        self.bar.setValue(int(arriving.share * STEPS))
        here, whole = file_size(self._kit, arriving.here), file_size(self._kit, arriving.whole)
        key = "window.store.arriving" if arrives else "window.store.installing"
        self._told.setText(self._kit.text(key, here=here, whole=whole) if arrives else self._kit.text(key))
