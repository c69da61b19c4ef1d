"""Which model answers and whether it leaves this computer, as a button that offers the others."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from notochord.ui.chat.wording import PLACES, model_name, option_name, place_name, role_name
from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.buttons import SMALL_ICON, Button
from notochord.ui.kit.controls.menus import LINE, Menu, MenuEntry
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.models import ModelChoices, ModelOption


class ModelPicker(Button):
    """`name` says what the choice is for; `on_choose` gets the value of an option, "" for the usual one.

    With `usual`, the menu begins with "the usual model".
    """

    def __init__(
        self, kit: Kit, name: str, choices: ModelChoices, on_choose: Callable[[str], None],
        parent: QWidget | None = None, *, usual: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(kit, "", self._opened, parent, gives_way=True)
        self.setFlat(True)
        self._kit = kit
        self._name = name
        self._choices = choices
        self._on_choose = on_choose
        self._usual = usual
        self._model = self._role = ""
        bind_list(self, choices.options, self._show)
        kit.theme.changed.connect(self._show)

    def show_model(self, model: str, role: str = "") -> None:
        """Show the model that answers, "PROVIDER/MODEL", and the role that led to it."""
        self._model, self._role = model, role
        self._show()

    def _opened(self) -> None:
        self.open_menu()

    def open_menu(self) -> Menu:
        """Show what there is to choose from."""
        menu = Menu(self._kit, self.entries(), self)
        menu.open_below(self)
        return menu

    def entries(self) -> Sequence[MenuEntry]:
        """Return the entries of the menu: roles, a line, models."""
        usual_model = MenuEntry(self._kit.text("window.chat.usual_model"), lambda: self._on_choose(""))
        usual = [usual_model] if self._usual else []
        roles = [self._entry(option) for option in self._choices.options if option.role]
        models = [self._entry(option) for option in self._choices.options if not option.role]
        groups = [group for group in (usual, roles, models) if group]
        found: list[MenuEntry] = []
        for group in groups:
            found += [*([LINE] if found else []), *group]
        return found or [MenuEntry(self._kit.text("window.chat.no_models"), enabled=False)]

    def _entry(self, option: ModelOption) -> MenuEntry:
        text = f"{option_name(self._kit, option)}  ·  {place_name(self._kit, option.runs_at)}"
        return MenuEntry(text, lambda: self._on_choose(option.value), PLACES[option.runs_at])

    def _show(self) -> None:
        if not self._model:
            self.setText(self._kit.text("window.chat.no_model"))
            self.setAccessibleName(f"{self._name}: {self.text()}")
            return
        place = self._choices.runs_at(self._model)
        role = f"{role_name(self._kit, self._role)} · " if self._role else ""
        name = model_name(self._model)
        self.setText(name if len(name) <= 32 else f"{name[:30]}…")
        size = self._kit.theme.grown(SMALL_ICON)
        self.setIconSize(QSize(size, size))
        self.setIcon(icon(PLACES[place], self._kit.theme.colours.text_soft, size))
        told = f"{role}{name} · {place_name(self._kit, place)}"
        self.setToolTip(told)
        self.setAccessibleName(f"{self._name}: {told}")
