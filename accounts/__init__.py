"""Who someone is: account, password, lockout, mail tokens, metadata; and the ground that every app stands on."""
