"""What is shown before an organization can be worked in: set-up, connecting a model, and what keeps it from opening."""
