"""Migrations of the logs of gems."""
