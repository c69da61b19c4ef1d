"""SQLite toolkit without domain words: encrypted databases, migrations, the outbox, atomic files."""
