"""Guests as Deno processes behind `services.sandbox.ports`."""
