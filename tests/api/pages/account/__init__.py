"""Tests of the pages of a person's own account."""
