"""A match as bytes: short, because every move reads and writes it, and versioned.

JSON without names: each value stands where its dataclass has its field, cards are bytes in hex.
"""

import json
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final

from tables.games.cards import CARDS, Card
from tables.games.gin.deal import (
    Deal,
    How,
    Knock,
    KnockKind,
    Laid,
    Outcome,
    Phase,
    Player,
)
from tables.games.gin.match import Match, Stage
from tables.games.gin.melds import Groups
from tables.games.gin.rulesets import GinRules, parse_rules, rules_changes
from tables.games.gin.sheet import Line

VERSION: Final = 1

_SIZES: Final = "0123456789abcdef"
_card_of: Final = CARDS.__getitem__
_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class UnknownVersion(ValueError):  # noqa: N818 - says what it is
    """The state was written by a later version of this code."""


def dump(match: Match) -> bytes:
    fields = [
        VERSION,
        _rules_text(match.rules),
        _dump_deal(match.deal),
        match.number,
        match.stage,
        match.due_at,
        [_dump_line(line) for line in match.sheet],
        match.left,
        match.winners,
    ]
    return _encode(fields).encode("ascii")


def load(data: bytes) -> Match:
    version, *fields = json.loads(data)
    if version != VERSION:
        raise UnknownVersion(f"version {version} of a stored match")
    rules, deal, number, stage, due_at, sheet, left, winners = fields
    return Match(
        rules=_rules_of(rules),
        deal=_load_deal(deal),
        number=number,
        stage=Stage(stage),
        due_at=due_at,
        sheet=tuple(_load_line(line) for line in sheet),
        left=left,
        winners=tuple(winners),
    )


def _dump_deal(deal: Deal) -> list[Any]:
    return [
        deal.seed.hex(),
        [_dump_player(player) for player in deal.players],
        deal.upcard,
        _hex(deal.closed),
        _hex(deal.open_pile),
        deal.started_at,
        deal.due_at,
        None if deal.toss is None else _hex(deal.toss),
        bytes(chain.from_iterable(deal.discards)).hex(),
        deal.phase,
        deal.turn,
        deal.turn_number,
        deal.drawn,
        deal.drawn_from_open,
        deal.must_draw_closed,
        deal.knock and _dump_knock(deal.knock),
        deal.outcome and _dump_outcome(deal.outcome),
    ]


def _load_deal(fields: list[Any]) -> Deal:
    seed, players, upcard, closed, open_pile, started_at, due_at, toss, *more = fields
    discards, phase, turn, turn_number, drawn, from_open, must_draw_closed, *last = more
    knock, outcome = last
    flat = bytes.fromhex(discards)
    return Deal(
        seed=bytes.fromhex(seed),
        players=tuple(_load_player(player) for player in players),
        upcard=CARDS[upcard],
        closed=_cards(closed),
        open_pile=_cards(open_pile),
        started_at=started_at,
        due_at=due_at,
        toss=None if toss is None else _cards(toss),
        discards=tuple(zip(flat[::2], map(_card_of, flat[1::2]), strict=True)),
        phase=Phase(phase),
        turn=turn,
        turn_number=turn_number,
        drawn=_card(drawn),
        drawn_from_open=from_open,
        must_draw_closed=must_draw_closed,
        knock=knock and _load_knock(knock),
        outcome=outcome and _load_outcome(outcome),
    )


def _dump_player(player: Player) -> list[Any]:
    return [
        player.seat,
        _dump_groups(player.groups),
        player.extra_ms,
        player.rev,
        player.missed,
        player.turns,
        _hex(player.taken),
    ]


def _load_player(fields: list[Any]) -> Player:
    seat, groups, extra_ms, rev, missed, turns, taken = fields
    return Player(
        seat=seat,
        groups=_load_groups(groups),
        extra_ms=extra_ms,
        rev=rev,
        missed=missed,
        turns=turns,
        taken=_cards(taken),
    )


def _dump_knock(knock: Knock) -> list[Any]:
    groups, loose = _dump_groups(knock.groups), _hex(knock.loose)
    return [knock.seat, knock.kind, knock.card, groups, loose, knock.points]


def _load_knock(fields: list[Any]) -> Knock:
    seat, kind, card, groups, loose, points = fields
    return Knock(seat, KnockKind(kind), _card(card), _load_groups(groups), _cards(loose), points)


def _dump_outcome(outcome: Outcome) -> list[Any]:
    return [
        outcome.how,
        outcome.winner,
        outcome.points,
        [[_dump_groups(hand.groups), _hex(hand.loose), hand.deadwood] for hand in outcome.hands],
        outcome.lay_offs,
    ]


def _load_outcome(fields: list[Any]) -> Outcome:
    how, winner, points, hands, lay_offs = fields
    return Outcome(
        how=How(how),
        winner=winner,
        points=points,
        hands=tuple(
            Laid(_load_groups(groups), _cards(loose), deadwood) for groups, loose, deadwood in hands
        ),
        lay_offs=tuple((CARDS[card], meld) for card, meld in lay_offs),
    )


def _dump_line(line: Line) -> list[Any]:
    return [line.deal, line.dealer, line.how, line.winner, line.points, line.deadwoods]


def _load_line(fields: list[Any]) -> Line:
    deal, dealer, how, winner, points, deadwoods = fields
    by_seat = tuple((seat, count) for seat, count in deadwoods)
    return Line(deal, dealer, How(how), winner, points, by_seat)


def _hex(cards: Iterable[Card]) -> str:
    return bytes(cards).hex()


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(_card_of, bytes.fromhex(text)))


def _card(number: int | None) -> Card | None:
    return None if number is None else CARDS[number]


def _dump_groups(groups: Groups) -> str:
    """The size of each group as a hexadecimal digit, a full stop, then all cards."""
    sizes = "".join([_SIZES[len(group)] for group in groups])
    return f"{sizes}.{bytes(chain.from_iterable(groups)).hex()}"


def _load_groups(text: str) -> Groups:
    sizes, _, numbers = text.partition(".")
    cards = iter(_cards(numbers))
    return tuple([tuple(islice(cards, _SIZES.index(size))) for size in sizes])


@lru_cache(maxsize=256)  # at most 1 MB
def _rules_text(rules: GinRules) -> str:
    return json.dumps(rules_changes(rules))


@lru_cache(maxsize=256)  # at most 1 MB
def _rules_of(text: str) -> GinRules:
    return parse_rules(json.loads(text))
