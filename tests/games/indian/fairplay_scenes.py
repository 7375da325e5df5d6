"""Records of deals written by hand, as far as the sums of fair play read them."""

from games.indian.game import GAME

# The wild card is a jack. Nothing fits in the first hand; the second waits for the 8C or any joker;
# the third has nothing; the fourth a pure sequence, and waits for the queen of hearts.
GIVER = "QS TS 9S 7S 5S 3S QH TH 7H 4D 8C 2C AC"
WAITS = "2H 3H 4H 5H 6C 7C KS KD KC 8S 8D 8H 9D"
NOTHING = "QD TD 7D 5D 3D AD QC TC 4C 3C 9H 6H 4S"
ONE_PURE = "AS 2S 3S.1 6S AH KH 2D 6D 5C 9C 8H.1 TD.1 4H.1"
FOUR = (GIVER, WAITS, NOTHING, ONE_PURE)


def faces(text):
    return [face if "." in face else f"{face}.0" for face in text.split()]


def record(hands, steps, *, open_card="2S.1", wild="JD.1"):
    """`hands`: thirteen cards for each seat; `steps` as the record has them."""
    return {
        "rules": GAME.rules.json(GAME.rules.preset("points")),
        "order": list(range(len(hands))),
        "wild": wild,
        "open": open_card,
        "hands": {str(seat): faces(hand) for seat, hand in enumerate(hands)},
        "steps": steps,
    }


def draws(seat, card, source="closed"):
    event = {"kind": "drawn", "seat": seat, "source": source}
    move = {"kind": "draw", "source": source}
    if source == "open":
        return {"seat": seat, "move": move, "events": [{**event, "card": card}]}
    return {"seat": seat, "move": move, "events": [event], "drew": card}


def throws(seat, card, then):
    events = [
        {"kind": "discarded", "seat": seat, "card": card},
        {"kind": "turn", "seat": then, "due_at": 0},
    ]
    return {"seat": seat, "move": {"kind": "discard", "card": card}, "events": events}


def drops(seat, points, then):
    events = [
        {"kind": "dropped", "seat": seat, "points": points, "how": "first_drop"},
        {"kind": "turn", "seat": then, "due_at": 0},
    ]
    return {"seat": seat, "move": {"kind": "drop"}, "events": events}


def declares(seat, *, valid, then):
    events = [
        {"kind": "declared", "seat": seat, "valid": valid, "reason": None, "failed_group": None},
        {"kind": "turn", "seat": then, "due_at": 0},
    ]
    return {"seat": seat, "move": {"kind": "declare", "groups": []}, "events": events}


def as_server(step):
    """The same, done by the clock for a player who did nothing."""
    return {name: value for name, value in step.items() if name not in ("seat", "move")}


def ends(winners, points):
    by_seat = {str(seat): count for seat, count in points.items()}
    return {"events": [{"kind": "deal_over", "winners": winners, "points": by_seat}]}
