"""Tips, terms, and claims (moves with their verdicts) that several games' guides share."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from games.cards import Card
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.engine.guide import POINT_CHIPS, ExampleRow, GuideEntry, Rules, group, write_sum

# --- Tips.

HIGH_CARDS_FIRST: Final = GuideEntry(
    text(_("Let the high cards go early")),
    text(
        _(
            "Face cards and tens count 10 each while they are not in a meld. Keep one "
            "only if it has a partner."
        )
    ),
)
KEEP_THE_MIDDLE: Final = GuideEntry(
    text(_("Keep the middle cards")),
    text(
        _(
            "A seven goes into three different sequences of three; a king and an ace go into one "
            "each."
        )
    ),
)
HIGH_IN_HAND: Final = GuideEntry(
    text(_("Let the high cards go early")),
    text(_("Face cards and tens count 10 each in your hand. Keep one only if it has a partner.")),
)
MELDS_COUNT: Final = GuideEntry(
    text(_("Do not sit on your melds")),
    text(
        _(
            "Melds in your hand count against you like all other cards. Lay them as soon as "
            "somebody else has few cards left."
        )
    ),
)
LOOK_AT_THE_TABLE: Final = GuideEntry(
    text(_("Look at the table before you discard")),
    text(
        _(
            "A card that fits a meld on the table can be laid off. If you discard it, "
            "the next player may take it and lay it off."
        )
    ),
)
TRIANGLES: Final = GuideEntry(
    text(_("Three cards, four chances")),
    text(
        _(
            "With the seven and eight of one suit and another seven, four different "
            "cards make a meld. With only a pair, just two do."
        )
    ),
)
WATCH_OTHERS: Final = GuideEntry(
    text(_("Watch what others take")),
    text(
        _(
            "A card taken from the open pile shows what a player collects: do not discard "
            "its neighbours."
        )
    ),
)
DRAW_CLOSED: Final = GuideEntry(
    text(_("Draw from the closed deck when in doubt")),
    text(_("Everybody sees the cards you take from the open pile.")),
)

# --- Terms.

ACE_IS_LOW: Final = _("The ace goes below the two, and never above the king.")
CLOSED_DECK: Final = GuideEntry(
    text(_("Closed deck")), text(_("The cards that nobody has seen, face down."))
)
OPEN_PILE: Final = GuideEntry(
    text(_("Open pile")),
    text(_("The discards, face up. Only the top card can be drawn.")),
)
SET: Final = GuideEntry(
    text(_("Set")), text(_("Three or more cards of one rank, each of another suit."))
)
SEQUENCE: Final = GuideEntry(
    text(_("Sequence")), text(_("Three or more cards of one suit in a row."))
)
LOW_ACE: Final = GuideEntry(text(_("Ace")), text(ACE_IS_LOW))
LAY_OFF: Final = GuideEntry(text(_("Lay off")), text(_("To add cards to a meld on the table.")))
SERVICE_FEE: Final = GuideEntry(
    text(_("Service fee")),
    text(_("The house's share of a prize. Every table shows it before you sit down.")),
)

# --- Claims.


def describe_no_harm(_rules: Rules) -> Text:
    return text(
        _(
            "The table refuses a wrong move and says why, as below. It costs nothing: take it back "
            "and try something else."
        )
    )


AROUND_THE_CORNER: Final = _("Around the corner")
TWO_SUITS: Final = _("Two suits in one sequence")
KEEPS_TO_ONE_SUIT: Final = _("The seven is a diamond. A sequence keeps to one suit.")
TOO_SHORT: Final = _("Two cards are not a meld")
PAIR_IS_NOTHING: Final = _("A pair is worth nothing. Every group has three cards or more.")
TWICE: Final = _("One card in two melds")
ONCE_ONLY: Final = _("The seven is in the sequence or in the set, not in both.")
STRAIGHT_BACK: Final = _("Straight back to the pile")
TAKE_TO_KEEP: Final = _("Take a card from the open pile only if you want to keep it.")
GAP: Final = _("A lay-off with a gap")
NINE_AFTER_EIGHT: Final = _("The nine fits only after the eight.")
ONLY_THE_TAKEN_ONE: Final = _("Only the taken card left")
TURN_CANNOT_END: Final = _(
    "The card from the open pile may not go back, so the turn could not end."
)
RIGHT: Final = _("And a right one")

# --- Examples.

YOU: Final = text(_("You"))
THE_OTHER: Final = text(_("The other player"))


def describe_cost(points: int) -> Text:
    """Return a text with a loser's points, and what they cost in chips at the table of the examples."""
    return text(_("%(points)s points: %(chips)s chips"), points=points, chips=points * POINT_CHIPS)


def describe_gain(points: int) -> Text:
    """Return a text with points, and what they are worth in chips at the table of the examples."""
    return text(
        _("%(points)s points at %(value)s chips a point: %(chips)s chips"),
        points=points,
        value=POINT_CHIPS,
        chips=points * POINT_CHIPS,
    )


def rows_of_hands(
    deal: Any, points_of: Callable[[Card], int], *, times: int = 1, less: int = 0
) -> Sequence[ExampleRow]:
    """Return an example's rows: the cards that each player still holds after a deal, and what they cost.

    `times` is the factor by which the points of a hand are multiplied. `less` is the count of the lowest hand, for
    games in which the others pay the difference between their count and the lowest.
    """
    rows = []
    for player in deal.players:
        counts = [points_of(card) for card in player.hand]
        if player.points:
            label = describe_cost(player.points)
            rows.append(
                ExampleRow(label, [group(player.hand)], write_sum(counts, times=times, less=less))
            )
        elif counts:
            rows.append(ExampleRow(YOU, [group(player.hand)], write_sum(counts)))
    return rows


def entry_fees(players: int, fee: int) -> Text:
    return text(
        _("%(players)s players pay %(fee)s chips each. The winner of the match gets the prize."),
        players=players,
        fee=fee,
    )
