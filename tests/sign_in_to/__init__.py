"""Real clients sign in by the guides of docs/sign-in-to/."""
