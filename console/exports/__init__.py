"""Files that an operator takes out of the console: lists as CSV, and the data about one person."""
