"""The table of model providers, in the settings and in the first-run set-up (SETUP-029)."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.keyed_rows import KeyedRows
from notochord.ui.settings.local_files import LocalFiles
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Card
from notochord.ui.settings.provider_card import ProviderActions, ProviderCard
from notochord.ui.settings.provider_sheets import ConnectSheet, KeySheet, ModelsSheet
from notochord.ui.settings.removal import consequences
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.settings.provider_rows import Affected, ProviderRow
from notochord.viewmodels.settings.providers import ProvidersModel

Cancel = Callable[[], None]


class ProvidersTable(QWidget):
    """Providers with their models, the button that connects one, and the model files of this computer.

    Whoever shows it starts the model; the table has the states loading, failed and empty itself.
    """

    def __init__(self, kit: Kit, model: ProvidersModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._model = model
        self._tests: dict[str, Cancel] = {}
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        content = QWidget()
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(kit.theme.space.m)
        self._offer()
        self._providers()
        self._column.addWidget(LocalFiles(kit, model))
        self._column.addStretch(1)
        outer.addWidget(PaneView(kit, model.state, content, self._load))

    def _offer(self) -> None:
        """An Ollama that was found on this computer (SETUP-046, SETUP-047)."""
        kit = self._kit
        self.offer = Card(kit, tight=True)
        line = QHBoxLayout()
        line.setSpacing(kit.theme.space.m)
        self._offered: Label = Label(kit, "")
        line.addWidget(self._offered, 1)
        self.use_ollama = Button(kit, kit.text("window.settings.ollama.use"), self._use_ollama)
        line.addWidget(self.use_ollama)
        self.offer.column.addLayout(line)
        self._column.addWidget(self.offer)
        bind(self, self._model.ollama, self._show_offer)

    def _show_offer(self, models: tuple[str, ...] | None) -> None:
        self.offer.setVisible(models is not None)
        self._offered.setText(self._kit.text("window.settings.ollama.found", count=len(models or ())))

    def _providers(self) -> None:
        kit, text = self._kit, self._kit.text
        actions = ProviderActions(self._test, self._cancel_test, self._choose_models, self._replace_key, self._remove)
        self.rows: KeyedRows[ProviderRow, ProviderCard] = KeyedRows(
            self._model.providers,
            key=lambda row: (row.name, row.on_this_computer),
            make=lambda row: ProviderCard(kit, row, actions),
            show=lambda card, row: card.show_row(row),
            spacing=kit.theme.space.m,
        )
        self._column.addWidget(self.rows)
        self.empty: Label = remark(kit, text("window.settings.providers.empty"))
        self._column.addWidget(self.empty)
        bind_list(self, self._model.providers, lambda: self.empty.setVisible(not self._model.providers))
        self.add = Button(kit, text("window.settings.providers.add"), self._connect, icon_name="plus")
        line = QHBoxLayout()
        line.addWidget(self.add)
        line.addStretch(1)
        self._column.addLayout(line)

    def _load(self) -> None:
        self._kit.runner.run(self, "load providers", self._model.load())

    def _use_ollama(self) -> None:
        self._kit.runner.run(self, "use Ollama", self._model.use_ollama())

    def _test(self, name: str) -> None:
        self._tests[name] = self._kit.runner.run(self, "test a provider", self._model.test(name))

    def _cancel_test(self, name: str) -> None:
        if (cancel := self._tests.pop(name, None)) is not None:
            cancel()

    def _connect(self) -> None:
        ConnectSheet(self._kit, self._model, self._choose_first_models, self).open()

    def _choose_first_models(self, name: str, offered: tuple[str, ...]) -> None:
        used = offered if len(offered) == 1 else ()
        ModelsSheet(self._kit, self._model, name, used, offered, self).open()

    def _choose_models(self, name: str) -> None:
        used = tuple(model.name for row in self._model.providers if row.name == name for model in row.models)
        ModelsSheet(self._kit, self._model, name, used, None, self).open()

    def _replace_key(self, name: str) -> None:
        KeySheet(self._kit, self._model, name, self._test, self).open()

    def _remove(self, name: str) -> None:
        def ask(affected: Affected) -> None:
            text = self._kit.text
            Confirmation(
                self._kit,
                text("window.settings.providers.remove.title", name=name),
                text("window.settings.providers.remove.text", name=name),
                self,
                accept_text=text("window.settings.remove.now"),
                consequences=consequences(self._kit, affected),
                command=lambda: self._model.remove(name),
            ).open()

        self._kit.runner.run(self, "what a provider's removal affects", self._model.affected(name), done=ask)
