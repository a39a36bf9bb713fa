"""The console in a browser: its sign-in, its pages and its charts."""
