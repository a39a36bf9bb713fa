"""Networks that operators block for hours."""
