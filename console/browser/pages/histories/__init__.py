"""Pages of events, deliveries and lines of the log, their exports, and the search in all."""
