"""The tables of this service as a part of main.db."""

from notochord.persistence.migrations import Component
from notochord.services.files import migrations

COMPONENT = Component.of("files", migrations)
