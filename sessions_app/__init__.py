"""Being signed in: families, rotation, issuing, pending logins, magic links, devices, places, detection."""
