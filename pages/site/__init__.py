"""The parts of the pages for a host site: its Django sessions, and the checks of its settings."""
