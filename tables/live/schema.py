"""docs/protocol.schema.json, generated from the frames' classes, protocol_parts.json and each game's wire.json.

A definition in a game's wire.json gets the game's name as a prefix: `move` of `indian` becomes `indianMove`. The name
`move` itself stands for a move of any game.

python -m tables.live.schema > docs/protocol.schema.json
"""

import copy
import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

import games
from games.engine.base import FieldType
from games.registry import FORMATS, GAMES
from tables.live.frames import CLIENT_FRAMES, SERVER_FRAMES

Definitions = dict[str, Any]

_PARTS = json.loads(Path(__file__).with_name("protocol_parts.json").read_text())
_GAMES = Path(games.__file__).parent
# Schemas that every game provides. `you` is what the game adds to each seat's own view.
_OF_EVERY_GAME = (
    *("move", "draft", "question", "answer", "game", "gamePart", "you"),
    # These are made of the classes of its moves and of its rule sets.
    *("legal", "rules"),
)
# The type of a rule that staff cannot choose, or that only an earlier version of the site had.
_ANY_RULE = {"type": ["boolean", "integer", "string", "array", "null"], "items": {"type": "string"}}
# Messages of /ws/me/ that a table's socket carries as well.
_OF_ONESELF = ("balance", "tableReady", "chair", "tables", "decided", "invitation")


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema 2020-12 of every frame in both directions."""
    received = list(CLIENT_FRAMES.values())
    _, frames = msgspec.json.schema_components(
        [*received, *SERVER_FRAMES], ref_template="#/$defs/{name}"
    )
    for frame in frames.values():
        # Python keeps the indentation of docstrings up to 3.12 and strips it from 3.13 on.
        frame["description"] = inspect.cleandoc(frame["description"])
    from_server = [kind.__name__ for kind in SERVER_FRAMES]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The sockets' protocol",
        "description": _PARTS["description"],
        "anyOf": _build_choice(
            "fromClient", "fromServer", "listenerSends", "whatMeHears", "whatTournamentHears"
        ),
        "$defs": {
            "fromClient": {"oneOf": _build_choice(*(kind.__name__ for kind in received))},
            "fromServer": {"oneOf": _build_choice(*from_server, *_OF_ONESELF)},
            **frames,
            **_parts(),
            **_of_games(),
        },
    }


def _parts() -> Definitions:
    """Return the definitions of protocol_parts.json, with the codes of all games and formats filled in."""
    parts: Definitions = copy.deepcopy(_PARTS["$defs"])
    fields = parts["tablePart"]["properties"]
    fields["game"] = {"enum": list(GAMES)}
    fields["format"] = {"enum": FORMATS}
    return parts


def _of_games() -> Definitions:
    found = {path.parent.name: path for path in sorted(_GAMES.glob("*/wire.json"))}
    merged: Definitions = {}
    for code, path in found.items():
        merged |= _of_game(code, json.loads(path.read_text())["$defs"])
    for name in _OF_EVERY_GAME:
        merged[name] = {"anyOf": _build_choice(*(_build_name(code, name) for code in found))}
    return merged


def _of_game(code: str, own: Definitions) -> Definitions:
    """Return the game's definitions under their names in the schema, with the references among them renamed.

    `details` in wire.json is not a definition. It maps each kind of move to the fields that an entry of `legal` has
    in addition to those of the move.
    """
    details = own.pop("details", {})
    own = {**own, "legal": _build_legal(code, own["move"], details), "rules": _build_rules(code)}
    text = json.dumps(own)
    for name in own:
        text = text.replace(f'"#/$defs/{name}"', f'"#/$defs/{_build_name(code, name)}"')
    named = {_build_name(code, name): part for name, part in json.loads(text).items()}
    you, more = _PARTS["$defs"]["you"], named[_build_name(code, "you")]
    of_game = {
        "legal": {"$ref": f"#/$defs/{_build_name(code, 'legal')}"},
        "deferred": {"oneOf": [*_build_choice(_build_name(code, "move")), {"type": "null"}]},
    }
    properties = you["properties"] | of_game | more["properties"]
    named[_build_name(code, "you")] = {**you, "properties": properties}
    return named


def _build_legal(code: str, move: Any, details: Mapping[str, Definitions]) -> Definitions:
    """Return the schema of the list of legal moves: one entry for each kind of move.

    A field that the player fills in is null.
    """
    fields_of = {
        kind: form["properties"]
        for form in move["oneOf"]
        for kind in form["properties"]["kind"].get(
            "enum", [form["properties"]["kind"].get("const")]
        )
    }
    entries = []
    for one in GAMES[code].core.moves:
        fields = {
            name: {"type": "null"}
            if name in one.free
            else {"type": "array", "items": fields_of[one.kind][name]}
            for name in one.__struct_fields__
        } | details.get(one.kind, {})
        entries.append(
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["kind", *fields],
                "properties": {"kind": {"const": one.kind}, **fields},
            }
        )
    return {"type": "array", "items": {"oneOf": entries}}


def _build_rules(code: str) -> Definitions:
    """Return the schema of a game's rule set."""
    fields = {name: _build_field(kind) for name, kind in GAMES[code].rules.field_types().items()}
    return {
        "type": "object",
        "properties": {"name": {"type": "string"}, **fields},
        "additionalProperties": _ANY_RULE,
    }


def _build_field(field: FieldType) -> Definitions:
    kinds = {"flag": "boolean", "number": "integer", "choice": "string", "list": "array"}
    kind = kinds[field.kind]
    built: Definitions = {"type": [kind, "null"] if field.is_optional else kind}
    if field.kind == "choice":
        built = {"enum": [*field.choices, *([None] if field.is_optional else [])]}
    if field.item is not None:
        built["items"] = _build_field(field.item)
    return built


def _build_name(code: str, name: str) -> str:
    return f"{code}{name[0].upper()}{name[1:]}"


def _build_choice(*names: str) -> list[dict[str, str]]:
    return [{"$ref": f"#/$defs/{name}"} for name in names]


def render_text() -> str:
    return json.dumps(build_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(render_text(), end="")  # noqa: T201 - a program
