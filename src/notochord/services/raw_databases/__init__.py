"""The private SQLite database of each gem: SQL that gems write, run in a process of its own."""
