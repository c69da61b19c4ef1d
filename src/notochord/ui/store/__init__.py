"""The store's page: the list of published gems, and one of them with its introduction."""
