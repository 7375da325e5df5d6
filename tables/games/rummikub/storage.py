"""A match as bytes: short, because every move reads and writes it, and versioned.

JSON without names: each value stands where its dataclass has its field, tiles are bytes in hex.
"""

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from tables.games.cards import CARDS, Card
from tables.games.rummikub.deal import Deal, How, Laid, Phase, Player, Status
from tables.games.rummikub.match import Line, Match, Stage
from tables.games.rummikub.melds import Meld, Melds
from tables.games.rummikub.rulesets import RummikubRules, parse_rules, rules_changes

VERSION: Final = 1

_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class UnknownVersion(ValueError):  # noqa: N818 - says what it is
    """The state was written by a later version of this code."""


def dump(match: Match) -> bytes:
    fields = [
        VERSION,
        _rules_text(match.rules),
        match.seats,
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
    rules, seats, deal, number, stage, due_at, sheet, left, winners = fields
    return Match(
        rules=_rules_of(rules),
        seats=tuple(seats),
        deal=_load_deal(deal),
        number=number,
        stage=Stage(stage),
        due_at=due_at,
        sheet=tuple(_load_line(line) for line in sheet),
        left=tuple(left),
        winners=tuple(winners),
    )


def _dump_deal(deal: Deal) -> list[Any]:
    return [
        deal.seed.hex(),
        [_dump_player(player) for player in deal.players],
        _dump_melds(deal.table),
        _hex(deal.pool),
        deal.started_at,
        deal.due_at,
        None if deal.toss is None else _hex(deal.toss),
        deal.phase,
        deal.turn,
        deal.turn_number,
        deal.passes,
        deal.last_lay and _dump_laid(deal.last_lay),
        deal.how,
    ]


def _load_deal(fields: list[Any]) -> Deal:
    seed, players, table, pool, started_at, due_at, toss, *more = fields
    phase, turn, turn_number, passes, last_lay, how = more
    return Deal(
        seed=bytes.fromhex(seed),
        players=tuple(_load_player(player) for player in players),
        table=_load_melds(table),
        pool=_cards(pool),
        started_at=started_at,
        due_at=due_at,
        toss=None if toss is None else _cards(toss),
        phase=Phase(phase),
        turn=turn,
        turn_number=turn_number,
        passes=passes,
        last_lay=last_lay and _load_laid(last_lay),
        how=None if how is None else How(how),
    )


def _dump_player(player: Player) -> list[Any]:
    return [
        player.seat,
        _hex(player.rack),
        player.has_opened,
        player.status,
        None if player.draft is None else _dump_melds(player.draft),
        player.rev,
        player.missed,
        player.turns,
        _hex(player.drawn),
        player.lost,
    ]


def _load_player(fields: list[Any]) -> Player:
    seat, rack, has_opened, status, draft, rev, missed, turns, drawn, lost = fields
    return Player(
        seat=seat,
        rack=_cards(rack),
        has_opened=has_opened,
        status=Status(status),
        draft=None if draft is None else _load_melds(draft),
        rev=rev,
        missed=missed,
        turns=turns,
        drawn=_cards(drawn),
        lost=lost,
    )


def _dump_laid(laid: Laid) -> list[Any]:
    return [laid.seat, _hex(laid.from_rack), _hex(laid.moved), laid.points]


def _load_laid(fields: list[Any]) -> Laid:
    seat, from_rack, moved, points = fields
    return Laid(seat, _cards(from_rack), _cards(moved), points)


def _dump_melds(melds: Melds) -> list[str]:
    """The tiles of each, then what they stand for where jokers do for something else."""
    return [
        _hex(meld.cards) + ("." + bytes(meld.faces).hex() if meld.jokers else "") for meld in melds
    ]


def _load_melds(texts: list[str]) -> Melds:
    melds = []
    for text in texts:
        tiles, _, faces = text.partition(".")
        cards = _cards(tiles)
        stands = tuple(bytes.fromhex(faces)) if faces else tuple(card.face for card in cards)
        melds.append(Meld(cards, stands))
    return tuple(melds)


def _dump_line(line: Line) -> list[Any]:
    return [line.deal, line.how, line.winners, line.counts, line.scores]


def _load_line(fields: list[Any]) -> Line:
    deal, how, winners, counts, scores = fields
    return Line(deal, How(how), tuple(winners), _pairs(counts), _pairs(scores))


def _pairs(fields: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((seat, points) for seat, points in fields)


def _hex(cards: Iterable[Card]) -> str:
    return bytes(cards).hex()


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(CARDS.__getitem__, bytes.fromhex(text)))


@lru_cache(maxsize=256)  # at most 1 MB
def _rules_text(rules: RummikubRules) -> str:
    return json.dumps(rules_changes(rules))


@lru_cache(maxsize=256)  # at most 1 MB
def _rules_of(text: str) -> RummikubRules:
    return parse_rules(json.loads(text))
