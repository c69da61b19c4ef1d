"""Writing gems: the door of what an author is offered before a gem is installed."""
