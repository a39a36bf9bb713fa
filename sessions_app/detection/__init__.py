"""Detection of suspicious logins, and the devices and places of sessions."""
