"""`./dev drill`: kills and outages under load, and the acknowledged data that must survive them."""
