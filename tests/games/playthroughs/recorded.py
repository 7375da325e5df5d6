"""The recorded matches, in one file for each game."""

import json
import lzma
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
MATCHES: Final = 200


def read_recorded(game: str) -> list[dict[str, Any]]:
    """Return the recorded matches of a game, ordered by number."""
    lines = lzma.decompress((FOLDER / f"{game}.jsonl.xz").read_bytes()).splitlines()
    return [json.loads(line) for line in lines]
