"""docs/asyncapi.json: the sockets and their frames, for tools that read AsyncAPI 3.

The frames are those of docs/protocol.schema.json.

python -m tables.live.asyncapi > docs/asyncapi.json
"""

import json
from typing import Any, Final

from tables.live.schema import build_schema

_FRAMES: Final = build_schema()["$defs"]
# By channel: its address, its title, and the messages from the client and from the server.
_CHANNELS: Final = {
    "table": ("/ws/tables/{table}/", "The socket of a table", "fromClient", "fromServer"),
    "me": ("/ws/me/", "What concerns a player, wherever they are", "listenerSends", "whatMeHears"),
    "tournament": (
        "/ws/tournaments/{tournament}/",
        "When to look at a tournament again",
        "listenerSends",
        "whatTournamentHears",
    ),
}


def build_document() -> dict[str, Any]:
    operations: dict[str, Any] = {}
    for name, (_, _, heard, sent) in _CHANNELS.items():
        operations[f"{name}Hears"] = _describe_operation("receive", name, heard)
        operations[f"{name}Tells"] = _describe_operation("send", name, sent)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "The sockets' protocol",
            "version": "2",
            "description": "/docs/protocol/ of each site explains it.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "site": {
                "host": "{host}",
                "protocol": "wss",
                "variables": {"host": {"description": "the site's, such as play.example.com"}},
                "security": [{"$ref": "#/components/securitySchemes/token"}],
            }
        },
        "channels": {name: _describe_channel(*told) for name, told in _CHANNELS.items()},
        "operations": operations,
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Pages show the session's cookie instead.",
                }
            }
        },
    }


def _describe_channel(address: str, title: str, heard: str, sent: str) -> dict[str, Any]:
    names = [*_list_frames(heard), *_list_frames(sent)]
    parameters = [part[1:-1] for part in address.split("/") if part.startswith("{")]
    return {
        "address": address,
        "title": title,
        "messages": {
            name: {"payload": {"$ref": f"protocol.schema.json#/$defs/{name}"}} for name in names
        },
        "parameters": {name: {"description": "its number"} for name in parameters},
    }


def _describe_operation(action: str, channel: str, frames: str) -> dict[str, Any]:
    place = f"#/channels/{channel}"
    return {
        "action": action,
        "channel": {"$ref": place},
        "messages": [{"$ref": f"{place}/messages/{name}"} for name in _list_frames(frames)],
    }


def _list_frames(name: str) -> list[str]:
    """Return the names of a definition's alternatives (`oneOf`), or its own name if it has none."""
    return [one["$ref"].rpartition("/")[2] for one in _FRAMES[name].get("oneOf", [])] or [name]


def render_text() -> str:
    return json.dumps(build_document(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(render_text(), end="")  # noqa: T201 - a program
