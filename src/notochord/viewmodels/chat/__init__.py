"""What the chat screen shows and does, without any window."""
