"""The audit trail as an operator reads it: one event, and the way to anything by what the operator knows of it."""
