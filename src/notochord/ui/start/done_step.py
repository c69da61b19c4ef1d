"""Step 5: all set, and where to read on."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import heading, remark
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.start.links import MODELS, PROJECTS, QUICKSTART, address

LINKS = {"quickstart": QUICKSTART, "projects": PROJECTS, "models": MODELS}


class DoneStep(QWidget):
    """`open_link` shows an address in the system's browser."""

    def __init__(self, kit: Kit, open_link: Callable[[str], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.m)
        column.addWidget(heading(kit, kit.text("window.start.done")))
        column.addWidget(remark(kit, kit.text("window.start.done.remark")))
        self.links: list[Button] = []
        for name, page in LINKS.items():
            row = QHBoxLayout()
            url = address(page, kit.sentences.language)
            link = Button(kit, kit.text(f"window.start.link.{name}"), partial(open_link, url), icon_name="globe")
            link.setToolTip(url)
            self.links.append(link)
            row.addWidget(link)
            row.addStretch(1)
            column.addLayout(row)
        column.addStretch(1)
