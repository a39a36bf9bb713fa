"""Detection of suspicious logins, and the devices and locations of sessions."""
