"""The guide to Indian rummy. The rules judge its declarations and compute its examples."""

from collections.abc import Sequence
from typing import Final

from games import guide_words as words
from games.cards import read_cards, wild_rank
from games.engine.base import Text, divide, text
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
    compute_pot,
    draw_card,
)
from games.indian.rules.melds import judge
from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.scoring import Survivor, split_parts
from games.indian.words import TEXTS


def tips(_rules: Rules) -> Sequence[GuideEntry]:
    return (
        GuideEntry(
            text(_("Pure sequence first")),
            text(
                _(
                    "Look for three cards of one suit in a row before anything else. Without "
                    "them every card you hold counts."
                )
            ),
        ),
        GuideEntry(
            text(_("Keep the middle cards")),
            text(
                _(
                    "A six goes with four, five, seven and eight. A king fits only two ways "
                    "into a sequence."
                )
            ),
        ),
        GuideEntry(
            text(_("Let the high cards go early")),
            text(
                _(
                    "Kings, queens, jacks, tens and aces count 10 each. Keep one only if it has "
                    "a partner."
                )
            ),
        ),
        GuideEntry(
            text(_("Use jokers where they help twice")),
            text(
                _(
                    "A joker in a pure sequence is wasted. Put it into the second sequence, or "
                    "into a set that lacks a suit."
                )
            ),
        ),
        words.WATCH_OTHERS,
        words.DRAW_CLOSED,
        GuideEntry(
            text(_("Drop a hopeless hand")),
            text(
                _(
                    "No joker, no pure sequence and nothing near one: the first drop is cheaper "
                    "than a lost deal."
                )
            ),
        ),
        GuideEntry(
            text(_("Check the labels before you declare")),
            text(_("Each group says what it is. A dashed line means that it does not count yet.")),
        ),
    )


def terms(rules: Rules) -> Sequence[GuideEntry]:
    return (
        GuideEntry(
            text(_("Ace")), text(_("It goes below the two or above the king, and counts 10."))
        ),
        words.CLOSED_DECK,
        words.OPEN_PILE,
        GuideEntry(
            text(_("Wild joker")),
            text(
                _(
                    "The card turned up for the deal. All cards of its rank are jokers, in every "
                    "suit."
                )
            ),
        ),
        GuideEntry(
            text(_("Printed joker")),
            text(
                _(
                    "The joker of the pack. If it is the card turned up for the deal, the "
                    "aces are wild."
                )
            ),
        ),
        GuideEntry(
            text(_("Pure sequence")),
            text(
                _(
                    "Three or more cards of one suit in a row, none of them a joker that "
                    "replaces another card."
                )
            ),
        ),
        GuideEntry(
            text(_("Sequence")),
            text(
                _(
                    "Three or more cards of one suit in a row, in which jokers may replace "
                    "missing cards."
                )
            ),
        ),
        words.SET,
        GuideEntry(
            text(_("Declare")),
            text(
                _("To show all thirteen cards in groups: at least two sequences, one of them pure.")
            ),
        ),
        GuideEntry(
            text(_("Show")),
            text(
                _(
                    "What the other players do after a valid declaration: they show "
                    "their groups, and their points are counted."
                )
            ),
        ),
        GuideEntry(
            text(_("Drop")),
            text(
                _(
                    "To leave a deal for a fixed number of points: before the first draw it is a "
                    "first drop, later a middle drop."
                )
            ),
        ),
        GuideEntry(
            text(_("Toss")),
            text(
                _(
                    "Before the first deal everybody draws a card. The highest moves first, the "
                    "lowest deals and plays last."
                )
            ),
        ),
        GuideEntry(
            text(_("Second valid hand")),
            text(
                _(
                    "A hand that was also ready to declare when another player declared "
                    "first. Its player shows the groups and scores only %(points)s "
                    "points."
                ),
                points=rules["second_valid_points"],
            ),
        ),
        GuideEntry(
            text(_("Turn limit")),
            text(
                _(
                    "No player has more than %(turns)s turns in a deal, and no turn "
                    "begins after %(minutes)s minutes. Then every hand is arranged as "
                    "well as possible, and the lowest count wins."
                ),
                turns=rules["max_turns"],
                minutes=rules["max_minutes"],
            ),
        ),
        GuideEntry(
            text(_("Pool")),
            text(
                _(
                    "A match with an entry fee. Points add up, and a player who reaches the "
                    "limit is out. The last one left wins."
                )
            ),
        ),
        GuideEntry(
            text(_("Rejoin")),
            text(_("To come back into a pool for another entry fee, while the scores allow it.")),
        ),
        GuideEntry(
            text(_("Split")),
            text(
                _(
                    "To share the prize of a pool between the last players, by the drops that "
                    "they have left."
                )
            ),
        ),
        words.SERVICE_FEE,
    )


