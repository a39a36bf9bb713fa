"""A client of Gatehouse, an authentication service."""

from .client import Gatehouse, Reauthentication, SecondFactor
from .errors import GatehouseError
from .revocations import RevocationList
from .storage import Memory, Storage

__all__ = ["Gatehouse", "GatehouseError", "Memory", "Reauthentication", "RevocationList", "SecondFactor", "Storage"]
