"""The introduction of a gem: its text, prompts and examples in the language that was chosen (DOCS-010 to DOCS-019)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from notochord.core.errors import NotochordError
from notochord.core.flat_text import flattened
from notochord.core.observable import Observable, ObservableList
from notochord.services.gems.api import DocumentKind, Dossier, GemDocument
from notochord.viewmodels.settings.pane import LOADING, READY, Pane, PaneState

FALLBACK = "en"
NAME = 80


@dataclass(frozen=True, slots=True)
class Chapter:
    """A text that is shown as Markdown; `name` is empty for the body of the introduction."""

    name: str
    text: str


class Texts(Protocol):
    """Where the documents are: the installed gems, or the store."""

    async def document(self, gem: str, path: str) -> str:
        """Return a document. Raises NotochordError."""


class IntroductionModel:
    """One gem's introduction; `language` is that of the window."""

    def __init__(self, *, documents: Texts, language: str) -> None:
        self._texts = documents
        self._window = language.replace("_", "-")
        self._documents: tuple[GemDocument, ...] = ()
        self.gem = ""
        self.languages: ObservableList[str] = ObservableList()
        """Those that have a README: the menu offers exactly these (DOCS-011)."""

        self.tabs: ObservableList[DocumentKind] = ObservableList()
        self.language: Observable[str] = Observable("")
        self.tab: Observable[DocumentKind] = Observable(DocumentKind.README)
        self.chapters: ObservableList[Chapter] = ObservableList()
        self.state: Observable[PaneState] = Observable(LOADING)

    async def load(self, dossier: Dossier) -> None:
        """Show a gem's introduction, in the window's language where there is one."""
        another = dossier.gem.id != self.gem
        self.gem, self._documents = dossier.gem.id, dossier.documents
        languages = [one.language for one in self._documents if one.kind is DocumentKind.README]
        kinds = {one.kind for one in self._documents}
        self.languages.reset(languages)
        self.tabs.reset(kind for kind in DocumentKind if kind in kinds)
        if another or self.language.value not in languages:
            self.language.set(best_language(languages, self._window))
        if another or self.tab.value not in self.tabs:
            self.tab.set(self.tabs[0] if self.tabs else DocumentKind.README)
        await self._read()

    async def choose_language(self, language: str) -> None:
        """Show every tab in this language."""
        self.language.set(language)
        await self._read()

    async def choose_tab(self, tab: DocumentKind) -> None:
        """Show the body, the prompts or the examples."""
        self.tab.set(tab)
        await self._read()

    async def _read(self) -> None:
        asked = self.gem, self.language.value, self.tab.value
        self.state.set(LOADING)
        chapters: list[Chapter] = []
        found = READY
        try:
            chapters += [await self._chapter(one) for one in self._wanted()]
        except NotochordError as error:
            found = PaneState(Pane.FAILED, error)
        if asked == (self.gem, self.language.value, self.tab.value):
            if found is READY:
                self.chapters.reset(chapters)
            self.state.set(found)

    def _wanted(self) -> list[GemDocument]:
        """Return one file for each entry of the tab: in the chosen language, else in the one that comes closest."""
        entries: dict[str, list[GemDocument]] = {}
        for one in self._documents:
            if one.kind is self.tab.value:
                entries.setdefault(one.name, []).append(one)
        return [_in_language(files, self.language.value) for files in entries.values()]

    async def _chapter(self, document: GemDocument) -> Chapter:
        name = "" if document.kind is DocumentKind.README else flattened(document.name, NAME)
        return Chapter(name, await self._texts.document(self.gem, document.path))


def best_language(offered: Sequence[str], wanted: str) -> str:
    """Return the offered language that comes closest: the same, one of the same first part, English, or the first."""
    first = wanted.partition("-")[0].lower()
    for fits in (
        lambda one: one.lower() == wanted.lower(),
        lambda one: one.partition("-")[0].lower() == first,
        lambda one: one.partition("-")[0].lower() == FALLBACK,
    ):
        if (found := next(filter(fits, offered), "")) != "":
            return found
    return offered[0] if offered else ""


def _in_language(files: list[GemDocument], language: str) -> GemDocument:
    best = best_language([one.language for one in files], language)
    return next(one for one in files if one.language == best)
