"""System checks: what is insecure or impossible is said at the start, not at the first call."""
