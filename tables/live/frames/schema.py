"""docs/protocol.schema.json, made of the frames' classes and of parts.json.

python -m tables.live.frames.schema > docs/protocol.schema.json
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from tables.live.frames import incoming, outgoing

_PARTS = json.loads(Path(__file__).with_name("parts.json").read_text())
# Frames that are no table's own: those of /ws/me/ come over a table's socket as well.
_OF_ONESELF = ("balance", "tableReady", "chair", "decided")


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of every frame in both directions."""
    received = list(incoming.FRAMES.values())
    _, frames = msgspec.json.schema_components(
        [*received, *outgoing.FRAMES], ref_template="#/$defs/{name}"
    )
    from_server = [kind.__name__ for kind in outgoing.FRAMES]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The sockets' protocol",
        "description": _PARTS["description"],
        "anyOf": _one_of(
            "fromClient", "fromServer", "listenerSends", "whatMeHears", "whatTournamentHears"
        ),
        "$defs": {
            "fromClient": {"oneOf": _one_of(*(kind.__name__ for kind in received))},
            "fromServer": {"oneOf": _one_of(*from_server, *_OF_ONESELF)},
            **frames,
            **_PARTS["$defs"],
        },
    }


def _one_of(*names: str) -> list[dict[str, str]]:
    return [{"$ref": f"#/$defs/{name}"} for name in names]


def text() -> str:
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")  # noqa: T201 - a program
