"""What the Python children of this program share: the wire to the app, and what they give up."""
