"""What of a gem still needs its user: the notice on its page and the mark on Home come from here (GEMUI-016 to 019)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the window is painted before the doors are loaded
    from notochord.services.gems.api import Dossier, GemRights, Gems, KnowledgeFolder, KnowledgeRight, ModelNotice
    from notochord.services.models.api import Models
    from notochord.services.settings.api import Settings
    from notochord.services.vault.api import Connection, Vault

USER_SELECTED = "user-selected"
"""The target of a permission on folders that the user chooses."""

SIGNED_IN = "ready"
"""A value of `SignIn`: a key is there, or somebody is signed in."""


class NeedKind(StrEnum):
    """What is missing."""

    ACCOUNT = "account"
    MAILBOX = "mailbox"
    KNOWLEDGE = "knowledge"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Need:
    """Something to set; `subject` is the id of the account that is asked for, or the name of the assistant."""

    kind: NeedKind
    subject: str = ""


class SetupCheck:
    """Looks at what is chosen now."""

    def __init__(self, *, gems: "Gems", models: "Models", settings: "Settings", vault: "Vault") -> None:
        self._gems = gems
        self._models = models
        self._settings = settings
        self._vault = vault

    async def accounts(self) -> "tuple[Connection, ...]":
        """Return every account there is."""
        return await self._vault.connections()

    async def notices(self, dossier: "Dossier") -> "Mapping[str, ModelNotice]":
        """Return what there is to say of the model of each assistant; nothing while there is no model (MODEL-113)."""
        from notochord.services.gems.api import agent_model

        agents, gem = dossier.gem.agents, dossier.gem.id
        if not agents or not any(one.models for one in await self._models.providers()):
            return {}
        return {
            agent.name: await self._gems.grants.model_notice(
                gem, agent.name, self._settings.current(agent_model(gem, agent.name))
            )
            for agent in agents
        }

    async def needs(self, dossier: "Dossier") -> tuple[Need, ...]:
        """Return what is missing, in the order of the page's sections. Raises GEM_UNKNOWN, and as the doors do."""
        accounts = await self.accounts() if dossier.accounts else ()
        folders = await self._gems.grants.folders() if asks_for_folders(dossier.rights) else ()
        return needs_of(dossier, connected(accounts), await self.notices(dossier), folders)


def asks_for_folders(rights: "GemRights") -> bool:
    """Tell whether a gem asks for folders of the knowledge base that the user chooses."""
    return any(one.permission.endswith(f":{USER_SELECTED}") for one in rights.knowledge)


def connected(accounts: "Iterable[Connection]") -> set[str]:
    """Return the ids of the accounts that can be used as they are: a key is there, or somebody is signed in."""
    return {one.id for one in accounts if one.sign_in == SIGNED_IN}


def needs_of(
    dossier: "Dossier",
    accounts: set[str],
    notices: "Mapping[str, ModelNotice]",
    folders: "Sequence[KnowledgeFolder]" = (),
) -> tuple[Need, ...]:
    """Return what is missing; `accounts` are the ids of those that can be used, `folders` what can be chosen from."""
    rights = dossier.rights
    found = [Need(NeedKind.MODEL, name) for name, notice in notices.items() if notice.value]
    found += [Need(NeedKind.ACCOUNT, one.slot) for one in dossier.accounts if one.account not in accounts]
    if rights.reads_mail and not rights.every_mailbox and not rights.mailboxes:
        found.append(Need(NeedKind.MAILBOX))
    if rights.knowledge and not any(_is_of_use(one, folders) for one in rights.knowledge):
        found.append(Need(NeedKind.KNOWLEDGE))
    return tuple(found)


def _is_of_use(right: "KnowledgeRight", folders: "Sequence[KnowledgeFolder]") -> bool:
    """Tell whether a permission opens anything: one on chosen folders only with a choice, if there is any to make."""
    asks = right.permission.endswith(f":{USER_SELECTED}") and bool(folders)
    return right.allowed and (not asks or any(folder.id in right.collections for folder in folders))
