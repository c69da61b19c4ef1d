"""Accounts as the gallery shows them."""

from dataclasses import replace

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import CHINESE, Sentences
from notochord.services.accounts.api import Accounts, Template
from notochord.services.gems.api import Gems
from notochord.services.models.api import Models
from notochord.services.vault.api import Grants, OAuthClient, Placement, Registration, SignIn
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.settings.account_rows import AccountRow, Method
from notochord.viewmodels.settings.accounts import AccountsModel
from notochord.viewmodels.settings.pane import LOADING, READY, Pane, PaneState
from notochord.viewmodels.settings.provider_rows import Check, CheckPhase

OFFLINE = NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK, "no route", host="api.github.com")
REFUSED = NotochordError(Code.ACCOUNT_REFUSED, Fault.USER, "401", name="OpenWeather", status=401)
DAMAGED = NotochordError(Code.STORE_LOCKED, Fault.SYSTEM, "locked", path="main.db")
LATELY = 1_796_047_320_000

TEMPLATES = (
    Template(
        "github", "GitHub", Placement.BEARER, Registration(("api.github.com", "uploads.github.com")),
        help_url="https://github.com/settings/tokens",
    ),
    Template(
        "google", "Google", Placement.BEARER, Registration(("www.googleapis.com", "gmail.googleapis.com")),
        oauth=OAuthClient("https://accounts.google.com/o/oauth2/v2/auth", "https://oauth2.googleapis.com/token", "",
                          ("openid", "email")),
        has_client_secret=True, help_url="https://console.cloud.google.com/apis/credentials",
    ),
)  # fmt: skip

GITHUB = AccountRow(
    "1", "GitHub", ("api.github.com", "uploads.github.com"), service="GitHub",
    gems=("Repository watch", "Weekly notes"), uses=1284, last_used=LATELY, can_test=True,
    check=Check(CheckPhase.WORKS),
)  # fmt: skip
GOOGLE = AccountRow(
    "2", "Google (work)", ("www.googleapis.com", "calendar-json.googleapis.com"), service="Google", method=Method.OAUTH,
    sign_in=SignIn.READY, gems=("Meeting minutes",), uses=1, last_used=LATELY, can_test=True, has_client_secret=True,
)  # fmt: skip
WEATHER = AccountRow(
    "3", "OpenWeather", ("api.openweathermap.org",), service="OpenWeather", method=Method.QUERY, can_test=True
)
OPENAI = AccountRow("4", "OpenAI", ("api.openai.com",), "OpenAI", uses=52, last_used=LATELY)
OWN = AccountRow(
    "5", "Wiki of the office", ("http://192.168.1.20:8080",), method=Method.BASIC, projects=2,
    registration=Registration((), ("/api/",), "http://192.168.1.20:8080"),
)  # fmt: skip


class ShownAccounts(AccountsModel):
    """Accounts that only show."""

    def templates(self) -> tuple[Template, ...]:
        """Return two services, one of them with a sign-in."""
        return TEMPLATES


ADDRESS = "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=12345&state=Nlt-uIK6zl3ZxF4ucwRy"


def _model(language: str, *, encrypted: bool = True) -> ShownAccounts:
    return ShownAccounts(
        accounts=absent(Accounts),
        grants=absent(Grants),
        gems=absent(Gems),
        models=absent(Models),
        events=EventBus(),
        sentences=Sentences.load(language).in_window(),
        show=lambda _: True,
        encrypted=encrypted,
    )


def accounts(language: str = "en", *, empty: bool = False) -> AccountsModel:
    """Return accounts of every kind, or none in an organization that is not encrypted."""
    model = _model(language, encrypted=not empty)
    model.state.set(READY)
    if not empty:
        wiki = replace(OWN, name="公司内部知识库（研发与市场部门共用，仅限内网访问）") if language == CHINESE else OWN
        model.accounts.reset((GITHUB, GOOGLE, OPENAI, WEATHER, wiki))
    return model


def accounts_at_work(language: str = "en") -> AccountsModel:
    """Return accounts that are signed in to, tested, refused, or whose service cannot be reached."""
    model = accounts(language)
    model.accounts.reset(
        (
            replace(GOOGLE, sign_in=SignIn.NEEDED, signing_in=True, address=ADDRESS),
            replace(GOOGLE, id="6", name="Google (home)", sign_in=SignIn.AGAIN),
            replace(GITHUB, check=Check(CheckPhase.FAILED, error=OFFLINE)),
            replace(WEATHER, check=Check(CheckPhase.FAILED, error=REFUSED)),
            replace(WEATHER, id="7", name="OpenWeather 2", check=Check(CheckPhase.RUNNING)),
        )
    )
    return model


def accounts_loading(language: str = "en") -> AccountsModel:
    """Return accounts that are being read."""
    model = _model(language)
    model.state.set(LOADING)
    return model


def accounts_failed(language: str = "en") -> AccountsModel:
    """Return accounts that cannot be read."""
    model = _model(language)
    model.state.set(PaneState(Pane.FAILED, DAMAGED))
    return model