# --- Claims.

# Title, reason, groups; the wild joker is always the six of spades.
_WILD: Final = "6S"
_DECLARED: Final = (
    (
        _("No pure sequence"),
        _(
            "Both sequences use a joker. One of them has to be without one; until then, "
            "every card counts."
        ),
        ("4H 5H PJ 7H", "8C 6D TC", "KS KH KD", "2S 2H 2D"),
    ),
    (
        _("Only one sequence"),
        _(
            "One pure sequence and three sets: a second sequence is missing, with or without a "
            "joker."
        ),
        ("4H 5H 6H 7H", "9C 9S 9D", "KS KH KD", "2S 2H 2D"),
    ),
    (
        _("Two cards of one suit in a set"),
        _("A set has each suit only once. The second king of spades cannot be part of it."),
        ("4H 5H 6H 7H", "8C 9C TC", "KS KS KD", "2S 2H 2D"),
    ),
    (
        _("A gap that nothing fills"),
        _("The jack of clubs is missing, and the group holds no joker."),
        ("4H 5H 6H 7H", "9C TC QC", "KS KH KD", "2S 2H 2D"),
    ),
    (
        _("Two cards are not a meld"),
        _("A pair is worth nothing. Every group has three cards or more."),
        ("4H 5H 6H 7H 8H", "9C TC JC", "KS KH KD", "2S 2H"),
    ),
    (
        _("Around the corner"),
        _("An ace goes below the two or above the king, not between them."),
        ("4H 5H 6H 7H", "KC AC 2C", "KS KH KD", "9S 9H 9D"),
    ),
    (
        _("And a right one"),
        _("A pure sequence, a second one with a joker in its gap, and two sets."),
        ("4H 5H 6H 7H", "9C PJ JC", "KS KH KD", "2S 2H 2D"),
    ),
)


def claims() -> Sequence[Claim]:
    """Return example declarations, each judged by the rules. Only the last one is valid."""
    return [_judge_claim(text(title), text(why), groups) for title, why, groups in _DECLARED]


def _judge_claim(title: Text, why: Text, texts: Sequence[str]) -> Claim:
    hand = read_cards(" ".join(texts).split())
    lengths = [len(cards.split()) for cards in texts]
    starts = [sum(lengths[:place]) for place in range(len(lengths))]
    groups = [hand[start : start + length] for start, length in zip(starts, lengths, strict=True)]
    wild = wild_rank(read_cards([_WILD])[0])
    judged = judge(groups, wild, POINTS)
    drawn = [
        CardGroup([draw_card(card, wild) for card in cards], loose=place == judged.failed_group)
        for place, cards in enumerate(groups)
    ]
    if judged.reason is None:
        return Claim(title, why, drawn, None)
    return Claim(title, why, drawn, TEXTS[f"reason_{judged.reason}"], judged.reason)


def describe_claims(rules: Rules) -> Text:
    return text(
        _(
            "A wrong declaration costs %(cost)s points at a points table. The six of spades was "
            "turned up here: all sixes are jokers, but in a pure sequence they count as sixes."
        ),
        cost=rules["wrong_declaration_points"],
    )


