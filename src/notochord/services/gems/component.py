"""The gems' tables as a component of main.db."""

from notochord.persistence.migrations import Component
from notochord.services.gems import migrations

COMPONENT = Component.of("gems", migrations)
