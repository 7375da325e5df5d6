"""Worked examples of the guide to Indian rummy: declarations that fail, and what matches pay.

No result is written down here: the rules judge the cards, and the caller's own arithmetic takes the
service fee, so that a page says the same as a table.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.cards import Card, is_joker, read_cards, wild_rank
from games.engine.base import Text, divide, text
from games.engine.base import gettext_noop as _
from games.engine.game import Guide
from games.indian.rules.melds import judge
from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.scoring import Survivor, split_parts

# Returns the service fee of an amount.
Rake = Callable[[int], int]


# Title, why, the groups; the wild joker is the six of spades throughout.
_WILD: Final = "6S"
_DECLARED: Final = (
    (
        _("No pure sequence"),
        _(
            "Both sequences use a joker. One sequence has to stand without any; until it does, every "
            "card counts."
        ),
        ("4H 5H PJ 7H", "8C 6D TC", "KS KH KD", "2S 2H 2D"),
    ),
    (
        _("Only one sequence"),
        _(
            "One pure sequence and three sets: a second sequence is missing, with or without a joker."
        ),
        ("4H 5H 6H 7H", "9C 9S 9D", "KS KH KD", "2S 2H 2D"),
    ),
    (
        _("Two cards of one suit in a set"),
        _("A set has each suit once. The second king of spades is no part of it."),
        ("4H 5H 6H 7H", "8C 9C TC", "KS KS KD", "2S 2H 2D"),
    ),
    (
        _("A gap that nothing fills"),
        _("The jack of clubs is missing, and the group holds no joker."),
        ("4H 5H 6H 7H", "9C TC QC", "KS KH KD", "2S 2H 2D"),
    ),
    (
        _("Two cards are no meld"),
        _("A pair is worth nothing. Every group has three cards or more."),
        ("4H 5H 6H 7H 8H", "9C TC JC", "KS KH KD", "2S 2H"),
    ),
    (
        _("Around the corner"),
        _("An ace stands below the two or above the king, not between them."),
        ("4H 5H 6H 7H", "KC AC 2C", "KS KH KD", "9S 9H 9D"),
    ),
    (
        _("And a right one"),
        _("A pure sequence, a second one with a joker in its gap, and two sets."),
        ("4H 5H 6H 7H", "9C PJ JC", "KS KH KD", "2S 2H 2D"),
    ),
)


def declarations() -> list[dict[str, Any]]:
    """Judge each declaration by the rules; the last one is right.

    `groups` are the thirteen cards as a player laid them. `reason` is a key of
    `games.indian.rules.melds.REASONS`, None where they are right; `failed` counts from 1.
    """
    return [_judged(text(title), text(why), groups) for title, why, groups in _DECLARED]


def _judged(title: Text, why: Text, texts: Sequence[str]) -> dict[str, Any]:
    hand = read_cards(" ".join(texts).split())
    lengths = [len(cards.split()) for cards in texts]
    starts = [sum(lengths[:place]) for place in range(len(lengths))]
    groups = [hand[start : start + length] for start, length in zip(starts, lengths, strict=True)]
    wild = wild_rank(read_cards([_WILD])[0])
    judged = judge(groups, wild, POINTS)
    failed = None if judged.failed_group is None else judged.failed_group + 1
    drawn = [[_drawn(card, wild) for card in group] for group in groups]
    return {"title": title, "why": why, "groups": drawn, "reason": judged.reason, "failed": failed}


def _drawn(card: Card, wild: int | None) -> Mapping[str, Any]:
    """Write a card in the form of templates/_card.html."""
    face = str(card).partition(".")[0]
    if face == "PJ":
        return {"rank": "", "suit": "J", "wild": False}
    return {"rank": face[0], "suit": face[1], "wild": is_joker(card, wild)}


def winnings(rake: Rake) -> dict[str, Any]:
    """Return the numbers of one worked example of each format, all in chips."""
    return {
        "points": _points(rake, losses=(12, 35, POINTS.first_drop or 0), value=2),
        "pool": _pool(rake, players=5, fee=100, again=1),
        "split": _split(rake, players=4, fee=100, scores=(40, 75)),
        "deals": _deals(rake, fee=100, lost=(34, 21)),
    }


def _points(rake: Rake, *, losses: Sequence[int], value: int) -> dict[str, Any]:
    """Work out points rummy (R7.2): every loser pays points times the value; the winner gets it less the fee."""
    paid = [{"points": points, "chips": points * value} for points in losses]
    gross = sum(points * value for points in losses)
    return {"value": value, "paid": paid, **_pot(rake, gross)}


def _pool(rake: Rake, *, players: int, fee: int, again: int) -> dict[str, Any]:
    """Work out a pool (R8.7): all entry fees, rejoins included, go to the last player left."""
    rules = PRESETS["pool101"]
    facts = {"players": players, "fee": fee, "again": again, "out": rules.elimination_score}
    return {**facts, "entries": players + again, **_pot(rake, fee * (players + again))}


def _split(rake: Rake, *, players: int, fee: int, scores: Sequence[int]) -> dict[str, Any]:
    """Work out a split (R8.3, R8.5): a prize shared by the drops left."""
    rules = PRESETS["pool101"]
    survivors = [Survivor(seat, score) for seat, score in enumerate(scores)]
    pot = _pot(rake, fee * players)
    shares = divide(pot["net"], split_parts(survivors, rules, entries=players) or {})
    parts = [{"score": score, "chips": shares[seat]} for seat, score in enumerate(scores)]
    return {"players": players, "fee": fee, "parts": parts, **pot}


def _deals(rake: Rake, *, fee: int, lost: Sequence[int]) -> dict[str, Any]:
    """Work out a match of two deals (R9): each player loses one, and the other gets the points."""
    rules = PRESETS["deals2"]
    begin = rules.chips_per_deal * (rules.deals or 0)
    first, second = lost
    ends = (begin + first - second, begin - first + second)
    deals = [{"points": points} for points in lost]
    return {"fee": fee, "begin": begin, "deals": deals, "ends": ends, **_pot(rake, 2 * fee)}


def _pot(rake: Rake, gross: int) -> dict[str, int]:
    fee = rake(gross)
    return {"gross": gross, "rake": fee, "net": gross - fee}


def _nothing(_rake: Rake) -> dict[str, Any]:
    return {}


GUIDE: Final = Guide(
    {
        "tips": _nothing,
        "terms": _nothing,
        "declarations": lambda _rake: {"declarations": declarations()},
        "winnings": winnings,
        "print": _nothing,
    }
)
