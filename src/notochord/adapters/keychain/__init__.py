"""Places for the organizations' keys."""
