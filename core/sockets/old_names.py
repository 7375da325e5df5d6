"""Names of wire version 1, which players' programs may use for one release.

Version 2 has the names of the code. The sockets' frames, the REST API and the webhooks translate with this
table and no other; the release after the next deletes it together with the code that imports it.
"""

from collections.abc import Mapping
from typing import Any, Final

WIRE_VERSION: Final = 2  # the newest; a hello says which one its client reads

OF_VERSION_1: Final = {
    "variant": "format",
    "programs": "api_players",
    "wish": "pre_action",  # a type of frame
    "before": "cursor",  # of pages, as the next two
    "after": "cursor",
    "page": "cursor",
}
_BY_NEW_NAME: Final = {new: old for old, new in OF_VERSION_1.items()}


def with_new_names(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a request by the new names; if it has both, the new name counts."""
    if OF_VERSION_1.keys().isdisjoint(asked):
        return asked
    renamed = {OF_VERSION_1.get(name, name): value for name, value in asked.items()}
    return {name: asked.get(name, value) for name, value in renamed.items()}


def with_old_names(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same values by the old names, for a client of version 1."""
    return {_BY_NEW_NAME.get(name, name): value for name, value in told.items()}


def with_both_names(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values by their new and their old names, for readers of unknown version."""
    return {**told, **{_BY_NEW_NAME[name]: told[name] for name in told if name in _BY_NEW_NAME}}
