"""What the user allowed installed gems: knowledge permissions one by one, mailboxes, and a folder to work in."""
