"""The tables of `data.db` as a component that is migrated when a store is opened."""

from notochord.persistence.migrations import Component
from notochord.services.data import migrations

COMPONENT = Component.of("data", migrations)
