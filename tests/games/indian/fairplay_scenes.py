"""Records of deals written by hand, with only the parts that the fair-play sums read."""

from games.indian.game import GAME
from tests.games.records import discard, write_record, write_step

# Jacks are wild. The first hand has no meld; the second waits for the 8C or any joker; the third has nothing;
# the fourth has a pure sequence and waits for the queen of hearts.
GIVER = "QS TS 9S 7S 5S 3S QH TH 7H 4D 8C 2C AC"
WAITS = "2H 3H 4H 5H 6C 7C KS KD KC 8S 8D 8H 9D"
NOTHING = "QD TD 7D 5D 3D AD QC TC 4C 3C 9H 6H 4S"
ONE_PURE = "AS 2S 3S.1 6S AH KH 2D 6D 5C 9C 8H.1 TD.1 4H.1"
FOUR = (GIVER, WAITS, NOTHING, ONE_PURE)


def record(hands, steps, *, open_card="2S.1", wild="JD.1"):
    """Return a record with thirteen cards for each seat and these steps."""
    return write_record(GAME, hands, steps, open=open_card, wild=wild)


def throw(seat, card, then):
    return discard(seat, card, {"kind": "turn", "seat": then, "due_at": 0})


def drop(seat, points, then):
    event = {"kind": "dropped", "points": points, "how": "first_drop"}
    return write_step(seat, "drop", event, {"kind": "turn", "seat": then, "due_at": 0})


def declare(seat, *, valid, then):
    event = {"kind": "declared", "valid": valid, "reason": None, "failed_group": None}
    turn = {"kind": "turn", "seat": then, "due_at": 0}
    return write_step(seat, "declare", event, turn, groups=[])


def as_server(step):
    """Return the same step as made by the clock for an absent player."""
    return {name: value for name, value in step.items() if name not in ("seat", "move")}
