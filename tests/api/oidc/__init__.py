"""Tests of the OpenID provider."""
