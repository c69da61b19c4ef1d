"""The page "Connect an AI model": provider and key, then a model; an Ollama that runs is offered at once."""

from collections.abc import Callable
from enum import StrEnum

from notochord.core.observable import Observable
from notochord.services.models.api import ProviderDraft, ProviderKind
from notochord.viewmodels.settings.provider_rows import FileRow
from notochord.viewmodels.settings.providers import ProvidersModel


class Stage(StrEnum):
    """The two stages (SETUP-045)."""

    PROVIDER = "provider"
    MODEL = "model"


OLLAMA = ProviderDraft("Ollama", ProviderKind.OLLAMA)


class ConnectModel:
    """Leads to the first model. `leave` is called when there is one, or when the user goes on without.

    `settings` leads to where model files of this computer are chosen (SETUP-048).
    """

    def __init__(self, *, providers: ProvidersModel, leave: Callable[[], None], settings: Callable[[], None]) -> None:
        self.providers = providers
        self._leave = leave
        self.open_settings = settings
        self.stage: Observable[Stage] = Observable(Stage.PROVIDER)
        self.provider: Observable[str] = Observable("")
        """The provider whose models are offered in the second stage."""
        self.offered: Observable[tuple[str, ...]] = Observable(())

    async def start(self) -> None:
        """Read what there is, and look for an Ollama."""
        await self.providers.start()
        await self.providers.look_for_ollama()

    async def connect(self, draft: ProviderDraft, key: str) -> None:
        """Connect the provider and go on to its models; if it does not answer, nothing is kept (OPEN-028).

        Raises INPUT_INVALID, PROVIDER_EXISTS, and as `Models.listed_models` does.
        """
        if any(row.name == draft.name and not row.models for row in self.providers.providers):
            await self.providers.remove(draft.name)  # connected before, and the program ended before a model was chosen
        found = await self.providers.connect(draft, key)
        await self._offer(draft.name, found)

    async def use_ollama(self) -> None:
        """Connect the Ollama that was found, without a key (SETUP-047)."""
        await self.connect(OLLAMA, "")

    async def back(self) -> None:
        """Give the provider up again and choose another."""
        await self.providers.remove(self.provider.value)
        self._begin_anew()

    async def get_started(self, model: str) -> None:
        """Use this model; the first one ever becomes the one for chat (OPEN-027). Raises INPUT_INVALID."""
        await self.providers.use_models(self.provider.value, (model,))
        self._leave()
        self._begin_anew()

    async def use_small_model(self, file: FileRow, provider_name: str) -> None:
        """Fetch the small model if it is not here, and use it; `provider_name` is what this computer is called.

        Raises MODEL_LOCAL_MISSING, MODEL_FILE_DAMAGED, DISK_FULL.
        """
        if not file.here:
            await self.providers.fetch_file(file.name)
        failed = next((row.error for row in self.providers.files if row.name == file.name), None)
        if failed is not None:
            raise failed
        await self.providers.use_file(file.name, provider_name)
        self._leave()
        self._begin_anew()

    def skip(self) -> None:
        """Go on without a model (SETUP-049)."""
        self._leave()

    def _begin_anew(self) -> None:
        self.provider.set("")
        self.stage.set(Stage.PROVIDER)

    async def _offer(self, name: str, models: tuple[str, ...]) -> None:
        self.provider.set(name)
        self.offered.set(models)
        self.stage.set(Stage.MODEL)
