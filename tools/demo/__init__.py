"""Demo data: users, and 90 days of plausible events with one attack in them. The product does not contain it."""
