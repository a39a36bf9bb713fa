"""Alerts to operators, by mail and by the webhook: an attack, failed deliveries and late work."""
