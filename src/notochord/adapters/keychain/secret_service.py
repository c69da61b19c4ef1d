"""The Secret Service through `keyring`, with its connection closed when something goes wrong as well."""

import secretstorage
from keyring.backends import SecretService
from keyring.errors import KeyringLocked


class ClosingSecretService(SecretService.Keyring):
    """Keeps secrets in the default collection; `keyring` itself leaves the bus connection open on each failure."""

    def get_preferred_collection(self) -> secretstorage.Collection:
        connection = secretstorage.dbus_init()
        try:
            collection = secretstorage.get_default_collection(connection)
            if collection.is_locked():
                collection.unlock()
                if collection.is_locked():
                    raise KeyringLocked("the collection stayed locked")
        except BaseException:
            connection.close()
            raise
        return collection