# --- Examples.


def examples(rake: Rake) -> Sequence[Example]:
    """Return one computed example for each format, and one of a split prize, in chips."""
    return (
        _points(rake, losses=(12, 35, POINTS.first_drop or 0)),
        _pool(rake, players=5, again=1),
        _split(rake, players=4, scores=(40, 75)),
        _deals(rake, lost=(34, 21)),
    )


def _points(rake: Rake, *, losses: Sequence[int]) -> Example:
    """Compute an example of points rummy (R7.2).

    Each loser pays their points times the value of a point. The winner gets the sum less the fee.
    """
    drop = text(_("(a first drop)"))
    return Example(
        "points",
        text(_("Points rummy")),
        text(
            _(
                "Four players, %(value)s chips a point. You declare; each of the others "
                "pays you their points times that value:"
            ),
            value=POINT_CHIPS,
        ),
        [
            ExampleRow(
                words.describe_cost(points), note=drop if points == POINTS.first_drop else None
            )
            for points in losses
        ],
        pot=compute_pot(sum(losses) * POINT_CHIPS, rake),
    )


def _pool(rake: Rake, *, players: int, again: int) -> Example:
    """Compute an example of a pool (R8.7): the last player left gets all entry fees, rejoins included."""
    entries = players + again
    return Example(
        "pool",
        text(_("Pool rummy")),
        text(
            _(
                "%(players)s players pay %(fee)s each; a player who reaches %(out)s points is out. "
                "One of them comes back for another entry fee, so %(entries)s entry fees are "
                "played for. The last player left gets the prize."
            ),
            players=players,
            fee=ENTRY_FEE,
            out=PRESETS["pool101"].elimination_score,
            entries=entries,
        ),
        pot=compute_pot(ENTRY_FEE * entries, rake),
    )


def _split(rake: Rake, *, players: int, scores: Sequence[int]) -> Example:
    """Compute an example of a split (R8.3, R8.5): players with more drops left get a larger share of the prize."""
    survivors = [Survivor(seat, score) for seat, score in enumerate(scores)]
    pot = compute_pot(ENTRY_FEE * players, rake)
    shares = divide(pot.net, split_parts(survivors, PRESETS["pool101"], entries=players) or {})
    return Example(
        "split",
        text(_("A shared prize")),
        text(
            _(
                "%(players)s players paid %(fee)s each, two are left and agree to share. The "
                "player with more drops left gets more:"
            ),
            players=players,
            fee=ENTRY_FEE,
        ),
        [
            ExampleRow(
                text(
                    _("with a score of %(score)s: %(chips)s chips"), score=score, chips=shares[seat]
                )
            )
            for seat, score in enumerate(scores)
        ],
        pot=pot,
    )


def _deals(rake: Rake, *, lost: Sequence[int]) -> Example:
    """Compute an example match of two deals (R9).

    Each of the two players loses one deal, and the other player gets the points of that deal as chips.
    """
    rules = PRESETS["deals2"]
    begin = rules.chips_per_deal * (rules.deals or 0)
    first, second = lost
    return Example(
        "deals",
        text(_("Deals rummy")),
        text(
            _(
                "Two players pay %(fee)s each and begin with %(begin)s match chips each. "
                "What one player loses in a deal, the other gets."
            ),
            fee=ENTRY_FEE,
            begin=begin,
        ),
        [
            ExampleRow(
                text(
                    _("Deal %(number)s: %(points)s points change hands."),
                    number=number,
                    points=points,
                )
            )
            for number, points in enumerate(lost, start=1)
        ],
        text(
            _("It ends %(first)s to %(second)s, and the player with more wins the prize."),
            first=begin + first - second,
            second=begin - first + second,
        ),
        compute_pot(2 * ENTRY_FEE, rake),
    )


GUIDE: Final = Guide(tips, terms, claims, examples, about_claims=describe_claims)
