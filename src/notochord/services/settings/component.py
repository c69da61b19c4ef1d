"""The part of main.db that belongs to settings."""

from notochord.persistence.migrations import Component
from notochord.services.settings import migrations

COMPONENT = Component.of("settings", migrations)
