"""What the Python children of this program share: the wire to the app, what they give up, and how they end."""
