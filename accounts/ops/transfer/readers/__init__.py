"""Readers of the exports of other systems. A reader turns each user of an export into a row of the format."""

from collections.abc import Mapping

from ..inputs import Reader
from . import own

OWN = "gatehouse"
READERS: Mapping[str, Reader] = {OWN: own.read}
"""The reader of each format, by its name for `--from`."""
