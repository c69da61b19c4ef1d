"""Settings › System › Network access (SET-006 to SET-027), the upstream proxy, and where the store is."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.labels import remark
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.address_choice import AddressChoice
from notochord.ui.settings.host_list import HostListEditor
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Choice, Column, Group, Row
from notochord.viewmodels.settings.network import HostList, NetworkModel, OutsideMode, ProxyUse, SourceUse


class NetworkSection(Column):
    """The two classes of addresses, each with its rules, the way out, and the store's list."""

    def __init__(self, kit: Kit, model: NetworkModel, parent: QWidget | None = None) -> None:
        text = kit.text
        super().__init__(kit, text("window.settings.network.title"), text("window.settings.network.remark"), parent)
        self._kit, self._model = kit, model
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.l)
        column.addWidget(self._outside())
        column.addWidget(self._local())
        column.addWidget(self._way_out())
        column.addWidget(self._store())
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.state, content, self._load), 1)
        bind(self, model.mode, self._show_mode)
        bind(self, model.proxy, lambda proxy: self.proxy.show(proxy.use, proxy.address))
        bind(self, model.source, lambda source: self.store.show(source.use, source.address))

    def _outside(self) -> Group:
        kit, text = self._kit, self._kit.text
        group = Group(kit, text("window.settings.network.outside"), text("window.settings.network.outside.remark"))
        self.mode = Choice()
        for mode in OutsideMode:
            self.mode.offer_value(text(f"window.settings.network.mode.{mode}"), mode)
        self.mode.activated.connect(lambda _: self._choose_mode())
        self.mode_row = Row(kit, text("window.settings.network.mode"), self.mode, " ")
        group.add(self.mode_row)
        lists = QVBoxLayout()
        self.editors = {where: HostListEditor(kit, self._model, where) for where in HostList}
        lists.addWidget(self.editors[HostList.BLOCKED])
        lists.addWidget(self.editors[HostList.ALLOWED])
        group.add(lists)
        return group

    def _local(self) -> Group:
        kit, text = self._kit, self._kit.text
        group = Group(kit, text("window.settings.network.inside"), text("window.settings.network.inside.remark"))
        group.add(self.editors[HostList.LOCAL])
        group.add(remark(kit, text("window.settings.network.inside.how"), size="small"))
        return group

    def _way_out(self) -> Group:
        kit, text = self._kit, self._kit.text
        group = Group(kit, text("window.settings.network.proxy"), text("window.settings.network.proxy.remark"))
        self.proxy = AddressChoice(
            kit, group, "window.settings.network.proxy",
            by_address=ProxyUse.ADDRESS, example="http://proxy.example.com:3128", change=self._model.choose_proxy,
            into_view=self.ensureWidgetVisible,
        )  # fmt: skip
        return group

    def _store(self) -> Group:
        kit, text = self._kit, self._kit.text
        group = Group(kit, text("window.settings.network.store"), text("window.settings.network.store.remark"))
        self.store = AddressChoice(
            kit, group, "window.settings.network.store",
            by_address=SourceUse.ADDRESS, example="https://gems.example.com/index.json",
            change=self._model.choose_source, into_view=self.ensureWidgetVisible,
        )  # fmt: skip
        return group

    def _show_mode(self, mode: OutsideMode) -> None:
        self.mode.show_choice(mode)
        explained = self._kit.text(f"window.settings.network.mode.{mode}.remark")
        self.mode_row.remark.setText(explained)
        self.mode.setAccessibleDescription(explained)
        self.editors[HostList.BLOCKED].setVisible(mode is OutsideMode.BLOCK)
        self.editors[HostList.ALLOWED].setVisible(mode is OutsideMode.ALLOW)

    def _choose_mode(self) -> None:
        self._kit.runner.run(self, "choose the mode", self._model.choose_mode(self.mode.value))

    def _load(self) -> None:
        self._kit.runner.run(self, "load network rules", self._model.load())
