"""The place on this computer to which the browser comes back from a sign-in."""
