"""Conversations: messages, branches, titles, summaries, and the answers that agents give in them."""
