"""The tables of this service as a part of main.db."""

from notochord.persistence.migrations import Component
from notochord.services.journal import migrations

COMPONENT = Component.of("journal", migrations)
