"""A guide to a game, as data: the parts that its help pages show besides the rules.

Every game's guide has the same parts, and one set of templates shows them (templates/games/guide). Numbers and verdicts
are computed, never typed in: tips and terms take numbers from the rule set, claims are moves that the game's own rules
judge, and examples are deals that they count.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from games.cards import Card, is_joker, read_cards
from games.engine.base import JSON, Text, text
from games.engine.moves import MoveRefusal
from games.engine.state import Groups, replace

# Returns the service fee of an amount of chips.
Rake: TypeAlias = Callable[[int], int]
# A rule set as JSON.
Rules: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GuideEntry:
    """A tip, or a term of the game with its explanation."""

    title: Text
    text: Text


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards that lie together. `loose` marks a group that is no meld; `note` and `points` describe the group."""

    cards: Sequence[Mapping[str, JSON]]
    loose: bool = False
    note: Text | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A move and its verdict. `refusal` is the sentence with which a table refuses it, or None if it is legal."""

    title: Text
    why: Text
    groups: Sequence[CardGroup]
    refusal: Text | None
    code: str = ""


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """A line of an example: a text, the cards that it is about, and a calculation in figures."""

    text: Text
    groups: Sequence[CardGroup] = ()
    sum: str = ""
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class GuidePot:
    """The sum of the stakes, the service fee (`rake`), and the remainder."""

    gross: int
    rake: int
    net: int


@dataclass(frozen=True, slots=True)
class Example:
    """An example of how a score is computed, line by line; `end` is its result."""

    code: str
    title: Text
    text: Text
    rows: Sequence[ExampleRow] = ()
    end: Text | None = None
    pot: GuidePot | None = None


@dataclass(frozen=True, slots=True)
class Guide:
    tips: Callable[[Rules], Sequence[GuideEntry]]
    terms: Callable[[Rules], Sequence[GuideEntry]]
    claims: Callable[[], Sequence[Claim]]
    examples: Callable[[Rake], Sequence[Example]]
    # Introduces the claims.
    about_claims: Callable[[Rules], Text]
    # The template of a card.
    card: str = "_card.html"


def draw_card(card: Card, wild: int | None = None) -> Mapping[str, JSON]:
    """Return the values that templates/_card.html needs to show this card."""
    face = str(card).partition(".")[0]
    if face == "PJ":
        return {"rank": "", "suit": "J", "wild": False}
    return {"rank": face[0], "suit": face[1], "wild": is_joker(card, wild)}


def group(
    cards: Sequence[Card],
    *,
    note: Text | None = None,
    points: int | None = None,
    loose: bool = False,
) -> CardGroup:
    """Return the cards as a group for the page."""
    return CardGroup([draw_card(card) for card in cards], loose, note, points)


def claim(
    title: str, why: Text | str, groups: Sequence[CardGroup], refusal: MoveRefusal | None
) -> Claim:
    """Return a claim with the verdict of the rules."""
    told = text(why) if isinstance(why, str) else why
    if refusal is None:
        return Claim(text(title), told, groups, None)
    return Claim(text(title), told, groups, text(refusal.sentence), refusal.code)


def compute_pot(gross: int, rake: Rake) -> GuidePot:
    fee = rake(gross)
    return GuidePot(gross, fee, gross - fee)


_MINUS: Final = "\N{MINUS SIGN}"
# Value of a point in the examples, and the price of a match.
POINT_CHIPS: Final = 2
ENTRY_FEE: Final = 100


def make_match(core: Any, rules: Any, players: Sequence[Mapping[str, Any]], **deal: Any) -> Any:
    """Return a match in its first deal, in the turn of seat 0.

    `players` sets fields of each player, `deal` those of the deal. All other fields are as dealt, so a card may be both
    in a hand and in a pile. Use it only where that pile does not matter.
    """
    seats = range(len(players))
    match = core.start(rules=rules, seats=seats, toss=False, seed=bytes(16), now=0).state
    changed = tuple(
        replace(player, **fields)
        for player, fields in zip(match.deal.players, players, strict=True)
    )
    return replace(match, deal=replace(match.deal, players=changed, **deal))


def judge(core: Any, match: Any, move: Any, *, seat: int = 0) -> MoveRefusal | None:
    """Return why the rules refuse this move, or None."""
    refusal: MoveRefusal | None = core.refusal(core.step_type(match, seat), move)
    return refusal


def play(core: Any, match: Any, *moves: tuple[int, Any]) -> Any:
    """Play moves, each given with its seat. Return the match after them."""
    for seat, move in moves:
        match = core.play(match, seat, move, now=0, seed=bytes(16)).state
    return match


def read_groups(words: str) -> Groups:
    """Read `5H 6H 7H|2C` as groups of cards of one pack."""
    return tuple(read_cards(part.split()) for part in words.split("|"))


def write_sum(points: Sequence[int], *, times: int = 1, less: int = 0) -> str:
    """Return a calculation such as `10 + 4 = 14`, with a factor (`times`) or a deduction (`less`)."""
    total = sum(points) * times - less
    signs = (f"{'+' if one >= 0 else _MINUS} {abs(one)}" for one in points)
    worked = " ".join(signs).removeprefix("+ ")
    if times > 1:
        worked = f"({worked}) \N{MULTIPLICATION SIGN} {times}"
    if less:
        worked = f"{worked} {_MINUS} {less}"
    return f"{worked} = {total}"
