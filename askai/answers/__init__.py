"""Answers: the results of plans as text."""
