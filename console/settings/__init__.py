"""Settings in the view of an operator: those of ask-AI, and those in effect."""
