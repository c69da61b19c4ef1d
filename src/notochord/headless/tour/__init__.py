"""`notochord tour`: the main job on real input, from a new organization to a file that a gem made."""
