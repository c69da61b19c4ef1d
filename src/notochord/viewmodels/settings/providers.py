"""The table of model providers: connect, test, choose models, mend the key, remove; and this computer's model files."""

from dataclasses import replace
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import finish
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.models.api import Models, Progress, ProviderDraft, ProviderKind, RolesChanged
from notochord.services.settings.api import Settings
from notochord.services.vault.api import Secret
from notochord.viewmodels.settings.pane import SectionModel
from notochord.viewmodels.settings.provider_rows import (
    Affected,
    Check,
    CheckPhase,
    FileRow,
    ProviderRow,
    file_rows,
    provider_row,
)


class ProvidersModel(SectionModel):
    """Shared by the settings and the first-run set-up: what is done in one shows in the other (SETUP-029)."""

    def __init__(self, *, models: Models, settings: Settings, events: EventBus) -> None:
        super().__init__("providers", events, RolesChanged)
        self._models = models
        self._settings = settings
        self.providers: ObservableList[ProviderRow] = ObservableList()
        self.files: ObservableList[FileRow] = ObservableList()
        self.ollama: Observable[tuple[str, ...] | None] = Observable(None)
        """The models of an Ollama that was found on this computer and is not connected yet."""
        self.copying: Observable[float | None] = Observable(None)
        """How far the copying of the user's own file is, from 0 to 1."""

    async def look_for_ollama(self) -> None:
        """Offer an Ollama that answers on this computer, unless one is connected (OPEN-029)."""
        connected = any(provider.kind is ProviderKind.OLLAMA for provider in self.providers)
        self.ollama.set(None if connected else await self._models.detect_ollama())

    async def use_ollama(self) -> None:
        """Connect the Ollama that was found, with its models and without a key (SETUP-047)."""
        models = self.ollama.value or ()
        await self._models.add_provider(ProviderDraft("Ollama", ProviderKind.OLLAMA, models=models), None)
        self.ollama.set(None)

    async def connect(self, draft: ProviderDraft, key: str) -> tuple[str, ...]:
        """Connect a provider and return the models that it says it has; if it does not answer, nothing is kept.

        Raises INPUT_INVALID, PROVIDER_EXISTS, and as `Models.listed_models` does.
        """
        await self._models.add_provider(draft, Secret(key) if key else None)
        try:
            found = await self._models.listed_models(draft.name)
        except BaseException:
            await finish(self._models.remove_provider(draft.name))
            raise
        await self.load()
        self._checked(draft.name, Check(CheckPhase.WORKS, len(found)))
        return found

    async def connect_untested(self, draft: ProviderDraft, key: str) -> None:
        """Connect a provider that cannot be asked now. Raises INPUT_INVALID, PROVIDER_EXISTS."""
        await self._models.add_provider(draft, Secret(key) if key else None)

    async def test(self, name: str) -> None:
        """Ask a provider for its models; how it goes stands in its row. Cancelling ends the test."""
        self._checked(name, Check(CheckPhase.RUNNING))
        try:
            found = await self._models.listed_models(name)
        except NotochordError as error:
            self._checked(name, Check(CheckPhase.FAILED, error=error))
        except BaseException:
            self._checked(name, Check())
            raise
        else:
            self._checked(name, Check(CheckPhase.WORKS, len(found)))

    async def offered(self, name: str) -> tuple[str, ...]:
        """Return the models that a provider has, those in use first; those alone if it cannot be asked.

        Raises as `Models.listed_models` does when nothing is in use.
        """
        used = tuple(model.name for row in self.providers if row.name == name for model in row.models)
        try:
            return tuple(dict.fromkeys((*used, *await self._models.listed_models(name))))
        except NotochordError:
            if used:
                return used
            raise

    async def use_models(self, name: str, models: tuple[str, ...]) -> None:
        """Choose which of a provider's models are used. Raises INPUT_INVALID, PROVIDER_UNKNOWN."""
        await self._models.set_models(name, models)

    async def replace_key(self, name: str, key: str) -> None:
        """Give a provider another key. Raises INPUT_INVALID for an empty one."""
        if not key:
            raise NotochordError(
                Code.INPUT_INVALID, Fault.USER, "the key is empty", field="key", why="why.secret_length"
            )
        await self._models.replace_key(name, Secret(key))
        self._checked(name, Check())

    async def affected(self, provider: str, model: str = "") -> Affected:
        """Return what changes when a provider, or one of its models, goes."""
        gone = {
            f"{row.name}/{each.name}"
            for row in self.providers
            if row.name == provider
            for each in row.models
            if not model or each.name == model
        }
        roles = [role.name for role in await self._models.roles() if role.model and str(role.model) in gone]
        agents = [agent.value for agent in BuiltInAgent if self._settings.current(model_setting(agent)) in gone]
        return Affected(tuple(sorted(one.partition("/")[2] for one in gone)), tuple(roles), tuple(agents))

    async def affected_by_file(self, file: str) -> Affected:
        """Return what changes in this organization when a model file is deleted."""
        local = self._local()
        return await self.affected(local, file) if local else Affected()

    async def remove(self, name: str) -> None:
        """Forget a provider and its key. Raises PROVIDER_UNKNOWN."""
        await self._models.remove_provider(name)

    async def fetch_file(self, name: str, provider_name: str = "") -> None:
        """Put a model of the catalogue on this computer; how far it is stands in its row. Cancelling undoes it.

        With `provider_name`, what this computer is called, the model is used at once where there is no other.
        """
        self._file(name, progress=0.0, error=None)
        try:
            await self._models.obtain_local_model(name, progress=self._teller(name))
        except NotochordError as error:
            self._file(name, progress=None, error=error)
        except BaseException:
            self._file(name, progress=None, error=None)
            raise
        else:
            self._file(name, progress=None, error=None)
            await self.load()
            if provider_name and not any(row.models for row in self.providers):
                await self.use_file(name, provider_name)

    async def add_file(self, file: Path) -> str:
        """Copy a model file of the user to the others; return its name. Cancelling undoes it.

        Raises as `Models.add_local_file` does.
        """
        self.copying.set(0.0)
        try:
            return (await self._models.add_local_file(file, progress=self.copying.set)).name
        finally:
            self.copying.set(None)

    async def use_file(self, name: str, provider_name: str) -> None:
        """Let a model file be chosen for roles and agents; `provider_name` is what this computer is called."""
        local = self._local()
        if not local:
            await self._models.add_provider(ProviderDraft(provider_name, ProviderKind.LOCAL, models=(name,)), None)
            return
        used = tuple(model.name for row in self.providers if row.name == local for model in row.models)
        await self._models.set_models(local, tuple(dict.fromkeys((*used, name))))

    async def stop_using_file(self, name: str) -> None:
        """Take a model file out of what can be chosen; the file stays."""
        for row in self.providers:
            if row.kind is ProviderKind.LOCAL:
                kept = tuple(model.name for model in row.models if model.name != name)
                await self._models.set_models(row.name, kept)

    async def remove_file(self, name: str) -> None:
        """Delete a model file of this computer, for every organization (ORG-038). Raises MODEL_UNKNOWN."""
        await self._models.remove_local_model(name)

    async def _load(self) -> None:
        providers = await self._models.providers()
        files = await self._models.local_models()
        checks = {row.name: row.check for row in self.providers}
        self.providers.reset(provider_row(one, self._models, checks.get(one.name, Check())) for one in providers)
        self.files.reset(file_rows(files, providers, {row.name: row for row in self.files}))

    def _local(self) -> str:
        return next((row.name for row in self.providers if row.kind is ProviderKind.LOCAL), "")

    def _checked(self, name: str, check: Check) -> None:
        for at, row in enumerate(self.providers):
            if row.name == name:
                self.providers.replace(at, replace(row, check=check))

    def _file(self, name: str, *, progress: float | None, error: NotochordError | None) -> None:
        for at, row in enumerate(self.files):
            if row.name == name:
                self.files.replace(at, replace(row, progress=progress, error=error))

    def _teller(self, name: str) -> Progress:
        """Return what notes the progress in whole percents: more often nobody sees."""
        last = -1

        def tell(share: float) -> None:
            nonlocal last
            if int(share * 100) > last:
                last = int(share * 100)
                self._file(name, progress=share, error=None)

        return tell
