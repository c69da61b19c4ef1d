"""The one-shot commands, each written once for the terminal and for the control endpoint."""
