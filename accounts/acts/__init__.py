"""The acts of account owners, from the sign-up to the deletion."""
