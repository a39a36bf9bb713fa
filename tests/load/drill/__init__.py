"""`./dev drill`: what survives what, tried for real."""
