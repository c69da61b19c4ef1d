"""The tables of conversations, as the composition root lists them for main.db."""

from notochord.persistence.migrations import Component
from notochord.services.chat import migrations

COMPONENT = Component.of("chat", migrations)
