"""Runs the SQL of gems on their raw databases, each in a process of its own."""
