"""What of the user's mail and knowledge a gem may read: all of it is off until it is switched on (GEMUI-026 to 032)."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.gem.parts import Group
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.breakable import breakable
from notochord.ui.kit.controls.choices import Switch
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.sections import FormRow
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem.folders import FolderRow, folder_rows
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.shown import USER_SELECTED, GemShown, KnowledgeSwitch


class MailboxesGroup(Group):
    """The mailboxes, and all of them at once; not there for a gem that asks for no mail."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.gem.mailboxes"), kit.text("window.gem.mailboxes.remark"), parent)
        self._model = model
        self._made: object = None
        self._switches: dict[str, Switch] = {}
        bind(self, model.shown, lambda _: self._show())
        bind(self, model.mailboxes, lambda _: self._show())

    def _show(self) -> None:
        found = self._model.shown.value
        self.setVisible(found is not None and found.reads_mail)
        if found is None or not found.reads_mail:
            return
        if self._made != self._model.mailboxes.value:
            self._made = self._model.mailboxes.value
            self._make()
        for name, switch in self._switches.items():
            every = found.every_mailbox
            switch.setChecked(every or name in found.mailboxes)
            switch.setEnabled(not name or not every)

    def _make(self) -> None:
        text = self._kit.text
        self._switches = {"": Switch(self._kit, text("window.gem.every_mailbox"))}
        rows: list[QWidget] = [FormRow(self._kit, text("window.gem.every_mailbox"), self._switches[""])]
        for mailbox in self._model.mailboxes.value:
            switch = self._switches[mailbox.id] = Switch(self._kit, mailbox.address)
            rows.append(FormRow(self._kit, breakable(mailbox.address), switch))
        if len(rows) == 1:
            rows.append(_line(self._kit, text("window.gem.no_mailbox")))
        for switch in self._switches.values():
            switch.clicked.connect(lambda _=False: self._choose())
        self.fill(rows)

    def _choose(self) -> None:
        every = self._switches[""].isChecked()
        found = self._model.shown.value
        before = found.mailboxes if found is not None else frozenset()
        chosen = frozenset(name for name, switch in self._switches.items() if name and switch.isChecked())
        was_every = found is not None and found.every_mailbox
        command = self._model.choose_mailboxes(before if every or was_every else chosen, every=every)
        self._kit.runner.run(self, "choose mailboxes", command)


class KnowledgeGroup(Group):
    """One switch for each part of the knowledge base that the gem asks for, the folders where they are chosen, and the
    facts that the gem adds."""

    def __init__(self, kit: Kit, model: GemModel, parent: QWidget | None = None) -> None:
        super().__init__(kit, kit.text("window.gem.knowledge"), kit.text("window.gem.knowledge.remark"), parent)
        self._model = model
        self._made: object = None
        self._switches: dict[str, Switch] = {}
        self._choices: dict[str, FolderChoice] = {}
        bind(self, model.shown, lambda _: self._show())
        bind(self, model.folders, lambda _: self._show())

    def _show(self) -> None:
        found, folders = self._model.shown.value, self._model.folders.value
        self.setVisible(found is not None and bool(found.knowledge))
        if found is None:
            return
        names = tuple(one.permission for one in found.knowledge)
        asked = (found.knowledge_reason, names, found.introduced, bool(folders))
        if asked != self._made:
            self._made = asked
            self._make(found)
        for one in found.knowledge:
            self._switches[one.permission].setChecked(one.allowed)
            if (choice := self._choices.get(one.permission)) is not None:
                choice.setVisible(one.allowed)
                choice.show_rows(folder_rows(folders, one.chosen))

    def _make(self, found: GemShown) -> None:
        rows: list[QWidget] = []
        self._switches, self._choices = {}, {}
        if found.knowledge_reason:
            rows.append(_line(self._kit, self._kit.text("window.gem.reason", reason=found.knowledge_reason)))
        for one in found.knowledge:
            said = knowledge_text(self._kit, one)
            switch = self._switches[one.permission] = Switch(self._kit, said)
            switch.clicked.connect(lambda now, name=one.permission: self._allow(name, now))
            rows.append(FormRow(self._kit, breakable(said), switch, explanation=self._below(one)))
            if one.subject == USER_SELECTED and self._model.folders.value:
                choice = FolderChoice(self._kit, said, partial(self._choose, one.permission))
                self._choices[one.permission] = choice
                rows.append(choice)
        for name, said in found.introduced:
            told = breakable(self._kit.text("window.gem.introduces", fact=name))
            rows.append(FormRow(self._kit, told, explanation=breakable(said)))
        self.fill(rows)

    def _below(self, one: KnowledgeSwitch) -> str:
        if one.subject != USER_SELECTED:
            return ""
        return self._kit.text("window.gem.folders.remark" if self._model.folders.value else "window.gem.no_folder")

    def _allow(self, permission: str, allowed: bool) -> None:
        command = self._model.allow_knowledge(permission, allowed=allowed)
        self._kit.runner.run(self, "allow knowledge", command)

    def _choose(self, permission: str, folder: str, chosen: bool) -> None:
        command = self._model.choose_folder(permission, folder, chosen=chosen)
        self._kit.runner.run(self, "choose a folder", command)


class FolderChoice(QWidget):
    """The folders of the knowledge base to check; what lies in a checked one is checked with it."""

    def __init__(self, kit: Kit, name: str, choose: Callable[[str, bool], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._choose = kit, choose
        self.setAccessibleName(name)
        space = kit.theme.space
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(space.l, space.s, space.l, space.m)
        self._holder = QWidget()
        self._column.addWidget(self._holder)
        self._made: object = None
        self.boxes: dict[str, QCheckBox] = {}

    def show_rows(self, rows: tuple[FolderRow, ...]) -> None:
        """Show how the choice is now; boxes stay as long as the folders are the same, and the keyboard in them."""
        shape = tuple((row.id, row.name, row.depth) for row in rows)
        if shape != self._made:
            self._made = shape
            self._make(rows)
        for row in rows:
            box = self.boxes[row.id]
            box.setChecked(row.chosen or row.included)
            box.setEnabled(not row.included)

    def _make(self, rows: tuple[FolderRow, ...]) -> None:
        before, self._holder = self._holder, QWidget()
        self._column.removeWidget(before)
        before.hide()
        before.deleteLater()
        self._column.addWidget(self._holder)
        column = QVBoxLayout(self._holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._kit.theme.space.xs)
        self.boxes = {}
        for row in rows:
            box = self.boxes[row.id] = QCheckBox(row.name.replace("&", "&&"))
            box.clicked.connect(lambda now, folder=row.id: self._choose(folder, now))
            indented = QHBoxLayout()
            indented.setContentsMargins(row.depth * self._kit.theme.space.xl, 0, 0, 0)
            indented.addWidget(box)
            indented.addStretch(1)
            column.addLayout(indented)


def knowledge_text(kit: Kit, one: KnowledgeSwitch) -> str:
    """Return what a permission lets the gem do; one of a kind that this version does not know stands for itself."""
    key = f"window.gem.knowledge.{one.action}"
    if key not in kit.sentences.texts:
        return one.permission
    subject = f"window.gem.subject.{one.subject}"
    shown = kit.text(subject) if subject in kit.sentences.texts else one.subject
    return kit.text(key, subject=shown, predicate=one.predicate)


def _line(kit: Kit, text: str) -> Label:
    label = Label(kit, breakable(text), size="small", colour="text_soft")
    label.setContentsMargins(kit.theme.space.l, kit.theme.space.m, kit.theme.space.l, kit.theme.space.m)
    return label
