"""The guide to Contract Rummy: tips, moves that the rules judge (`claims`), and example deals that they count."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from games import guide_words as words
from games.cards import Card, parse_face, read_cards
from games.contract.rules.match import CORE, Match
from games.contract.rules.melds import LaidMeld, as_meld
from games.contract.rules.moves import Discard, LayContract, LayOff, SwapJoker
from games.contract.rules.ruleset import PRESETS, RUN, SET, USUAL, Contract
from games.engine.base import gettext_noop as _
from games.engine.base import text
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
    write_sum,
)
from games.engine.laid import Meld
from games.engine.state import require

_CONTRACT: Final = _(
    "The contract is laid all at once, with exactly %(set)s cards a set and %(run)s a run. Two "
    "runs of one suit may not overlap or adjoin. A joker replaces any card."
)
_BUYING: Final = _(
    "When a player refuses the open card, the others have %(seconds)s seconds to buy it; "
    "each may buy up to %(buys)s times in a deal. The first in order of play who wants "
    "it gets it, with one card from the closed deck. Others who wanted it are named "
    "afterwards."
)
_COUNTING: Final = _(
    "The first player without cards wins the deal. The others count their hands: a joker "
    "%(joker)s, an ace %(ace)s, face cards 10, other cards their number. After the last deal the "
    "lowest total takes the prize."
)


def tips(rules: Rules) -> Sequence[GuideEntry]:
    return (
        GuideEntry(
            text(_("Collect for the contract")),
            text(
                _(
                    "Pairs for its sets, neighbours of one suit for its runs: a card that serves "
                    "neither can go, however good it looks."
                )
            ),
        ),
        GuideEntry(
            text(_("Put jokers into runs")),
            text(
                _(
                    "A run needs %(run)s cards and a set only %(set)s. A joker in a run "
                    "can be taken back in exchange for the card that it replaces; in a "
                    "set it stays."
                ),
                run=rules["min_run"],
                set=rules["min_set"],
            ),
        ),
        GuideEntry(
            text(_("Buy early, not late")),
            text(
                _(
                    "You may buy %(buys)s times in a deal, and each time you also get a card "
                    "that you did not choose. When others are about to go out, buying only "
                    "adds to your count."
                ),
                buys=rules["max_buys"],
            ),
        ),
        GuideEntry(
            text(_("Lay the contract as soon as you can")),
            text(_("Only then can you lay off, and cards laid off no longer count against you.")),
        ),
        GuideEntry(
            text(_("Do not keep jokers and aces for later")),
            text(
                _(
                    "In your hand at the end of a deal, a joker counts %(joker)s points "
                    "against you, and an ace %(ace)s."
                ),
                joker=rules["joker_points"],
                ace=rules["ace_points"],
            ),
        ),
        words.HIGH_IN_HAND,
        words.WATCH_OTHERS,
    )


def terms(rules: Rules) -> Sequence[GuideEntry]:
    sizes = {"set": rules["min_set"], "run": rules["min_run"]}
    return (
        words.CLOSED_DECK,
        words.OPEN_PILE,
        GuideEntry(
            text(_("Meld")),
            text(
                _(
                    "A set is %(set)s or more cards of one rank, whatever their suits; a run "
                    "%(run)s or more of one suit in order. The ace goes at either end of a run."
                ),
                **sizes,
            ),
        ),
        GuideEntry(text(_("Contract")), text(_CONTRACT, **sizes)),
        words.LAY_OFF,
        GuideEntry(
            text(_("Jokers")),
            text(
                _(
                    "A player who laid the contract in an earlier turn may take a joker out of a "
                    "run in exchange for the card that it replaces, or move it to an end of the "
                    "run. Jokers in sets stay."
                )
            ),
        ),
        GuideEntry(
            text(_("Buying")),
            text(_BUYING, seconds=rules["buy_seconds"], buys=rules["max_buys"]),
        ),
        GuideEntry(
            text(_("Points")),
            text(_COUNTING, joker=rules["joker_points"], ace=rules["ace_points"]),
        ),
        words.SERVICE_FEE,
    )


# --- Claims.

_SET_AND_RUN: Final[Contract] = (SET, RUN)


def claims() -> Sequence[Claim]:
    """Judge contracts, a lay-off, a swap and a discard by the rules. Only the last claim is legal."""
    sizes = {"set": USUAL.min_set, "run": USUAL.min_run}
    return (
        _judge_contract(
            _("Not the contract"),
            text(_("This deal asks for a set and a run. Here are two sets.")),
            "9S 9D 9C|KS KD KC",
        ),
        _judge_contract(
            _("A run too short"),
            text(_("A run has %(run)s cards or more, and a set %(set)s."), **sizes),
            "9S 9D 9C|5H 6H 7H",
        ),
        _judge_contract(
            _("One card too many"),
            text(
                _(
                    "The contract takes exactly %(set)s cards for each set and %(run)s "
                    "for each run. You can lay off the fourth nine from your next turn "
                    "on."
                ),
                **sizes,
            ),
            "9S 9D 9C 9H|5H 6H 7H 8H",
        ),
        _judge_contract(
            _("Too many jokers"),
            text(
                _("In a new run, at least %(least)s cards must not be jokers."),
                least=USUAL.min_naturals_run,
            ),
            "9S 9D 9C|5H PJ=6H PJ=7H PJ=8H",
        ),
        _judge_contract(
            _("Two runs that make one"),
            text(_("Two runs of one suit may not follow directly on each other.")),
            "4H 5H 6H 7H|8H 9H TH JH",
            (RUN, RUN),
        ),
        _judge_at_once(),
        _judge_joker_in_set(),
        _judge_straight_back(),
        _judge_contract(
            words.RIGHT,
            text(_("A set and a run. The joker replaces the six.")),
            "9S 9D 9C|5H PJ=6H 7H 8H",
        ),
    )


def _judge_contract(title: str, why: Any, melds: str, contract: Contract = _SET_AND_RUN) -> Claim:
    """Judge the laying of these melds with one more card in hand, a king to discard."""
    laid, [king] = _read(melds), read_cards(["KH"])
    hand = (*(card for one in laid for card in one.cards), king)
    match = _turn(hand, contract=contract)
    groups = [group(one.cards, loose=as_meld(one, USUAL) is None) for one in laid]
    return claim(title, why, groups, judge(CORE, match, LayContract(laid)))


def _judge_at_once() -> Claim:
    """Judge a lay-off in the same turn in which the contract was laid."""
    laid = _read("9S 9D 9C|5H 6H 7H 8H")
    nine, king = read_cards(["9H", "KH"])
    match = _turn((*(card for one in laid for card in one.cards), nine, king))
    then = play(CORE, match, (0, LayContract(laid)))
    refusal = judge(CORE, then, LayOff(0, LaidMeld((nine,), (nine.face,))))
    groups = (
        *(group(one.cards) for one in laid),
        group([nine], note=text(_("Lay off")), loose=True),
    )
    why = text(_("In the turn in which you lay the contract, you may lay nothing else."))
    return claim(_("Laying off at once"), why, groups, refusal)


def _judge_joker_in_set() -> Claim:
    [laid] = _read("KS KD PJ=KC")
    table = (_meld(laid),)
    king, other = read_cards(["KC", "2D"])
    match = _turn((other, king), laid_in=0, melds=table)
    refusal = judge(CORE, match, SwapJoker(0, king, "hand"))
    groups = (group(laid.cards), group([king], note=text(_("In hand")), loose=True))
    return claim(
        _("A joker out of a set"), text(_("Only a joker in a run can be taken.")), groups, refusal
    )


def _judge_straight_back() -> Claim:
    held, [taken] = read_cards(["5H", "6H", "9C", "TC", "2C"]), read_cards(["7S"])
    refusal = judge(CORE, _turn((*held, taken), drawn_from_open=True), Discard(taken))
    groups = (
        group(held, note=text(_("In hand"))),
        group([taken], note=text(_("Open pile")), loose=True),
    )
    return claim(words.STRAIGHT_BACK, words.TAKE_TO_KEEP, groups, refusal)


def _read(melds: str) -> tuple[LaidMeld, ...]:
    """Read melds such as `5H PJ=6H 7H|KS KD KC`, where `PJ=6H` is a joker that replaces the six of hearts."""
    pairs = [[word.partition("=") for word in part.split()] for part in melds.split("|")]
    cards = iter(read_cards(name for part in pairs for name, _sign, _face in part))
    return tuple(
        LaidMeld(
            tuple(islice(cards, len(part))),
            tuple(parse_face(face or name) for name, _sign, face in part),
        )
        for part in pairs
    )


def _meld(laid: LaidMeld) -> Meld:
    return require(as_meld(laid, USUAL, seat=1))


def _turn(
    hand: Sequence[Card],
    *,
    contract: Contract = _SET_AND_RUN,
    laid_in: int | None = None,
    drawn_from_open: bool = False,
    **deal: Any,
) -> Match:
    """Return a deal of four players in which seat 0 has drawn the last card of its hand."""
    players = [{"groups": (tuple(hand),), "laid_in": laid_in}, {}, {}, {}]
    fields = {"contract": contract, "drawn": hand[-1], "drawn_from_open": drawn_from_open, **deal}
    match: Match = make_match(CORE, USUAL, players, **fields)
    return match


# --- Examples.


def examples(rake: Rake) -> Sequence[Example]:
    """Compute the examples: a deal played to its end, and a match of seven deals."""
    return (_single(rake), _seven(rake))


def _single(rake: Rake) -> Example:
    """Play a single deal to its end and count the hands of the losers (C12, C15, C17)."""
    rules = PRESETS["single"]
    [last] = read_cards(["JS"])
    hands = ("PJ AS 5C", "KH QD 7D 3C", "AD 9C")
    players: list[dict[str, Any]] = [
        {"groups": ((last,),), "laid_in": 0},
        *({"groups": (read_cards(hand.split()),)} for hand in hands),
    ]
    ended = play(CORE, make_match(CORE, rules, players, drawn=last), (0, Discard(last)))
    points = sum(player.points for player in ended.deal.players)
    about = text(_COUNTING, joker=rules.joker_points, ace=rules.ace_points)
    return Example(
        "single",
        text(_("One contract")),
        about,
        words.rows_of_hands(ended.deal, rules.points_of),
        words.describe_gain(points),
        compute_pot(points * POINT_CHIPS, rake),
    )


def _seven(rake: Rake) -> Example:
    """Add up seven deals of two players. The lower total wins (C16)."""
    lost = ((0, 25, 0, 47, 12, 0, 38), (31, 0, 54, 0, 0, 66, 0))
    who = (words.YOU, words.THE_OTHER)
    rows = [
        ExampleRow(name, (), write_sum(of_seat)) for name, of_seat in zip(who, lost, strict=True)
    ]
    about = text(_COUNTING, joker=USUAL.joker_points, ace=USUAL.ace_points)
    fees = words.entry_fees(2, ENTRY_FEE)
    title = text(_("Seven contracts"))
    return Example("seven", title, about, rows, fees, compute_pot(2 * ENTRY_FEE, rake))


GUIDE: Final = Guide(tips, terms, claims, examples, about_claims=words.describe_no_harm)
