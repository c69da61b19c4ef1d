"""Pictures of the set-up, of connecting a model, and of what keeps an organization from opening."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QWidget

from notochord.core.codes import Code
from notochord.ui.gallery.scene import Scene
from notochord.ui.kit.kit import Kit
from notochord.ui.settings.providers_table import ProvidersTable
from notochord.ui.settings.roles_table import RolesTable
from notochord.ui.start.connect_view import ConnectView
from notochord.ui.start.opening import Opening
from notochord.ui.start.setup_view import SetupView
from notochord.ui.start.trouble_view import TroubleView
from notochord.viewmodels.samples import settings
from notochord.viewmodels.samples import start as samples
from notochord.viewmodels.start.connect import ConnectModel
from notochord.viewmodels.start.setup import Setup, Step
from notochord.viewmodels.start.trouble import Trouble

SAVED = Path("/media/stick/Notochord-Personal-recovery.key")
LONG = "一个名字非常非常长的组织，用来看看标题换行以后是否仍然整齐、按钮是否仍然看得见"

LONG_ONE = replace(samples.WORK, name=LONG)


def _setup(name: str, sample: Callable[[str], Setup]) -> Scene:
    def build(kit: Kit) -> QWidget:
        def table() -> QWidget:
            return ProvidersTable(kit, settings.providers())

        def roles() -> QWidget:
            return RolesTable(kit, settings.roles())

        panes = {Step.MODEL: table, Step.ROLES: roles}
        return SetupView(kit, sample(kit.sentences.language), panes, lambda _: None)

    return Scene(f"start-setup-{name}", build)


def _connect(name: str, sample: Callable[[], ConnectModel]) -> Scene:
    return Scene(f"start-connect-{name}", lambda kit: ConnectView(kit, sample()))


def _connect_failed(kit: Kit) -> QWidget:
    view = ConnectView(kit, samples.connect())
    view.key.setText("a key that is refused")
    view.show_failure(settings.UNREACHABLE)
    return view


def _trouble(name: str, sample: Callable[[], Trouble]) -> Scene:
    def build(kit: Kit) -> QWidget:
        return TroubleView(kit, sample(), lambda _: None, lambda: None)

    return Scene(f"start-trouble-{name}", build)


SCENES = (
    Scene("start-opening", lambda kit: Opening(kit, "Personal")),
    _setup("language", lambda language: samples.setup(Step.LANGUAGE, language)),
    _setup("second", lambda language: samples.setup(Step.LANGUAGE, language, name="Client", others=(samples.WORK,))),
    _setup("second-long", lambda language: samples.setup(Step.ENCRYPTION, language, name=LONG, others=(LONG_ONE,))),
    _setup("encryption", lambda language: samples.setup(Step.ENCRYPTION, language)),
    _setup("encryption-saved", lambda language: samples.setup(Step.ENCRYPTION, language, saved=SAVED)),
    _setup("encryption-none", lambda language: samples.setup(Step.ENCRYPTION, language, no_keychain=True)),
    _setup("model", lambda language: samples.setup(Step.MODEL, language)),
    _setup("roles", lambda language: samples.setup(Step.ROLES, language)),
    _setup("done", lambda language: samples.setup(Step.DONE, language)),
    _connect("provider", samples.connect),
    _connect("ollama", lambda: samples.connect(ollama=True)),
    Scene("start-connect-failed", _connect_failed),
    _connect("model", samples.connected),
    _connect("no-models", lambda: samples.connected(())),
    _trouble("key", lambda: samples.trouble(Code.KEY_MISSING, name="Personal", others=(samples.WORK,))),
    _trouble("wrong-key", lambda: samples.trouble(Code.KEY_WRONG)),
    _trouble("keychain", lambda: samples.trouble(Code.KEYCHAIN_LOCKED)),
    _trouble("held", lambda: samples.trouble(Code.ORG_OPEN, pid="4711")),
    _trouble("damaged", lambda: samples.trouble(Code.STORE_DAMAGED, path="main.db")),
    _trouble("long", lambda: samples.trouble(Code.ORG_DAMAGED, name=LONG, organization=LONG, others=(samples.WORK,))),
)
