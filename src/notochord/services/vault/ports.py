"""What is needed from outside: a place for the organizations' keys."""

from notochord.services.vault.api import KeyStore as KeyStore
