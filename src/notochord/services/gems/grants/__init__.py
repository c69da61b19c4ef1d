"""What the user allowed installed gems: knowledge permissions one by one, and mailboxes."""
