"""Set-up, connecting a model and trouble in every state, for the gallery and for tests of the windows."""

from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.models.api import Models
from notochord.services.organizations.api import KeyPlace, Organization, Organizations
from notochord.services.settings.api import Settings
from notochord.viewmodels.samples import settings
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.settings.provider_rows import FileRow, ProviderRow
from notochord.viewmodels.start.connect import ConnectModel, Stage
from notochord.viewmodels.start.setup import Opened, Setup, Step
from notochord.viewmodels.start.trouble import Trouble
from notochord.viewmodels.start.way_back import WayBack

ID = "01m8q0wt5etwcwkth6zmr43c7z"
FOLDER = Path("/home/ada/.local/share/notochord/organizations") / ID
WORK = Organization("01m8q0wt5etwcwkth6zmr43c80", "Work", KeyPlace.KEYCHAIN, "", 5, "", False)
NO_KEYCHAIN = NotochordError(Code.KEYCHAIN_UNAVAILABLE, Fault.SYSTEM, "no Secret Service")
MODELS = ("gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-5.1", "gpt-4.1", "gpt-4.1-mini", "o4-mini")


def organization(step: Step, place: KeyPlace = KeyPlace.UNDECIDED, name: str = "Personal") -> Organization:
    """Return an organization whose set-up stands at `step`."""
    return Organization(ID, name, place, "", step - 1, "", True)


def setup(
    step: Step,
    language: str,
    *,
    place: KeyPlace = KeyPlace.UNDECIDED,
    saved: Path | None = None,
    no_keychain: bool = False,
    name: str = "Personal",
    others: tuple[Organization, ...] = (),
) -> Setup:
    """Return the set-up at a step."""
    found = Setup(
        organizations=absent(Organizations),
        organization=organization(step, place, name),
        language=language,
        open_organization=_never,
        reopen=lambda _: None,
        finished=lambda: None,
        adopted=lambda _: None,
        way_back=WayBack(organizations=absent(Organizations), organization=ID, former="", leave=lambda _: None),
    )
    found.way_back.others.set(others)
    found.recovery_file.set(saved)
    if no_keychain:
        found.keychain.set(NO_KEYCHAIN)
        found.encrypt.set(False)
    waits = step is Step.ENCRYPTION and found.encrypt.value and not found.decided.value
    found.may_go_on.set(not waits or saved is not None)
    if step > Step.ENCRYPTION:
        found.opened.set(Opened(models=absent(Models), settings=absent(Settings)))
    return found


def connect(
    *, ollama: bool = False, rows: tuple[ProviderRow, ...] = (), files: tuple[FileRow, ...] = (settings.SMALL,)
) -> ConnectModel:
    """Return the page that connects a first model, at its first stage."""
    providers = settings.providers(rows, files)
    providers.ollama.set(("qwen3:8b", "gemma2:9b") if ollama else None)
    return ConnectModel(providers=providers, leave=lambda: None, settings=lambda: None)


def connected(models: tuple[str, ...] = MODELS) -> ConnectModel:
    """Return the page at its second stage."""
    found = connect()
    found.provider.set("OpenAI")
    found.offered.set(models)
    found.stage.set(Stage.MODEL)
    return found


def trouble(code: Code, *, others: tuple[Organization, ...] = (), name: str = "Personal", **parameters: str) -> Trouble:
    """Return what keeps an organization from opening."""
    found = Trouble(
        organizations=absent(Organizations),
        organization=organization(Step.DONE, KeyPlace.KEYCHAIN, name),
        error=NotochordError(code, Fault.USER, "a sample", name=name, **parameters),
        folder=FOLDER,
        leave=lambda _: None,
    )
    found.others.set(others)
    return found


async def _never() -> Opened:
    raise AssertionError("a sample was asked to open an organization")
