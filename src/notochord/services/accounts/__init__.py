"""Accounts as people have them: made from templates, tried, signed in to and out of."""
