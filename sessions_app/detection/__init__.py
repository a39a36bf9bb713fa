"""Detection of suspicious logins, by network, device and place."""
