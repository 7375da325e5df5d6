"""Events as sentences for pages of the administration.

They are the words of the table page, filled in on the server. An event without a sentence keeps
its fields.
"""

from collections.abc import Mapping
from typing import Any

from games.engine.base import TIMES


def event_in_words(
    event: Mapping[str, Any], *, texts: Mapping[str, str], names: Mapping[str, str]
) -> str:
    """`names` by seat; empty for what says nothing of its own."""
    kind = str(event.get("kind", ""))
    if kind in TIMES:
        return ""
    words = {**_plain_values(event), **_people(event, names)}
    for key in _keys(kind, event):
        try:
            return texts[key].format_map(words)
        except KeyError:
            continue
    return fields_in_words(event)


def fields_in_words(fields: Mapping[str, Any]) -> str:
    """Its kind, and each field with its value."""
    rest = [f"{name} {_shown(value)}" for name, value in fields.items() if name != "kind"]
    return " ".join([str(fields.get("kind", "")), *rest]).strip()


def _keys(kind: str, event: Mapping[str, Any]) -> list[str]:
    """Return the keys of its texts, the most specific first."""
    endings = [str(event[name]) for name in ("source", "how") if event.get(name)]
    if event.get("valid") is False:
        endings.append("wrong")
    # A wrong declaration is not told by the sentence of a right one.
    general = [] if event.get("valid") is False else [f"event_{kind}"]
    return [*(f"event_{kind}_{ending}" for ending in endings), *general]


def _people(event: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    people = {}
    if str(event.get("seat")) in names:
        people["name"] = names[str(event["seat"])]
    several = event.get("winners") or event.get("seats")
    if isinstance(several, list) and several:
        people["names"] = ", ".join(names.get(str(seat), str(seat)) for seat in several)
    return people


def _plain_values(event: Mapping[str, Any]) -> dict[str, str]:
    return {name: _shown(value) for name, value in event.items() if isinstance(value, (str, int))}


def _shown(value: Any) -> str:
    """A card without the number of its pack."""
    if isinstance(value, list):
        return ", ".join(_shown(one) for one in value)
    text = str(value)
    head, dot, pack = text.rpartition(".")
    return head if dot and pack.isdigit() and len(pack) == 1 and len(head) in (2, 3) else text
