"""The page of an installed gem: what it still needs, its settings, what it can do, its data, its introduction."""
