"""The table of the logs as a component of main.db."""

from notochord.persistence.migrations import Component
from notochord.services.gem_logs import migrations

COMPONENT = Component.of("gem_logs", migrations)
