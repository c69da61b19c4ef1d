"""The one way to files of conversations and runs: paths, history, trash."""
