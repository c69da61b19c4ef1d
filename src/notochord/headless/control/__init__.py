"""The control endpoint: commands for an organization that another process holds."""
