"""What account owners do with their accounts, from the sign-up to the deletion."""
