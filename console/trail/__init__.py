"""The audit trail as an operator reads it: its search, one event, and the way to anything that the operator knows."""
