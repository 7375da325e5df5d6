"""Readers of the published hands in tests/vectors, and questions to the hand tool."""

import json
from pathlib import Path
from typing import Any

from games.cards import Card, read_cards, wild_rank
from tests.games.driving import GAMES

VECTORS = Path(__file__).parent.parent / "vectors"


def load_json(name: str) -> list[dict[str, Any]]:
    vectors: list[dict[str, Any]] = json.loads((VECTORS / name).read_text())
    return vectors


def load_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text().splitlines()]


def wild(text: str | None) -> int | None:
    return wild_rank(read_cards([text])[0] if text else None)


def cards(text: str) -> tuple[Card, ...]:
    """Read `5H 6H PJ` as cards."""
    return read_cards(text.split())


def groups(*texts: str) -> tuple[tuple[Card, ...], ...]:
    """Read the groups of one hand. Equal faces come from different packs."""
    flat = iter(cards(" ".join(texts)))
    return tuple(tuple(next(flat) for _ in text.split()) for text in texts)


def ask_line(code: str, question: str, line: str) -> dict[str, Any]:
    """Ask a game's hand tool a question given as a line of JSON."""
    said: dict[str, Any] = json.loads(GAMES[code].hand_tool.answer(question, line))
    return said


def ask(code: str, question: str, **asked: Any) -> dict[str, Any]:
    return ask_line(code, question, json.dumps(asked))
