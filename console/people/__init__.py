"""The people behind the accounts, as an operator finds and sees them. This package only reads."""
