"""Where things lie: what is shipped with the program, and the user's data on disk (`docs/architecture.md` §4)."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path


def shipped(name: str) -> Path:
    """Return the shipped folder `name`: "resources", "sandbox" or "translations". Raises FileNotFoundError."""
    packaged = Path(str(files("notochord"))) / "_shipped" / name
    checkout = Path(__file__).parents[3] / name
    for folder in (packaged, checkout):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"this installation has no {name} folder")


def default_home(environment: Mapping[str, str]) -> Path:
    """Return NOTOCHORD_HOME, else the platform's data folder for this program."""
    chosen = environment.get("NOTOCHORD_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Notochord"
    if os.name == "nt":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Notochord"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "notochord"


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds everything of this user."""

    folder: Path

    @property
    def index(self) -> Path:
        return self.folder / "organizations.json"

    @property
    def models(self) -> Path:
        return self.folder / "models"

    def organization(self, identifier: str) -> "OrganizationFolder":
        return OrganizationFolder(self.folder / "organizations" / identifier)


@dataclass(frozen=True, slots=True)
class OrganizationFolder:
    """The folder of one organization."""

    folder: Path

    @property
    def description(self) -> Path:
        return self.folder / "organization.json"

    @property
    def key(self) -> Path:
        return self.folder / "key"

    @property
    def main_database(self) -> Path:
        return self.folder / "main.db"

    @property
    def packages(self) -> Path:
        return self.folder / "gems" / "packages"

    @property
    def gem_stores(self) -> Path:
        return self.folder / "gems" / "store"

    def gem_store(self, gem: str) -> Path:
        return self.gem_stores / gem

    def chat(self, conversation: str) -> Path:
        return self.folder / "chats" / conversation

    @property
    def drafts(self) -> Path:
        return self.folder / "drafts"

    @property
    def history(self) -> Path:
        return self.folder / "history"

    @property
    def store_list(self) -> Path:
        """What the store keeps: the list as it last came, and packages while they arrive."""
        return self.folder / "gems" / "list"

    @property
    def guest_state(self) -> Path:
        return self.folder / "gems" / "guests"
