"""The server of the standalone project: `manage.py serve`, its processes and their supervision."""
