"""Routes of the console, one module for each subject."""
