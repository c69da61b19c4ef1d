"""The chat page: transcript, composer, approvals, side panels, and the list of conversations."""
