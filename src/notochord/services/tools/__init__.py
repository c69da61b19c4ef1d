"""The registry of everything that an agent can call."""
