"""The schema of the record of model use, step by step."""
