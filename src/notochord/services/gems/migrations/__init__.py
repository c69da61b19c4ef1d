"""The frozen steps of the gems' tables in main.db."""
