"""Attacks on passwords: their definition, the list of them, and the report of one."""
