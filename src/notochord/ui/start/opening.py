"""What stands in the window until the organization is open."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit


class Opening(QWidget):
    """Names the organization that is being opened, if its name is known yet."""

    def __init__(self, kit: Kit, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        text = kit.text("window.start.opening.named", name=name) if name else kit.text("window.start.opening")
        self.state = State(kit, text, busy=True)
        column.addWidget(self.state)
