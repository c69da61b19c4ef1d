"""What of the user's a gem can be allowed: mailboxes, and folders of the knowledge base."""
