"""Settings › System › Network access (SET-006 to SET-027), and the upstream proxy."""

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, remark
from notochord.ui.kit.kept_focus import keyboard_kept
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.host_list import HostListEditor
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Choice, Column, Group, Row
from notochord.viewmodels.settings.network import HostList, NetworkModel, OutsideMode, ProxyChoice, ProxyUse


class NetworkSection(Column):
    """The two classes of addresses, each with its rules, and the way out."""

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
        column.addStretch(1)
        self.column.addWidget(PaneView(kit, model.state, content, self._load), 1)
        bind(self, model.mode, self._show_mode)
        bind(self, model.proxy, self._show_proxy)

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
        how = remark(kit, text("window.settings.network.inside.how"))
        how.setFont(kit.theme.font("small"))
        group.add(how)
        return group

    def _way_out(self) -> Group:
        kit, text = self._kit, self._kit.text
        group = Group(kit, text("window.settings.network.proxy"), text("window.settings.network.proxy.remark"))
        self.proxy = Choice()
        for use in ProxyUse:
            self.proxy.offer_value(text(f"window.settings.network.proxy.{use}"), use)
        self.proxy.activated.connect(lambda _: self._choose_proxy())
        group.add(Row(kit, text("window.settings.network.proxy.use"), self.proxy))
        self.address_row = QWidget()
        line = QHBoxLayout(self.address_row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(kit.theme.space.s)
        self.address = QLineEdit()
        self.address.setPlaceholderText("http://proxy.example.com:3128")
        self.address.setAccessibleName(text("window.settings.network.proxy.address"))
        self.address.returnPressed.connect(self._save_proxy)
        self.save = Button(kit, text("window.settings.save"), self._save_proxy)
        line.addWidget(self.address, 1)
        line.addWidget(self.save)
        group.card.column.addWidget(self.address_row)
        self.proxy_error = Label(kit, "", size="small", colour="danger", selectable=True)
        self.proxy_error.hide()
        self.address.textEdited.connect(lambda _: self.proxy_error.hide())
        self.address.textChanged.connect(lambda _: self._show_unsaved())
        group.card.column.addWidget(self.proxy_error)
        return group

    def _show_mode(self, mode: OutsideMode) -> None:
        self.mode.show_choice(mode)
        explained = self._kit.text(f"window.settings.network.mode.{mode}.remark")
        self.mode_row.remark.setText(explained)
        self.mode.setAccessibleDescription(explained)
        self.editors[HostList.BLOCKED].setVisible(mode is OutsideMode.BLOCK)
        self.editors[HostList.ALLOWED].setVisible(mode is OutsideMode.ALLOW)

    def _show_proxy(self, proxy: ProxyChoice) -> None:
        self.proxy.show_choice(proxy.use)
        self.address.setText(proxy.address)
        self.address_row.setVisible(proxy.use is ProxyUse.ADDRESS)
        self.proxy_error.hide()
        self._show_unsaved()

    def _show_unsaved(self) -> None:
        """Save can be pressed while what stands in the field is not what is in force."""
        with keyboard_kept(self.save, self.address):
            self.save.setEnabled(self.address.text().strip() not in ("", self._model.proxy.value.address))

    def _choose_mode(self) -> None:
        self._kit.runner.run(self, "choose the mode", self._model.choose_mode(self.mode.value))

    def _choose_proxy(self) -> None:
        use = self.proxy.value
        if use is ProxyUse.ADDRESS:
            self.address_row.show()
            self.address.setFocus()
            return
        self._kit.runner.run(self, "choose a proxy", self._model.choose_proxy(use))

    def _save_proxy(self) -> None:
        def failed(error: NotochordError) -> None:
            self.proxy_error.setText(self._kit.failure(error))
            self.proxy_error.show()
            self.ensureWidgetVisible(self.proxy_error)

        if not self.save.isEnabled():
            return
        command = self._model.choose_proxy(ProxyUse.ADDRESS, self.address.text())
        self._kit.runner.run(self, "save the proxy", command, done=lambda _: self.proxy_error.hide(), failed=failed)

    def _load(self) -> None:
        self._kit.runner.run(self, "load network rules", self._model.load())
