"""Webhook deliveries: their history, their search, and those that an operator sends again."""
