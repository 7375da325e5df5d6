"""docs/protocol.schema.json, generated from the frames' classes, protocol_parts.json and each game's wire.json.

A definition of a game's wire.json is named after the game (`move` of `indian`: `indianMove`); `move` itself
is that of any game.

python -m tables.live.schema > docs/protocol.schema.json
"""

import copy
import inspect
import json
from pathlib import Path
from typing import Any

import msgspec

import games
from games.registry import FORMATS, GAMES
from tables.live.frames import CLIENT_FRAMES, SERVER_FRAMES

Definitions = dict[str, Any]

_PARTS = json.loads(Path(__file__).with_name("protocol_parts.json").read_text())
_GAMES = Path(games.__file__).parent
# Schemas that every game provides. `you` is what the game adds to each seat's own view.
_OF_EVERY_GAME = ("move", "draft", "question", "answer", "game", "gamePart", "you")
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
    """Return the definitions of protocol_parts.json, with the games and formats that there are."""
    parts: Definitions = copy.deepcopy(_PARTS["$defs"])
    fields = parts["table"]["properties"]
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
    """Return the game's definitions with their names in the schema, including their references to each other."""
    text = json.dumps(own)
    for name in own:
        text = text.replace(f'"#/$defs/{name}"', f'"#/$defs/{_build_name(code, name)}"')
    named = {_build_name(code, name): part for name, part in json.loads(text).items()}
    you, more = _PARTS["$defs"]["you"], named[_build_name(code, "you")]
    named[_build_name(code, "you")] = {**you, "properties": you["properties"] | more["properties"]}
    return named


def _build_name(code: str, name: str) -> str:
    return f"{code}{name[0].upper()}{name[1:]}"


def _build_choice(*names: str) -> list[dict[str, str]]:
    return [{"$ref": f"#/$defs/{name}"} for name in names]


def render_text() -> str:
    return json.dumps(build_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(render_text(), end="")  # noqa: T201 - a program
