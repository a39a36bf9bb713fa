"""A client of Gatehouse, an authentication service."""

from .client import Gatehouse, SecondFactor
from .errors import GatehouseError
from .storage import Memory, Storage

__all__ = ["Gatehouse", "GatehouseError", "Memory", "SecondFactor", "Storage"]
