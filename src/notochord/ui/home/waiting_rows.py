"""The rows of Home that tell what waits for the user."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.controls.sections import FormRow
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.home.model import HomeModel
from notochord.viewmodels.shell.attention import Waiting, WaitsFor

ICONS = {WaitsFor.APPROVAL: "shield", WaitsFor.PLAN: "plan", WaitsFor.FAILURE: "warning"}
COLOURS = {WaitsFor.APPROVAL: "warning", WaitsFor.PLAN: "accent", WaitsFor.FAILURE: "danger"}


def waiting_row(kit: Kit, model: HomeModel, waiting: Waiting) -> QWidget:
    """Return a row that leads to the conversation; a question of none is answered in the row itself."""
    remark = kit.text(f"window.home.wants.{waiting.wants.value}", subject=waiting.subject)
    if not waiting.chat and waiting.approval:
        return _answered_here(kit, model, waiting, remark)
    title = waiting.title or kit.text("window.shell.untitled")

    def open_it() -> None:
        model.open_waiting(waiting)

    return RowButton(kit, ICONS[waiting.wants], title, remark, open_it, colour=COLOURS[waiting.wants])


def _answered_here(kit: Kit, model: HomeModel, waiting: Waiting, question: str) -> QWidget:
    answers = QWidget()
    row = QHBoxLayout(answers)
    row.setContentsMargins(0, 0, 0, 0)
    found = FormRow(kit, question, answers, explanation=waiting.arguments)

    def answer(approve: bool) -> None:
        kit.runner.run(found, "answer", model.decide(waiting, approve))

    row.addWidget(Button(kit, kit.text("window.home.refuse"), lambda: answer(False)))
    row.addWidget(Button(kit, kit.text("window.home.allow"), lambda: answer(True)))
    return found
