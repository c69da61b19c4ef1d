"""The one way to any model: providers, roles, streaming, retries."""
