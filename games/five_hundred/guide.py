"""The guide to 500 Rum: tips, moves that the rules judge (`claims`), and example deals that they count."""

from collections.abc import Sequence
from typing import Any, Final

from games import guide_words as words
from games.cards import Card, read_cards
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.engine.guide import (
    ENTRY_FEE,
    POINT_CHIPS,
    CardGroup,
    Claim,
    Example,
    ExampleRow,
    Guide,
    GuideEntry,
    Rake,
    Rules,
    claim,
    compute_pot,
    group,
    judge,
    make_match,
    play,
    read_groups,
    write_sum,
)
from games.engine.laid import Meld as Made
from games.engine.laid import as_meld
from games.engine.state import Groups, require
from games.five_hundred.rules.match import CORE, Match
from games.five_hundred.rules.moves import Deal, Discard, LayOff, Meld, Take, count_laid_by, net_of
from games.five_hundred.rules.ruleset import POINTS

_MINUS: Final = "\N{MINUS SIGN}"
_ACE: Final = _(
    "An ace counts %(ace)s, and %(low)s below a two; face cards and tens count 10, other cards "
    "their number."
)
_TAKE: Final = _(
    "Draw the top card of the closed deck, or take a card from the open pile. The open pile is "
    "spread out: you may take any card in it that you can lay down at once, and you get all cards "
    "above it too. Lay the card you took before anything else."
)
_END: Final = _(
    "A deal ends when a player has no card left, or when a turn ends and the closed deck is used "
    "up. Your result is the points of the cards that you have laid, less the points of those still "
    "in your hand: it may be below zero."
)
_RACE: Final = _(
    "In a race all pay an entry fee and add up their results. The first to reach the target takes "
    "the prize; if several reach it in one deal, the highest score does."
)


def tips(rules: Rules) -> Sequence[GuideEntry]:
    return (
        GuideEntry(
            text(_("Take many cards early")),
            text(
                _(
                    "With one card of the pile that you can lay, you get all cards above "
                    "it. Early in a deal you can make melds of them; near its end they "
                    "only count against you."
                )
            ),
        ),
        GuideEntry(
            text(_("Lay your aces")),
            text(
                _(
                    "In a set or above the king an ace counts %(ace)s for you, and in your "
                    "hand %(ace)s against you."
                ),
                ace=rules["ace_points"],
            ),
        ),
        GuideEntry(
            text(_("Every discard stays open")),
            text(
                _(
                    "Any player who can lay a card of the pile may take it, even many "
                    "turns later. Do not put two cards of one rank there."
                )
            ),
        ),
        words.MELDS_COUNT,
        words.LOOK_AT_THE_TABLE,
        words.TRIANGLES,
    )


def terms(rules: Rules) -> Sequence[GuideEntry]:
    aces = {"ace": rules["ace_points"], "low": rules["low_ace_points"]}
    return (
        GuideEntry(text(_("Ace")), text(_ACE, **aces)),
        words.CLOSED_DECK,
        GuideEntry(text(_("Open pile")), text(_TAKE)),
        words.SET,
        words.SEQUENCE,
        words.LAY_OFF,
        GuideEntry(text(_("Count")), text(_END)),
        GuideEntry(text(_("Race to a score")), text(_RACE)),
        words.SERVICE_FEE,
    )


# --- Claims.


def claims() -> Sequence[Claim]:
    """Judge melds, a lay-off and cards of the open pile by the rules. Only the last claim is legal."""
    corner = _("An ace goes below the two or above the king, not between them.")
    return (
        _judge_melds(words.AROUND_THE_CORNER, corner, "KD AD 2D", "5C 8S"),
        _judge_melds(words.TWO_SUITS, words.KEEPS_TO_ONE_SUIT, "5H 6H 7D", "5C 8S"),
        _judge_melds(words.TOO_SHORT, words.PAIR_IS_NOTHING, "9S 9D", "5C 8S"),
        _judge_melds(words.TWICE, words.ONCE_ONLY, "5H 6H 7H|7H 7S 7C", "5C 8S"),
        _judge_gap(),
        _judge_not_usable(),
        _judge_something_else(),
        _judge_melds(
            words.RIGHT,
            _("Two melds in one turn, and a card is left to discard."),
            "5H 6H 7H|QD KD AD",
            "KS",
        ),
    )


def _judge_melds(title: str, why: str, melds: str, rest: str) -> Claim:
    """Judge the laying of these melds. `rest` is the rest of the hand, and its last card has been drawn."""
    laid, held = read_groups(melds), read_cards(rest.split())
    hand = (*dict.fromkeys(card for meld in laid for card in meld), *held)
    refusal = judge(CORE, _turn((hand,), drawn=held[-1]), Meld(laid))
    groups = [group(meld, loose=as_meld(meld, POINTS.shape) is None) for meld in laid]
    return claim(title, why, (*groups, group(held, note=text(_("In hand")))), refusal)


