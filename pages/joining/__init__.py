"""The pages by which a person gets an account or gets back into it: sign-up, mailed links, a new password, a recovery."""
