"""The tables of this service as a component of main.db."""

from notochord.persistence.migrations import Component
from notochord.services.models import migrations

COMPONENT = Component.of("models", migrations)
