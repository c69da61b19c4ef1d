"""The part of main.db that belongs to the vault."""

from notochord.persistence.migrations import Component
from notochord.services.vault import migrations

COMPONENT = Component.of("vault", migrations)
