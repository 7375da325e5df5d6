"""A match as bytes: short, because every move reads and writes it, and versioned.

JSON without names: each value stands where its dataclass has its field, cards are bytes in hex.
Players and standings are words in one text each, so that those which a move left alone are not
read again.
"""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final, TypeVar

from tables.games.cards import CARDS, Card
from tables.games.indian.deal import Deal, Declaration, Ending, How, Phase, Player, Status
from tables.games.indian.declaration import Groups
from tables.games.indian.match import Match, Membership, Question, Stage, Standing
from tables.games.indian.rulesets import RuleSet, parse_rules, rules_changes

VERSION: Final = 1

_Enum = TypeVar("_Enum", bound=StrEnum)
_NOTHING: Final = "-"
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
        [_dump_standing(standing) for standing in match.standings],
        match.number,
        match.stage,
        match.due_at,
        match.tie_breaker,
        match.question and _dump_question(match.question),
        match.may_offer,
        match.parts,
    ]
    return _encode(fields).encode("ascii")


def load(data: bytes) -> Match:
    version, *fields = json.loads(data)
    if version != VERSION:
        raise UnknownVersion(f"version {version} of a stored match")
    rules, deal, standings, number, stage, due_at, *more = fields
    tie_breaker, question, may_offer, parts = more
    return Match(
        rules=_rules_of(rules),
        deal=_load_deal(deal),
        standings=tuple(_load_standing(standing) for standing in standings),
        number=number,
        stage=_STAGES[stage],
        due_at=due_at,
        tie_breaker=tie_breaker,
        question=question and _load_question(question),
        may_offer=may_offer,
        parts=tuple((seat, part) for seat, part in parts),
    )


def _dump_deal(deal: Deal) -> list[Any]:
    return [
        deal.seed.hex(),
        [_dump_player(player) for player in deal.players],
        deal.wild,
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
        deal.finish,
        deal.declaration and _dump_declaration(deal.declaration),
        deal.ending,
        deal.reshuffles,
    ]


def _load_deal(fields: list[Any]) -> Deal:
    seed, players, wild, closed, open_pile, started_at, due_at, toss, *more = fields
    discards, phase, turn, turn_number, drawn, from_open, *last = more
    finish, declaration, ending, reshuffles = last
    flat = bytes.fromhex(discards)
    return Deal(
        seed=bytes.fromhex(seed),
        players=tuple(_load_player(player) for player in players),
        wild=CARDS[wild],
        closed=_cards(closed),
        open_pile=_cards(open_pile),
        started_at=started_at,
        due_at=due_at,
        toss=None if toss is None else _cards(toss),
        discards=tuple(zip(flat[::2], map(_card_of, flat[1::2]), strict=True)),
        phase=_PHASES[phase],
        turn=turn,
        turn_number=turn_number,
        drawn=_card(drawn),
        drawn_from_open=from_open,
        finish=_card(finish),
        declaration=declaration and _load_declaration(declaration),
        ending=_ENDINGS[ending] if ending else None,
        reshuffles=reshuffles,
    )


def _dump_player(player: Player) -> str:
    return (
        f"{player.seat} {_dump_groups(player.groups)} {player.extra_ms} {player.rev} "
        f"{player.status} {player.missed} {player.turns} {player.has_drawn:d} "
        f"{_word(player.points)} {_word(player.how)}"
    )


# Of the players of a deal a move changes one or two; the others were read just before.
@lru_cache(maxsize=1 << 13)  # at most 8 MB
def _load_player(text: str) -> Player:
    seat, groups, extra_ms, rev, status, missed, turns, has_drawn, points, how = text.split()
    return Player(
        seat=int(seat),
        groups=_load_groups(groups),
        extra_ms=int(extra_ms),
        rev=int(rev),
        status=_STATUSES[status],
        missed=int(missed),
        turns=int(turns),
        has_drawn=has_drawn == "1",
        points=_number(points),
        how=_HOWS.get(how),
    )


def _dump_standing(standing: Standing) -> str:
    return (
        f"{standing.seat} {standing.membership} {standing.score} {standing.chips} "
        f"{standing.deals_won} {standing.entries} {_word(standing.out_in)}"
        # Hardly ever there, and not in what earlier versions wrote.
        f"{f' {standing.tie_points}' if standing.tie_points else ''}"
    )


@lru_cache(maxsize=1 << 13)  # at most 3 MB
def _load_standing(text: str) -> Standing:
    seat, membership, score, chips, deals_won, entries, out_in, *tie_points = text.split()
    return Standing(
        seat=int(seat),
        membership=_MEMBERSHIPS[membership],
        score=int(score),
        chips=int(chips),
        deals_won=int(deals_won),
        entries=int(entries),
        out_in=_number(out_in),
        tie_points=int(tie_points[0]) if tie_points else 0,
    )


def _word(value: object) -> object:
    return _NOTHING if value is None else value


def _number(word: str) -> int | None:
    return None if word == _NOTHING else int(word)


def _dump_question(question: Question) -> list[Any]:
    return [question.waiting, question.score, question.asker]


def _load_question(fields: list[Any]) -> Question:
    waiting, score, asker = fields
    return Question(tuple(waiting), score, asker)


def _dump_declaration(declaration: Declaration) -> list[Any]:
    return [
        declaration.seat,
        _dump_groups(declaration.groups),
        declaration.reason,
        declaration.failed_group,
    ]


def _load_declaration(fields: list[Any]) -> Declaration:
    seat, groups, reason, failed_group = fields
    return Declaration(seat, _load_groups(groups), reason, failed_group)


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


def _by_value(members: type[_Enum]) -> Mapping[str, _Enum]:
    return {member.value: member for member in members}


_STAGES: Final = _by_value(Stage)
_PHASES: Final = _by_value(Phase)
_STATUSES: Final = _by_value(Status)
_HOWS: Final = _by_value(How)
_ENDINGS: Final = _by_value(Ending)
_MEMBERSHIPS: Final = _by_value(Membership)


@lru_cache(maxsize=256)  # at most 1 MB
def _rules_text(rules: RuleSet) -> str:
    return json.dumps(rules_changes(rules))


@lru_cache(maxsize=256)  # at most 1 MB
def _rules_of(text: str) -> RuleSet:
    return parse_rules(json.loads(text))
