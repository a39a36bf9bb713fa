"""Ask-AI: answers to a user's questions about the user's own sessions and audit events."""
