"""Set-up, connecting a model, opening, and what keeps an organization from opening."""
