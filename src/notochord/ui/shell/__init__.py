"""The main window around every page: sidebar, pages, notices, command palette."""