def _judge_gap() -> Claim:
    lying, [nine] = read_cards(["5H", "6H", "7H"]), read_cards(["9H"])
    match = _turn((read_cards(["2C", "KD"]), (nine,)), drawn=nine, melds=(_make(lying, 1),))
    refusal = judge(CORE, match, LayOff(0, (nine,)))
    groups = (group(lying), group([nine], note=text(_("Lay off")), loose=True))
    return claim(words.GAP, words.NINE_AFTER_EIGHT, groups, refusal)


def _judge_not_usable() -> Claim:
    held, pile = read_cards(["5H", "6H", "KS", "KD", "KC"]), read_cards(["4C", "9D", "2S"])
    refusal = judge(CORE, _turn((held,), open_pile=pile), Take(pile[1]))
    groups = (group(held, note=text(_("In hand"))), _pile(pile))
    why = _("Nothing goes with the nine, so neither it nor the two above it can be taken.")
    return claim(_("A card that you cannot lay"), why, groups, refusal)


def _judge_something_else() -> Claim:
    held, pile = read_groups("5H 6H|KS KD KC"), read_cards(["4C", "7H", "2S"])
    taken = play(CORE, _turn(held, open_pile=pile), (0, Take(pile[1])))
    refusal = judge(CORE, taken, Meld(held[1:]))
    groups = (*(group(cards) for cards in held), _pile(pile[1:]))
    why = _(
        "The seven was taken to go with the five and the six, so lay those three before the kings."
    )
    return claim(_("Something else first"), why, groups, refusal)


def _pile(cards: Sequence[Card]) -> CardGroup:
    return group(cards, note=text(_("Open pile")), loose=True)


def _make(cards: Sequence[Card], seat: int) -> Made:
    return require(as_meld(cards, POINTS.shape, seat=seat))


def _turn(hand: Groups, *others: str, **deal: Any) -> Match:
    hands = [hand, *(map(read_groups, others or ("QS 3D 4C 8D",)))]
    match: Match = make_match(CORE, POINTS, [{"groups": held} for held in hands], **deal)
    return match


# --- Examples.


def examples(rake: Rake) -> Sequence[Example]:
    """Play a deal to its end, and count the cards laid and the cards left in hand."""
    [last] = read_cards(["JS"])
    laid = ("KH KD KC", "AD 2D 3D", "7S 7H 7C", "9C TC JC QC")
    melds = tuple(
        _make(read_cards(cards.split()), seat)
        for cards, seat in zip(laid, (0, 0, 1, 2), strict=True)
    )
    at_turn = _turn(((last,),), "AS 5C", "4H 8D", drawn=last, melds=melds)
    deal = play(CORE, at_turn, (0, Discard(last))).deal
    points = sum(player.points for player in deal.players)
    return (
        Example(
            "points",
            text(_("For points")),
            text(_END),
            [_row(deal, seat) for seat in deal.order],
            words.describe_gain(points),
            compute_pot(points * POINT_CHIPS, rake),
        ),
        _race(rake),
    )


def _race(rake: Rake) -> Example:
    """Compute the race of two players from their results (F13)."""
    results = ((95, -20, 160, 130, 145), (70, 140, 85, 60, 40))
    who = (words.YOU, words.THE_OTHER)
    return Example(
        "race",
        text(_("Race to a score")),
        text(_RACE),
        [
            ExampleRow(name, (), write_sum(scores))
            for name, scores in zip(who, results, strict=True)
        ],
        words.entry_fees(len(results), ENTRY_FEE),
        compute_pot(len(results) * ENTRY_FEE, rake),
    )


def _row(deal: Deal, seat: int) -> ExampleRow:
    """Return a row with the cards that a seat has laid and those in its hand.

    A loser pays the difference between their result and the best one.
    """
    player = require(deal.player(seat))
    best = max(net_of(deal, one, POINTS) for one in deal.players)
    laid = count_laid_by(deal.melds, seat, POINTS)
    groups = [group(meld.cards) for meld in deal.melds if seat in meld.by]
    if not player.points:
        return ExampleRow(words.YOU, groups, str(laid))
    left = sum(map(POINTS.points_of, player.hand))
    label: Text = words.describe_cost(player.points)
    held = group(player.hand, note=text(_("In hand")), points=left)
    worked = f"{best} {_MINUS} ({laid} {_MINUS} {left}) = {player.points}"
    return ExampleRow(label, [*groups, held], worked)


GUIDE: Final = Guide(tips, terms, claims, examples, about_claims=words.describe_no_harm)
