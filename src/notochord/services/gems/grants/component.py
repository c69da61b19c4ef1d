"""The table of what gems are allowed as a component of main.db."""

from notochord.persistence.migrations import Component
from notochord.services.gems.grants import migrations

COMPONENT = Component.of("gem_grants", migrations)
