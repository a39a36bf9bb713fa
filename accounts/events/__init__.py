"""What happened: the vocabulary of audit events and the one function that records them."""
