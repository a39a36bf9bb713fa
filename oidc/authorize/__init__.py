"""The authorization endpoint, the consent of the person, and codes."""
