"""Writes tests/vectors/gin.jsonl: questions, and what is certain of their answers.

    python -m tests.games.gin.write_vectors

The answers come from the exhaustive search alone. Every third hand is any hand, the others are out
of five neighbouring ranks or of two suits.
"""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.cards import FACE_TEXT, Card
from tests.games.gin import exhaustive

VECTORS = Path(__file__).resolve().parents[2] / "vectors/gin.jsonl"
QUESTIONS = 400


def texts(cards: Sequence[Card]) -> list[str]:
    return [FACE_TEXT[card] for card in cards]


def list_vectors() -> Iterator[dict[str, object]]:
    rng = random.Random("gin")
    kinds = [*exhaustive.KINDS]
    for number in range(QUESTIONS):
        kind = kinds[number % len(kinds)]
        if number % 4 == 3:
            hand, melds = exhaustive.deal_knocked_hands(kind, rng)
            asked: dict[str, object] = {"hand": texts(hand), "melds": [texts(m) for m in melds]}
            least = exhaustive.search_least_defended(hand, melds)
            yield {"question": "defend", "asked": asked, "answer": {"points": least}}
            continue
        size = 10 if number % 4 == 0 else 11
        cards = exhaustive.KINDS[kind](rng, size)
        least = (
            exhaustive.search_least_deadwood
            if size == 10
            else exhaustive.search_least_after_discard
        )(cards)
        is_big = size == 11 and exhaustive.search_least_deadwood(cards) == 0
        said = {"points": least, "may_knock": least <= 10, "big_gin": is_big}
        yield {"question": "arrange", "asked": {"hand": texts(cards)}, "answer": said}


def main() -> None:
    lines = (json.dumps(vector, separators=(",", ":")) for vector in list_vectors())
    VECTORS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
