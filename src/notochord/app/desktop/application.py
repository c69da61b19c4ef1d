"""Makes the one QApplication of this process: scaling, names, Qt's own texts."""

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

NAME = "notochord"


def make_application() -> QApplication:
    """Return the application; closing its last window does not end it, the session does."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = QApplication([NAME])
    application.setApplicationName(NAME)
    application.setApplicationDisplayName("Notochord")
    application.setDesktopFileName(NAME)
    application.setQuitOnLastWindowClosed(False)
    return application


class QtTexts:
    """The texts of Qt's own dialogs, such as those that choose files, in the window's language."""

    def __init__(self, application: QApplication) -> None:
        self._application = application
        self._translator: QTranslator | None = None

    def speak(self, language: str) -> None:
        """Use this language from the next dialog on."""
        if self._translator is not None:
            self._application.removeTranslator(self._translator)
        self._translator = QTranslator(self._application)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if self._translator.load(QLocale(language), "qtbase", "_", folder):
            self._application.installTranslator(self._translator)
