"""The pages for the people who sign in, and the sessions of their browsers."""
