"""What stands in a transcript between the texts: tool calls, plans, questions, failures, files, dividers."""
