"""Tips, terms and claims that the guides of several games share."""

from typing import Final

from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.engine.guide import POINT_CHIPS, Entry, Rules

# --- Tips.

HIGH_CARDS_FIRST: Final = Entry(
    text(_("Let the high cards go early")),
    text(
        _(
            "Pictures and tens count 10 each while they lie in no meld. Keep one only if it has a "
            "partner."
        )
    ),
)
KEEP_THE_MIDDLE: Final = Entry(
    text(_("Keep the middle cards")),
    text(
        _(
            "A seven goes into three different sequences of three; a king and an ace go into one "
            "each."
        )
    ),
)
TRIANGLES: Final = Entry(
    text(_("Three cards, four chances")),
    text(
        _(
            "Seven and eight of one suit and another seven: four different cards make a meld of "
            "them. For a pair it is only two."
        )
    ),
)
WATCH_OTHERS: Final = Entry(
    text(_("Watch what others take")),
    text(_("A card taken from the open pile tells what somebody collects: keep its neighbours.")),
)
DRAW_CLOSED: Final = Entry(
    text(_("Draw from the closed deck when in doubt")),
    text(_("What you take from the open pile everybody sees.")),
)

# --- Terms.

ACE_IS_LOW: Final = _("The ace stands below the two, and never above the king.")
CLOSED_DECK: Final = Entry(
    text(_("Closed deck")), text(_("The cards that nobody has seen, face down."))
)
OPEN_PILE: Final = Entry(
    text(_("Open pile")),
    text(_("What was discarded, face up. Only its top card can be drawn.")),
)
SET: Final = Entry(
    text(_("Set")), text(_("Three or more cards of one rank, each of another suit."))
)
SEQUENCE: Final = Entry(text(_("Sequence")), text(_("Three or more cards of one suit in a row.")))
LOW_ACE: Final = Entry(text(_("Ace")), text(ACE_IS_LOW))
LAY_OFF: Final = Entry(text(_("Lay off")), text(_("To add cards to a meld on the table.")))
SERVICE_FEE: Final = Entry(
    text(_("Service fee")),
    text(_("What the house keeps of a prize. Every table says it before one sits down.")),
)

# --- Claims.


def no_harm(_rules: Rules) -> Text:
    return text(
        _(
            "The table refuses a wrong move and says why, as below. It costs nothing: take the "
            "cards back and try something else."
        )
    )


AROUND_THE_CORNER: Final = _("Around the corner")
TWO_SUITS: Final = _("Two suits in one sequence")
KEEPS_TO_ONE_SUIT: Final = _("The seven is a diamond. A sequence keeps to one suit.")
TOO_SHORT: Final = _("Two cards are no meld")
PAIR_IS_NOTHING: Final = _("A pair is worth nothing. Every group has three cards or more.")
TWICE: Final = _("One card in two melds")
ONCE_ONLY: Final = _("The seven lies in the sequence or in the set, not in both.")
STRAIGHT_BACK: Final = _("Straight back to the pile")
TAKE_TO_KEEP: Final = _("Take a card from the open pile only if you want to keep it.")
GAP: Final = _("A lay-off with a gap")
NINE_AFTER_EIGHT: Final = _("The nine fits only after the eight.")
RIGHT: Final = _("And a right one")

# --- Examples.

YOU: Final = text(_("You"))
THE_OTHER: Final = text(_("The other player"))


def won(points: int) -> Text:
    """Return points, and the chips that they are at the table of the examples."""
    return text(
        _("%(points)s points at %(value)s chips a point: %(chips)s chips"),
        points=points,
        value=POINT_CHIPS,
        chips=points * POINT_CHIPS,
    )


def entry_fees(players: int, fee: int) -> Text:
    return text(
        _("%(players)s players pay %(fee)s chips each. The winner of the match gets the prize."),
        players=players,
        fee=fee,
    )
