"""The proxy that pages have instead of a network: it refuses everything, and says in the log that it was asked."""

import logging

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QHostAddress, QTcpServer

_ANSWER = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"

_log = logging.getLogger(__name__)


class RefusingProxy(QObject):
    """Listens on this computer alone for as long as it lives. Raises OSError if there is no port."""

    def __init__(self) -> None:
        super().__init__()
        self.refused = 0
        self._server = QTcpServer(self)
        self._server.newConnection.connect(self._refuse)
        if not self._server.listen(QHostAddress(QHostAddress.SpecialAddress.LocalHost)):
            raise OSError(self._server.errorString())

    @property
    def port(self) -> int:
        return self._server.serverPort()

    def _refuse(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            self.refused += 1
            _log.warning("something in a page asked for the network and was refused")
            connection.disconnected.connect(connection.deleteLater)
            connection.write(_ANSWER)
            connection.disconnectFromHost()
