"""Pages on which an operator acts: on accounts, on deliveries and on networks."""
