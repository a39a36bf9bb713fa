"""The input of an import: its files and the choices of its format."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from .records import Record


class BrokenInput(Exception):
    """The input as a whole cannot be read. The text says why, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """An export of another system, and what the operator says about it.

    `path` is a file, or a folder of files. `companion` is a second file whose data belong to the same users. `issuers`
    has the issuer of each alias of a provider. `columns` has the columns of a CSV by member of the format. `metadata`
    are the names of the members that become metadata. `rp_id` is the domain of the passkeys where the export does not
    name it. `hash_config` is the file with Firebase's hash parameters. `scratch` is a directory for temporary files.
    """

    path: Path
    scratch: Path
    companion: Path | None = None
    issuers: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    metadata: tuple[str, ...] = ()
    rp_id: str = ""
    hash_config: Path | None = None


Reader: TypeAlias = Callable[[Input], Iterator[Record]]
"""Yields the users of an input, each time in the same order. Raises BrokenInput."""
