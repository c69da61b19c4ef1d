"""Pictures of every screen and state with sample data: `notochord gallery OUT`."""
