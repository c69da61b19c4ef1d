"""Runs model files (GGUF) on this computer, each in a process of its own."""
