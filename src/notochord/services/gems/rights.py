"""What the user allows installed gems, and whether the model chosen for an agent will do; for the gem's page."""

from collections.abc import Collection
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.files.api import Files
from notochord.services.gems.agent_declarations import AgentRecord
from notochord.services.gems.api import (
    GemRights,
    GemRightsChanged,
    KnowledgeFolder,
    KnowledgeRight,
    Mailbox,
    ModelNotice,
)
from notochord.services.gems.grants.store import GrantStore
from notochord.services.gems.installed import Library
from notochord.services.gems.installer import unknown
from notochord.services.gems.knowledge_permissions import USER_SELECTED, parse
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.ports import Knowledge, Mail
from notochord.services.gems.predicates import knowledge_of, predicates_of
from notochord.services.models.api import Models


class Rights:
    """Implements `services.gems.api.GemGrants`."""

    def __init__(
        self,
        *,
        library: Library,
        store: GrantStore,
        mail: Mail,
        knowledge: Knowledge,
        files: Files,
        models: Models,
        bus: EventBus,
    ) -> None:
        self._library = library
        self._store = store
        self._mail = mail
        self._knowledge = knowledge
        self._files = files
        self._models = models
        self._bus = bus

    async def rights(self, gem: str) -> GemRights:
        manifest = self._manifest(gem)
        granted = await self._store.of(gem)
        declared = knowledge_of(manifest)
        return GemRights(
            knowledge=tuple(
                KnowledgeRight(text, text in granted.knowledge, granted.collections.get(text, ()))
                for text in dict.fromkeys(manifest.knowledge)
            ),
            predicates=predicates_of(manifest),
            reason=str(declared.get("reason", "")),
            reads_mail=manifest.asks_for_mail,
            mailboxes=tuple(sorted(granted.mailboxes)),
            every_mailbox=granted.every_mailbox,
            works_alone=manifest.works_alone,
            working_folder=granted.working_folder,
        )

    async def mailboxes(self) -> tuple[Mailbox, ...]:
        return await self._mail.mailboxes()

    async def folders(self) -> tuple[KnowledgeFolder, ...]:
        return await self._knowledge.folders()

    async def allow_knowledge(self, gem: str, permission: str, *, allowed: bool) -> None:
        self._check_asked(gem, permission)
        await self._store.allow_knowledge(gem, permission, allowed=allowed)
        self._bus.publish(GemRightsChanged(gem))

    async def choose_collections(self, gem: str, permission: str, collections: Collection[str]) -> None:
        self._check_asked(gem, permission)
        if parse(permission).scope != USER_SELECTED:
            raise _not_asked(gem, f"collections for {permission[:100]!r}")
        there = {folder.id for folder in await self._knowledge.folders()}
        before = (await self._store.of(gem)).collections.get(permission, ())
        if lost := sorted(set(collections) - there - set(before)):
            raise NotochordError(
                Code.NOT_FOUND, Fault.USER, f"there is no folder {lost[0][:100]!r}", why="why.knowledge_folder"
            )
        await self._store.choose_collections(gem, permission, collections)
        self._bus.publish(GemRightsChanged(gem))

    async def choose_mailboxes(self, gem: str, mailboxes: Collection[str], *, every: bool = False) -> None:
        if not self._manifest(gem).asks_for_mail:
            raise _not_asked(gem, "mail")
        there = {mailbox.id for mailbox in await self._mail.mailboxes()}
        allowed = (await self._store.of(gem)).mailboxes
        if lost := sorted(set(mailboxes) - there - allowed):
            raise NotochordError(
                Code.NOT_FOUND, Fault.USER, f"there is no mailbox {lost[0][:100]!r}", why="why.gem_mailbox"
            )
        await self._store.choose_mailboxes(gem, mailboxes, every=every)
        self._bus.publish(GemRightsChanged(gem))

    async def choose_working_folder(self, gem: str, folder: Path | None) -> None:
        if not self._manifest(gem).works_alone:
            raise _not_asked(gem, "a working folder")
        chosen = "" if folder is None else str(await self._files.check_choice(folder))
        await self._store.choose_working_folder(gem, chosen)
        self._bus.publish(GemRightsChanged(gem))

    async def working_folder_lost(self, gem: str) -> bool:
        chosen = (await self.rights(gem)).working_folder
        try:
            return bool(chosen) and str(await self._files.check_choice(Path(chosen))) != chosen
        except NotochordError as error:
            if error.code is not Code.FOLDER_REFUSED:
                raise
            return True

    async def model_notice(self, gem: str, agent: str, chosen: str) -> ModelNotice:
        found = self._manifest(gem).agent(agent)
        if found is None:
            raise NotochordError(Code.NOT_FOUND, Fault.USER, f"{gem} has no agent {agent[:64]!r}", why="why.gem_right")
        return await self._notice(found, chosen)

    async def _notice(self, agent: AgentRecord, chosen: str) -> ModelNotice:
        """Look the chosen model itself up: a role without a model is told of, although `chat` would answer for it."""
        roles = {role.name.lower(): role.model for role in await self._models.roles()}
        name = chosen or "chat"
        model = roles.get(name.lower())
        if model is None and "/" not in name:
            return ModelNotice.NO_MODEL
        if not agent.requires:
            return ModelNotice.NONE
        able = self._models.capabilities(model.model if model is not None else name.partition("/")[2])
        if not able.known:
            return ModelNotice.UNKNOWN
        return ModelNotice.NONE if all(able.can(what) for what in agent.requires) else ModelNotice.LACKS

    def _check_asked(self, gem: str, permission: str) -> None:
        if permission not in self._manifest(gem).knowledge:
            raise _not_asked(gem, repr(permission[:100]))

    def _manifest(self, gem: str) -> Manifest:
        found = self._library.get(gem)
        if found is None:
            raise unknown(gem)
        return found.record.manifest


def _not_asked(gem: str, what: str) -> NotochordError:
    return NotochordError(Code.NOT_FOUND, Fault.USER, f"{gem} does not ask for {what}", why="why.gem_right")
