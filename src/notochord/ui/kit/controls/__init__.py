"""The controls that screens are made of; each takes the kit and texts by key."""
