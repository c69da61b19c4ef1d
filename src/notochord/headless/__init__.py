"""The windowless front end and the one-shot commands."""
