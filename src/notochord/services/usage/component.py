"""The part of main.db that belongs to the record of model use."""

from notochord.persistence.migrations import Component
from notochord.services.usage import migrations

COMPONENT = Component.of("usage", migrations)
