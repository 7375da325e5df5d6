"""The guide to basic rummy: tips, moves that the rules judge (`claims`), and example deals that they count."""

from collections.abc import Sequence
from typing import Any, Final

from games import guide_words as words
from games.basic.rules.laying import POINTS as COUNT
from games.basic.rules.laying import count
from games.basic.rules.match import CORE, Match
from games.basic.rules.moves import Discard, LayOff, Meld
from games.basic.rules.ruleset import POINTS
from games.cards import read_cards
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.engine.guide import (
    ENTRY_FEE,
    POINT_CHIPS,
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
from games.engine.laid import How, as_meld
from games.engine.state import Groups, replace, require

_OUT: Final = _(
    "The first player without cards wins the deal, by a discard or by laying the last card. "
    "The others count their hands: an ace 1, face cards 10, all other cards their number."
)
_RUMMY: Final = _(
    "Going rummy means laying everything in one turn, with nothing laid before: the "
    "other hands count %(factor)s times as much."
)
_BLOCKED: Final = _(
    "When the closed deck is used up, the open pile below its top card is shuffled and "
    "becomes the closed deck, up to %(restocks)s times. After that the deal is blocked: "
    "the lowest count wins, and the others pay the difference."
)
_RACE: Final = _(
    "In a race all pay an entry fee. The winner of a deal is credited with the points of the "
    "others; the first to reach the target takes the prize."
)


def tips(rules: Rules) -> Sequence[GuideEntry]:
    return (
        words.HIGH_IN_HAND,
        words.KEEP_THE_MIDDLE,
        words.TRIANGLES,
        words.MELDS_COUNT,
        GuideEntry(
            text(_("Going rummy is a gamble")),
            text(
                _(
                    "The others then count %(factor)s times as many points. Hold "
                    "everything back for it only while nobody else is near the end."
                ),
                factor=rules["rummy_factor"],
            ),
        ),
        words.LOOK_AT_THE_TABLE,
        words.WATCH_OTHERS,
        words.DRAW_CLOSED,
    )


def terms(rules: Rules) -> Sequence[GuideEntry]:
    return (
        words.LOW_ACE,
        words.CLOSED_DECK,
        words.OPEN_PILE,
        words.SET,
        words.SEQUENCE,
        words.LAY_OFF,
        GuideEntry(text(_("Go out")), text(_OUT)),
        GuideEntry(text(_("Going rummy")), text(_RUMMY, factor=rules["rummy_factor"])),
        GuideEntry(text(_("Blocked deal")), text(_BLOCKED, restocks=rules["max_restocks"])),
        GuideEntry(text(_("Race to a score")), text(_RACE)),
        words.SERVICE_FEE,
    )


# --- Claims.


def claims() -> Sequence[Claim]:
    """Judge melds, a lay-off and a discard by the rules. Only the last claim is legal."""
    return (
        _judge_melds(words.AROUND_THE_CORNER, words.ACE_IS_LOW, "QD KD AD", "5C 8S"),
        _judge_melds(words.TWO_SUITS, words.KEEPS_TO_ONE_SUIT, "5H 6H 7D", "5C 8S"),
        _judge_melds(words.TOO_SHORT, words.PAIR_IS_NOTHING, "9S 9D", "5C 8S"),
        _judge_melds(words.TWICE, words.ONCE_ONLY, "5H 6H 7H|7H 7S 7C", "5C 8S"),
        _judge_gap(),
        _judge_straight_back(),
        _judge_melds(
            words.ONLY_THE_TAKEN_ONE, words.TURN_CANNOT_END, "5H 6H 7H", "KS", from_open=True
        ),
        _judge_melds(
            words.RIGHT,
            _("Two melds in one turn, and a card is left to discard."),
            "5H 6H 7H|9S 9D 9C",
            "KS",
        ),
    )


def _judge_melds(title: str, why: str, melds: str, rest: str, *, from_open: bool = False) -> Claim:
    """Judge the laying of these melds. `rest` is the rest of the hand, and its last card has been drawn."""
    laid, held = read_groups(melds), read_cards(rest.split())
    hand = (*dict.fromkeys(card for meld in laid for card in meld), *held)
    refusal = judge(CORE, _turn((hand,), from_open=from_open), Meld(laid))
    groups = [group(meld, loose=as_meld(meld, POINTS.shape) is None) for meld in laid]
    note = text(_("Open pile")) if from_open else text(_("In hand"))
    return claim(title, why, (*groups, group(held, note=note)), refusal)


def _judge_gap() -> Claim:
    lying, [nine] = read_cards(["5H", "6H", "7H"]), read_cards(["9H"])
    table = (require(as_meld(lying, POINTS.shape, seat=1)),)
    match = _turn(((*read_cards(["2C", "KD"]), nine),), melds=table)
    refusal = judge(CORE, match, LayOff(0, (nine,)))
    groups = (group(lying), group([nine], note=text(_("Lay off")), loose=True))
    return claim(words.GAP, words.NINE_AFTER_EIGHT, groups, refusal)


def _judge_straight_back() -> Claim:
    held, [taken] = read_groups("5H 6H 9C TC 2C|7S")
    refusal = judge(CORE, _turn((held, (taken,)), from_open=True), Discard(taken))
    groups = (
        group(held, note=text(_("In hand"))),
        group([taken], note=text(_("Open pile")), loose=True),
    )
    return claim(words.STRAIGHT_BACK, words.TAKE_TO_KEEP, groups, refusal)


def _turn(hand: Groups, *others: str, from_open: bool = False, **deal: Any) -> Match:
    """Return a deal in which seat 0 has drawn the last card of its hand."""
    hands = [hand, *(map(read_groups, others or ("QS 3D 4C 8D",)))]
    drawn = {"drawn": hand[-1][-1], "drawn_from_open": from_open}
    players = [{"groups": held} for held in hands]
    match: Match = make_match(CORE, POINTS, players, **drawn, **deal)
    return match


# --- Examples.

# The hands of two losers.
_LEFT: Final = ("KH QD 4C AS", "7C 8D TC 2H")


def examples(rake: Rake) -> Sequence[Example]:
    """Play the example deals to their end and count the hands."""
    [last] = read_cards(["JS"])
    out = play(
        CORE,
        _with_laid(_turn(((last,),), *_LEFT)),
        (0, Discard(last)),
    )
    melds = read_groups("5H 6H 7H|9S 9D 9C|JS")
    rummy = play(CORE, _turn(melds, *_LEFT), (0, Meld(melds[:2])), (0, Discard(last)))
    held = read_groups("2S 3D|JS")
    empty: dict[str, Any] = {"closed": (), "restocks": POINTS.max_restocks}
    blocked = play(CORE, _turn(held, *_LEFT, **empty), (0, Discard(last)))
    return (
        _deal("out", text(_("Go out")), text(_OUT), out, rake),
        _deal(
            "rummy", text(_("Going rummy")), text(_RUMMY, factor=POINTS.rummy_factor), rummy, rake
        ),
        _deal(
            "blocked",
            text(_("Blocked deal")),
            text(_BLOCKED, restocks=POINTS.max_restocks),
            blocked,
            rake,
        ),
        _race((out, rummy), rake),
    )


def _with_laid(match: Match) -> Match:
    """Return the deal as if seat 0 had laid melds in an earlier turn, so that it does not go rummy now."""
    deal = match.deal
    first, *others = deal.players
    return replace(match, deal=replace(deal, players=(replace(first, laid_in=0), *others)))


def _deal(code: str, title: Text, about: Text, match: Match, rake: Rake) -> Example:
    deal = match.deal
    times = POINTS.rummy_factor if deal.how is How.RUMMY else 1
    less = count(deal.players[0].hand) if deal.how is How.BLOCKED else 0
    rows = words.rows_of_hands(deal, COUNT.__getitem__, times=times, less=less)
    points = sum(player.points or 0 for player in deal.players)
    return Example(
        code,
        title,
        about,
        rows,
        words.describe_gain(points),
        compute_pot(points * POINT_CHIPS, rake),
    )


def _race(won: Sequence[Match], rake: Rake) -> Example:
    """Compute a race from deals that seat 0 has won (B13)."""
    gains = [sum(player.points or 0 for player in match.deal.players) for match in won]
    return Example(
        "race",
        text(_("Race to a score")),
        text(_RACE),
        [ExampleRow(words.YOU, (), write_sum(gains))],
        words.entry_fees(3, ENTRY_FEE),
        compute_pot(3 * ENTRY_FEE, rake),
    )


GUIDE: Final = Guide(tips, terms, claims, examples, about_claims=words.describe_no_harm)
