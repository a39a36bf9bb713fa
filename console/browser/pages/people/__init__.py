"""Pages of users and operators."""
