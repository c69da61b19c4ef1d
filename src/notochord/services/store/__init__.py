"""The gem store: a list of published gems, installing and updating from it, repairing what changed."""
