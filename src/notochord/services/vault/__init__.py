"""Keys and secrets: the organization's key, keys derived from it, and the connections that hold secrets."""
