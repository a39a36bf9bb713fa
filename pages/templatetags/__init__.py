"""Tags of the pages' templates."""
