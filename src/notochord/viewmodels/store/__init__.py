"""The store: the list of published gems, one of them, and the updates that there are."""
