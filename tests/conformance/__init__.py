"""The certification tests of the OpenID Foundation: the suite's configuration, and the preparation of a service."""
