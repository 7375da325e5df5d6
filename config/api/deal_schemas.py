"""The JSON Schemas of a deal's record and of a line of open data.

`SAMPLE=renew bin/test pytest tests/history/test_open_data.py -k schema` writes them to docs/deal-record.schema.json
and docs/open-data.schema.json.
"""

import json
from typing import Any, Final

from games.registry import GAMES
from history import open_data, records

Schema = dict[str, Any]
_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_HEX: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_CARD: Final = {"type": "string", "description": "a card or a tile, as on the wire"}
_CARDS: Final = {"type": "array", "items": _CARD}
_SEAT: Final = {"type": "integer", "minimum": 0, "maximum": 7}
_SEATS: Final = {"type": "array", "items": _SEAT}
_KIND: Final = {"type": "string", "description": "decides which other fields there are"}
_NUMBER: Final = {"type": "integer", "minimum": 1}
# How a deal began. The game decides which of them there are, and may add others.
_DEAL: Final[Schema] = {
    "tossed": {
        **_SEATS,
        "type": ["array", "null"],
        "description": "the seats that cards were tossed for; null: none were",
    },
    "toss": {
        "type": ["array", "null"],
        "items": {
            "type": "object",
            "required": ["seat", "card"],
            "additionalProperties": False,
            "properties": {"seat": _SEAT, "card": _CARD},
        },
        "description": "their cards, in the order that came of it",
    },
    "order": {**_SEATS, "description": "the seats in order of play; the last one is the dealer"},
    "dealer": _SEAT,
    "deck": {**_CARDS, "description": "all cards or tiles before the shuffle"},
    "hand_size": {**_NUMBER, "description": "cards of a hand"},
    "wild": {**_CARD, "description": "the card turned up for the wild joker"},
    "open": {**_CARD, "description": "the first open card"},
    "hands": {
        "type": "object",
        "additionalProperties": _CARDS,
        "description": "the dealt cards by seat",
    },
}
_STEP: Final[Schema] = {
    "at_ms": {"type": "integer", "description": "when, in milliseconds since 1970"},
    "events": {
        "type": "array",
        "description": "what everybody saw",
        "items": {
            "type": "object",
            "required": ["kind"],
            "additionalProperties": True,
            "properties": {"kind": _KIND},
        },
    },
    "seat": {**_SEAT, "description": "whose move it was"},
    "move": {
        "type": ["object", "null"],
        "required": ["kind"],
        "additionalProperties": True,
        "properties": {"kind": _KIND},
        "description": "as `act` sends it; `<game>Move` in protocol.schema.json",
    },
    "stand_in": {
        "type": "boolean",
        "description": "true: a bot made the move for a player who had gone",
    },
    "drew": {
        "anyOf": [_CARD, _CARDS],
        "description": "what a draw brought, which its player alone saw",
    },
}


def build_record_schema() -> Schema:
    """Return the schema of a finished deal's record (docs/deal-record.md)."""
    own: Schema = {
        "match": _NUMBER,
        "deal": _NUMBER,
        "table": {"type": "string"},
        "commitment": {**_HEX, "description": "SHA-256 of the seed, shown before the deal"},
        "seed": {**_HEX, "description": "the server's seed"},
        "client_seeds": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "what the players' browsers added, by seat",
        },
        "players": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "names by seat",
        },
    }
    return _build(records.FORMAT, "A finished deal, complete enough to repeat it.", own, _STEP)


def build_open_schema() -> Schema:
    """Return the schema of one line of a monthly file of open data (docs/open-data.md)."""
    own: Schema = {
        "day": {"type": "string", "format": "date", "description": "when the match began, by UTC"},
        "match": {**_NUMBER, "description": "a number of this file alone"},
        "deal": {**_NUMBER, "description": "the deal in that match"},
        "players": {
            "type": "object",
            "additionalProperties": {"enum": ["person", "bot"]},
            "description": "by seat",
        },
    }
    step = {name: part for name, part in _STEP.items() if name != "at_ms"}
    said = "A deal that was played, without anything that tells who played."
    return _build(open_data.FORMAT, said, own, step)


def _build(form: str, description: str, own: Schema, step: Schema) -> Schema:
    required = ["format", "game", "rules", *own, "order", "hands", "steps"]
    steps = {
        "type": "object",
        "required": ["events", *(["at_ms"] if "at_ms" in step else [])],
        "additionalProperties": False,
        "properties": step,
    }
    return {
        "type": "object",
        "description": description,
        "required": required,
        "additionalProperties": True,
        "properties": {
            "format": {"type": "string", "enum": [form]},
            "game": {"type": "string", "enum": sorted(GAMES)},
            "rules": {"type": "object", "description": "the rule set"},
            **own,
            **_DEAL,
            "steps": {"type": "array", "description": "what happened, in order", "items": steps},
        },
    }


_SCHEMAS: Final = {
    "record": ("The record of a deal", build_record_schema),
    "open": ("A line of open data", build_open_schema),
}


def render_text(name: str) -> str:
    title, build = _SCHEMAS[name]
    return json.dumps({"$schema": _DRAFT, "title": title, **build()}, indent=2) + "\n"
