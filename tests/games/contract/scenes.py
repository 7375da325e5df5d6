"""Deals of Contract Rummy set up by hand. Equal cards of a scene come from different packs."""

from typing import Any

from games.cards import FACE_TEXT, card_texts, parse_face
from games.contract.game import GAME
from games.contract.rules.deal import Deal, Player
from games.contract.rules.match import Match
from games.contract.rules.melds import LaidMeld, as_meld
from games.contract.rules.ruleset import PRESETS, USUAL, ContractRules
from tests.games import scenes
from tests.games.scenes import Acting, begin_fields, cut_deck, lay_by_second


def _read(match: Match, seat: int, name: str, value: str) -> Any:
    return (
        {"melds": melds, "laid": write_laying}[name](match, seat, value) if name in READ else value
    )


READ = ("melds", "laid")
act = Acting(GAME, _read)
view, view_own, result = act.view, act.view_own, act.result
SINGLE = PRESETS["single"]


class Packs(scenes.Packs):
    def read_laying(self, text: str) -> LaidMeld:
        """Read `7H PJ=8H 9H`: a wild card names the card that it stands for."""
        pairs = [word.partition("=") for word in text.split()]
        cards = self.cards(" ".join(card for card, _, _ in pairs))
        faces = [parse_face(face or card) for card, _, face in pairs]
        return LaidMeld(cards, tuple(faces))


def scene(  # noqa: PLR0913 - by name
    *hands: str,
    open_pile: str = "2S",
    next_closed: str = "",  # the next card to draw comes first
    closed_count: int | None = None,  # cards left in it; the rest goes under the open pile
    table: str = "",  # melds separated by `|`, laid by seat 1
    number: int = 1,
    rules: ContractRules = USUAL,
    has_laid: tuple[int, ...] = (),
) -> Match:
    """Set up hands in order of play; seat 0 begins. Cards not named lie in the closed deck."""
    packs = Packs()
    held = [packs.cards(hand) for hand in hands]
    on_table = [packs.read_laying(meld) for meld in table.split("|") if meld.split()]
    piled, first = packs.cards(open_pile), packs.cards(next_closed)
    named = [*piled, *sum(held, ()), *(card for laid in on_table for card in laid.cards)]
    closed, cut = cut_deck(rules.deck(len(hands)), named, first, closed_count)
    players = [
        {"groups": (hand,) if hand else (), "laid_in": 0 if seat in has_laid else None}
        for seat, hand in enumerate(held)
    ]
    deal = Deal(
        closed=closed,
        open_pile=(*cut, *piled),
        melds=lay_by_second(as_meld, on_table, rules),
        contract=rules.contracts[number - 1],
        is_whole=rules.is_whole_hand(number),
        **begin_fields(rules, Player, players),
    )
    return Match(rules=rules, deal=deal, seats=tuple(range(len(hands))), number=number)


def draw_card(match: Match, source: str = "closed") -> Match:
    """Draw for the player to move, while all others decline to buy."""
    changed: Match = act(match, match.deal.players[match.deal.turn].seat, "draw", source=source)
    while changed.deal.window is not None:
        changed = act(changed, changed.deal.window.waiting[0], "pass")
    return changed


def write_laying(match: Match, seat: int, text: str) -> dict[str, Any]:
    """Return `7H PJ=8H 9H`, with cards from this seat's hand, as on the wire."""
    [hand] = [list(player.hand) for player in match.deal.players if player.seat == seat]
    cards, faces = [], []
    for word in text.split():
        name, _, stands_for = word.partition("=")
        card = next(card for card in hand if card.face == parse_face(name))
        hand.remove(card)
        cards.append(card)
        faces.append(FACE_TEXT[parse_face(stands_for or name)])
    return {"cards": card_texts(cards), "as": faces}


def melds(match: Match, seat: int, text: str) -> list[dict[str, Any]]:
    """Return several melds, separated by `|`, as on the wire. Equal faces get different cards of the hand."""
    whole = write_laying(match, seat, text.replace("|", " "))
    parts, start = [], 0
    for part in text.split("|"):
        end = start + len(part.split())
        parts.append({"cards": whole["cards"][start:end], "as": whole["as"][start:end]})
        start = end
    return parts


def player(match: Match, seat: int) -> Player:
    [found] = [player for player in match.deal.players if player.seat == seat]
    assert isinstance(found, Player)
    return found
