"""Identities from the aliases that other systems give to providers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..inputs import Input


@dataclass(slots=True, kw_only=True)
class FoundIdentities:
    """The identities of a user. `left_out` has the aliases without an issuer, because a guess could be a takeover."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def find_identities(pairs: Iterable[tuple[str, str | None]], *, given: Input) -> FoundIdentities:
    """Return the identities of pairs of alias and subject. The operator names the issuer of each alias."""
    found = FoundIdentities()
    for alias, subject in pairs:
        issuer = given.issuers.get(alias)
        if issuer is None:
            found.left_out.append(f"identities of {alias} (--issuer {alias}=URL moves them)")
        elif subject:
            found.rows.append({"issuer": issuer, "subject": subject})
    return found


def left_out_metadata(source: Mapping[str, Any], names: Iterable[str], *, given: Input) -> list[str]:
    """Return what to tell about metadata that the user has and the operator did not choose."""
    return [
        f"{name} (--metadata {name} makes it claims of the access tokens)"
        for name in names
        if source.get(name) and source[name] != "{}" and name not in given.metadata
    ]
