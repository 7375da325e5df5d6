"""Deals of Rummikub set up by hand, and moves in a short form: `act(match, 0, "lay", table="5H 6H 7H")`.

A tile without a pack is the first one left with its face; `PJ=8H` is a joker that stands for the 8H.
"""

from collections.abc import Sequence
from typing import Any

from games.cards import CARD_BY_TEXT, FACE_TEXT, Card, parse_face
from games.engine.state import replace
from games.rummikub.game import GAME
from games.rummikub.rules.deal import Deal, Player
from games.rummikub.rules.match import Match
from games.rummikub.rules.melds import DECK, Meld, Melds, make_meld, melds_json, read_meld
from games.rummikub.rules.ruleset import POINTS, RummikubRules
from tests.games.scenes import Acting, begin_fields, cut_deck

# No two of these tiles fit together.
LOOSE = "AS 4S 7S TS 3C"


class Tiles:
    """The game's tiles, each of which can be taken once."""

    def __init__(self, taken: Sequence[Card] = ()) -> None:
        self.taken = set(taken)

    def take(self, text: str) -> Card:
        if "." in text:
            card = CARD_BY_TEXT[text]
            assert card not in self.taken, text
        else:
            face = parse_face(text)
            card = next(c for c in DECK if c.face == face and c not in self.taken)
        self.taken.add(card)
        return card

    def cards(self, text: str) -> tuple[Card, ...]:
        return tuple(self.take(word) for word in text.split())

    def melds(self, text: str) -> Melds:
        return tuple(self.meld(part) for part in text.split("|") if part.split())

    def meld(self, text: str) -> Meld:
        words = [word.partition("=") for word in text.split()]
        cards = [self.take(word) for word, _, _ in words]
        if not any(stands for _, _, stands in words):
            return read_meld(cards)
        return make_meld(
            cards, [parse_face(stands or word.partition(".")[0]) for word, _, stands in words]
        )


def melds(text: str) -> Melds:
    return Tiles().melds(text)


def faces(text: str) -> list[str]:
    """Return `5H 6H` as a sorted list of faces."""
    return sorted(FACE_TEXT[parse_face(word)] for word in text.split())


def scene(
    *racks: str,
    table: str = "",
    next_drawn: str = "",  # the next tile comes first
    pool_size: int | None = None,  # all other tiles are out of play
    opened: bool | Sequence[bool] = True,
    rules: RummikubRules = POINTS,
) -> Match:
    """Set up racks in order of play, with seat 0 to move. All other tiles are in the pool.

    If only one rack is given, seat 1 has tiles that fit nowhere.
    """
    tiles, racks = Tiles(), racks if len(racks) > 1 else (*racks, LOOSE)
    laid, held = tiles.melds(table), [tiles.cards(rack) for rack in racks]
    named, first = tuple(tiles.taken), tiles.cards(next_drawn)
    pool, _ = cut_deck(DECK, named, first, pool_size)
    has_opened = [opened] * len(racks) if isinstance(opened, bool) else opened
    players = [{"rack": rack, "has_opened": has_opened[seat]} for seat, rack in enumerate(held)]
    deal = Deal(table=laid, pool=pool, **begin_fields(rules, Player, players))
    return Match(rules=rules, seats=tuple(range(len(racks))), deal=deal)


def table_of(match: Match, seat: int, text: str) -> list[Any]:
    """Return a table as on the wire, with tiles from the current table and the seat's rack."""
    player = match.deal.player(seat)
    assert player is not None
    lying = [card for meld in match.deal.table for card in meld.cards]
    allowed = {*lying, *player.rack}
    there = Tiles([card for card in DECK if card not in allowed])
    return melds_json(there.melds(text))


def _read(match: Match, seat: int, name: str, value: str) -> Any:
    return table_of(match, seat, value) if name == "table" else value


act = Acting(GAME, _read)
act_events, expire, expire_events, refuse = act.events, act.expire, act.expire_events, act.refuse
view, view_own, result = act.view, act.view_own, act.result


def draft(match: Match, seat: int, table: str | None, rev: int = 1) -> Match:
    """Save a draft. Groups that are not melds are saved as given."""
    told: Any = None if table is None else table_of(match, seat, table)
    for meld in told or []:
        meld["as"] = meld["as"] if "PJ" not in meld["as"] else None
    kept, happened = act_events(match, seat, "arrange", rev=rev, table=told)
    assert happened == []
    changed: Match = kept
    return changed


def rack(match: Match, seat: int) -> list[str]:
    """Return the faces on a rack, sorted."""
    return sorted(card.partition(".")[0] for card in view_own(match, seat)["hand"])


def with_rules(match: Match, **fields: Any) -> Match:
    return replace(match, rules=replace(match.rules, **fields))
