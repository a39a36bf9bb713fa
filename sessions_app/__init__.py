"""Sessions: token families, rotation, issuing, pending logins, magic links, devices, locations, detection."""
