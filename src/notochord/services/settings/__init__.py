"""What the user chose, kept in main.db."""
