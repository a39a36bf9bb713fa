"""Sign-ins on devices without a browser (RFC 8628). The person permits them in another browser, by a typed code."""
