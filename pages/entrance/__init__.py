"""The sign-in, the sign-out and the confirmation of a recent login."""
