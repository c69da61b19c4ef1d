"""The page of an installed gem."""
