"""Who is at the other end of a Unix socket, as the kernel says."""

import socket
import struct
import sys

_LOCAL_PEERCRED = 1
_XUCRED_USER = struct.Struct("=II")


def peer_user(connection: socket.socket) -> int:
    """Return the user id of the process at the other end. Raises OSError."""
    if sys.platform == "darwin":
        found = connection.getsockopt(0, _LOCAL_PEERCRED, 76)
        return int(_XUCRED_USER.unpack_from(found)[1])
    credentials = struct.Struct("=iii")
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, credentials.size)
    return int(credentials.unpack(found)[1])
