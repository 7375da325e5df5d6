"""The hand of a puzzle as its player sees it, and the judging of an arrangement."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

from games.analysis.puzzles import read_groups, write_face, write_faces
from games.cards import FACES, RANKS, Card, parse_face, read_cards, wild_rank
from games.engine.base import JSON
from games.indian.lab.analysis.reading import IndianSituation
from games.indian.rules.melds import judge
from games.indian.rules.ruleset import load_rules
from games.indian.rules.scoring import hand_points

DROP: Final = "drop"
PLAY: Final = "play"


def hand_task(situation: IndianSituation, rules: JSON) -> dict[str, JSON]:
    """Return the fields of a puzzle's task that describe the current player's hand and the rules.

    `hand` has the faces by suit and rank, printed jokers last. `wild` is the face of the card turned up, and
    `wild_rank` the letter or digit of the wild rank.
    """
    hand = situation.position.hands[situation.position.turn]
    return {
        "rules": rules,
        "wild": write_face(situation.wild_card),
        "wild_rank": None if situation.wild is None else RANKS[situation.wild - 1],
        "hand": write_faces(sorted(hand, key=lambda card: card % FACES)),
    }


def judge_arrangement(
    task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
) -> dict[str, Any]:
    """Judge an arrangement such as "4H 5H 6H|7S 7C PJ" as the answer to a puzzle.

    Return whether it is `right`, its `points` (the count of its groups), and its `loss`: how many points more it counts
    than the solution. It is right if it has the least count. A hand that can be declared must also be arranged as a
    valid declaration.
    """
    groups = read_laid_groups(task["hand"], answer)
    rules = load_rules(task["rules"])
    wild = wild_rank(Card.of(parse_face(task["wild"])))
    points = hand_points(groups, wild, rules)
    is_right = points == solution["points"] and (
        not solution["declarable"] or judge(groups, wild, rules).valid
    )
    return {"right": is_right, "loss": float(points - solution["points"]), "points": points}


def read_laid_groups(hand: Sequence[str], answer: str) -> list[tuple[Card, ...]]:
    """Return the groups of the answer, followed by every other card of the hand as a group of its own."""
    groups, left = read_groups(hand, answer)
    groups += [[face] for face in left]
    cards = read_cards([face for group in groups for face in group])
    ends = list(accumulate(map(len, groups), initial=0))
    return [cards[start:end] for start, end in pairwise(ends)]
