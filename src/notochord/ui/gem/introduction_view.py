"""The introduction of a gem: its text, prompts and examples, in one of the languages that it has (DOCS-010 to 019)."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.gem.head import BackRow
from notochord.ui.kit.bindings import bind, bind_list
from notochord.ui.kit.controls.choices import Segmented
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.middle import Middle
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.tab_order import put_in_order
from notochord.ui.kit.transcript.entries import Role, TextEntry
from notochord.ui.kit.transcript.style import TranscriptStyle, TranscriptTexts
from notochord.ui.kit.transcript.view import Transcript
from notochord.ui.settings.pane_view import PaneView
from notochord.ui.settings.parts import Choice
from notochord.viewmodels.gem.introduction import IntroductionModel
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.gem.values import DocumentKind


class DocumentsView(QWidget):
    """The text of an introduction, and what chooses its part and its language; whose it is, it does not know.

    Markdown of a stranger: nothing of it is loaded, and a link tells its host before it is followed. Its owner puts
    `languages` in a place.
    """

    def __init__(
        self, kit: Kit, model: IntroductionModel, open_link: Callable[[str], None], again: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit, self._model = kit, model
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(kit.theme.space.m)
        self.languages = Choice(kit.text("window.gem.language"))
        self.languages.activated.connect(lambda _: self._choose_language())
        texts = replace(TranscriptTexts.of(kit.sentences), conversation=kit.text("window.gem.introduction"))
        self.text = Transcript(TranscriptStyle.of(kit.theme), texts)
        self.text.link_activated.connect(open_link)
        self.text.image_wanted.connect(lambda _, address: self.text.show_image(address, None))
        column.addWidget(PaneView(kit, model.state, self.text, again), 1)
        self._link = ElidedLabel(kit, "", size="small", colour="text_soft", middle=True)
        self.text.link_hovered.connect(self._link.setText)
        column.addWidget(self._link)
        kit.theme.changed.connect(self._restyle)
        bind_list(self, model.languages, self._offer)
        bind(self, model.language, self.languages.show_choice)
        bind_list(self, model.chapters, self._show)

    def _show(self) -> None:
        chapters = list(self._model.chapters)
        self.text.load([TextEntry(str(at), Role.ASSISTANT, one.text, who=one.name) for at, one in enumerate(chapters)])
        self.text.anchor.to_start()

    def _offer(self) -> None:
        self.languages.blockSignals(True)
        self.languages.forget()
        for language in self._model.languages:
            self.languages.offer_value(language_name(self._kit, language), language)
        self.languages.blockSignals(False)
        self.languages.show_choice(self._model.language.value)
        self.languages.setVisible(len(self._model.languages) > 1)

    def _choose_language(self) -> None:
        command = self._model.choose_language(self.languages.value)
        self._kit.runner.run(self, "read an introduction", command)

    def _restyle(self) -> None:
        self.text.set_style(TranscriptStyle.of(self._kit.theme))


class IntroductionView(QWidget):
    """The introduction of an installed gem, with the way back to its page."""

    def __init__(
        self, kit: Kit, model: GemModel, open_link: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kit, self._gem, self._model = kit, model, model.introduction
        space = kit.theme.space
        self.setAccessibleName(kit.text("window.gem.introduction"))
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, space.xl, 0, space.s)
        column.setSpacing(space.m)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.setSpacing(space.m)
        top.addWidget(BackRow(kit, model, kit.text("window.gem.introduction")), 1)
        self._tabs = QHBoxLayout()
        top.addLayout(self._tabs)
        self.documents = DocumentsView(kit, self._model, open_link, self._again)
        self.languages, self.text = self.documents.languages, self.documents.text
        top.addWidget(self.languages)
        column.addWidget(Middle(kit, top))
        column.addWidget(self.documents, 1)
        bind_list(self, self._model.tabs, self._show_tabs)
        bind(self, self._model.tab, lambda _: self._show_tabs())

    def _show_tabs(self) -> None:
        while (item := self._tabs.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        if len(self._model.tabs) < 2:
            return
        text = self._kit.text
        options = [(tab.value, text(f"window.gem.tab.{tab.value}")) for tab in self._model.tabs]
        tabs = Segmented(self._kit, text("window.gem.tabs"), options, self._model.tab.value.value, self._choose_tab)
        self._tabs.addWidget(tabs)
        put_in_order(self._column)

    def _choose_tab(self, tab: str) -> None:
        self._kit.runner.run(self, "read an introduction", self._model.choose_tab(DocumentKind(tab)))

    def _again(self) -> None:
        self._kit.runner.run(self, "read an introduction", self._gem.load())


def language_name(kit: Kit, code: str) -> str:
    """Return what a language is called by those who speak it; one that is not known stands as its code."""
    key = f"window.gem.language.{code.lower()}"
    return kit.text(key) if key in kit.sentences.texts else code
