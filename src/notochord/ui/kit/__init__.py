"""What every screen is built of: theme, texts, controls, bindings, item models and the runner of commands."""
