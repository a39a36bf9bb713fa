"""The operators, their grants and their recorded acts."""
