"""Simulated players for the comparison: random, skilled, slow and foolish ones, who may leave at any time."""

import random
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from games.indian.bots import choose as bots
from games.indian.game import GAME
from games.indian.lab.hand_help import HELP
from tests.games.driving import bot_view
from tests.games.model import views
from tests.games.model.cards import face
from tests.games.model.comparison import Pair
from tests.games.model.counting import list_pure_sequences
from tests.games.model.deal import Move

STYLES: Final = ("random", "skilled", "slow", "foolish")
_HASTE_AFTER: Final = 200  # steps, after which players hurry to end the match
_IN_TURN: Final = ("draw", "discard", "finish", "drop")
_ELSEWHERE: Final = ("declare", "show", "arrange", "leave", "rejoin", "offer_split", "answer_split")


@dataclass(frozen=True)
class Temper:
    """The players' styles in a match, and the probabilities of special steps."""

    styles: dict[int, str]
    leave: dict[str, float]
    illegal: float
    postpone: float
    conclude: float
    haste: float
    agree: float
    rejoin: float

    @classmethod
    def of(cls, seats: tuple[int, ...], rng: random.Random) -> "Temper":
        likely = rng.choice(["skilled", "skilled", *STYLES])
        return cls(
            styles={seat: rng.choice([likely, likely, *STYLES]) for seat in seats},
            leave={
                "turn": rng.choice([0, 0, 0.003, 0.01, 0.03]),
                "declare": 0.03,
                "show": 0.05,
                "between": rng.choice([0, 0.02, 0.1]),
                "rejoin": 0.25,
                "split": 0.2,
            },
            illegal=0.1,
            postpone=0.01,
            conclude=rng.choice([0, 0, 0.1]),
            haste=rng.choice([0, 0, 0, 0.1, 0.4, 0.8]),
            agree=rng.choice([0.5, 0.95]),
            rejoin=rng.choice([0.2, 0.8]),
        )


def choose_move(pair: Pair, temper: Temper, rng: random.Random, steps: int) -> tuple[int, Move]:
    """Return a seat that may act and a legal move of it."""
    seat = rng.choice(pair.model.acting)
    moves = {move["kind"]: move for move in views.list_legal(pair.model, seat)}
    for kind, wanted in (("rejoin", temper.rejoin), ("answer_split", temper.agree)):
        if kind in moves:
            return seat, {"kind": kind, "accept": rng.random() < wanted}
    haste = max(temper.haste, 0.9 if steps > _HASTE_AFTER else 0)
    style = temper.styles[seat]
    shows = "show" in moves and rng.random() < 0.6
    if style == "skilled" and not shows and rng.random() >= haste:
        wire: Any = bots.choose(bot_view(GAME, pair.game, seat), seat, strength="medium", rng=rng)
        if wire["kind"] == "declare" and rng.random() < 0.2:
            wire["groups"] = _muddle(wire["groups"], rng)
        return seat, wire
    return seat, _choose_own(pair, seat, haste, rng)


def _choose_own(pair: Pair, seat: int, haste: float, rng: random.Random) -> Move:
    moves = views.list_legal(pair.model, seat)
    kinds = {move["kind"] for move in moves}
    if "draw" in kinds:
        if "drop" in kinds and rng.random() < max(haste * 0.7, 0.02):
            return {"kind": "drop"}
        return rng.choice([move for move in moves if move["kind"] == "draw"])
    if "discard" in kinds:
        wanted = "finish" if rng.random() < max(haste * 0.7, 0.03) else "discard"
        return rng.choice([move for move in moves if move["kind"] == wanted])
    kind = "declare" if "declare" in kinds else "show"
    return {"kind": kind, "groups": choose_groups(pair, seat, rng)}


def _keep_pure_sequence(hand: list[str]) -> list[list[str]]:
    """Return groups of a pure sequence, if there is one, and of all other cards together."""
    left, laid = list(hand), []
    for one in next(list_pure_sequences(Counter(map(face, hand))), ()):
        card = next(card for card in left if face(card) == one)
        left.remove(card)
        laid.append(card)
    return [group for group in (laid, left) if group]


def _muddle(groups: list[list[str]], rng: random.Random) -> list[list[str]]:
    """Return the groups with one card moved, perhaps to another group."""
    muddled = [list(group) for group in groups]
    source, target = rng.choice(muddled), rng.choice(muddled)
    target.append(source.pop(rng.randrange(len(source))))
    return [group for group in muddled if group]


def choose_groups(pair: Pair, seat: int, rng: random.Random) -> list[list[str]]:
    """Return the hand in its saved groups, in the best ones, with one pure sequence, or in random ones."""
    own: dict[str, Any] = GAME.view.private(pair.game, seat)
    chance = rng.random()
    if chance < 0.3:
        return [list(group) for group in own["groups"]]
    if chance < 0.5:
        groups: Any = HELP.answer(pair.game, seat, {"kind": "arrange"})["groups"]
        return [list(group) for group in groups]
    if chance < 0.7:
        return _keep_pure_sequence(own["hand"])
    hand = rng.sample(own["hand"], len(own["hand"]))
    cuts = sorted(rng.sample(range(1, len(hand)), rng.randrange(5)))
    return [hand[start:end] for start, end in pairwise([0, *cuts, len(hand)])]


def choose_arrangement(pair: Pair, seat: int, rng: random.Random) -> Move:
    rev = GAME.view.private(pair.game, seat)["rev"]
    assert isinstance(rev, int)
    newer = rng.choice([0, rev, rev + 1, rev + 1, rev + 3])
    return {"kind": "arrange", "rev": newer, "groups": choose_groups(pair, seat, rng)}


def choose_any_move(pair: Pair, seat: int, rng: random.Random) -> Move:
    """Return a well-formed move that may break the rules."""
    kind = rng.choice(_IN_TURN if rng.random() < 0.6 else _ELSEWHERE)
    own = GAME.view.private(pair.game, seat)["hand"] if seat in pair.seats else []
    hand = list(own) if isinstance(own, list) else []
    move: Move = {"kind": kind}
    if kind == "draw":
        move["source"] = rng.choice(["open", "open", "closed"])
    elif kind in ("discard", "finish"):
        likely = hand[-1:] * 6
        move["card"] = rng.choice([*hand, *likely, *rng.sample(pair.all_cards, 5)])
    elif kind in ("declare", "show", "arrange"):
        move["groups"] = _choose_any_groups(hand, pair.all_cards, rng)
        if kind == "arrange":
            move["rev"] = 50
    elif kind in ("rejoin", "answer_split"):
        move["accept"] = rng.random() < 0.5
    return move


def _choose_any_groups(hand: list[str], others: list[str], rng: random.Random) -> list[list[str]]:
    cards = rng.sample(hand, len(hand)) or ["AS.0"]
    if rng.random() < 0.3:
        cards = cards[:-1] + rng.sample(others, 1)
    return [cards[:5], cards[5:]] if len(cards) > 5 else [cards]
