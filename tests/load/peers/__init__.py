"""Comparable packages, each in its own environment and under the same load as the service."""
