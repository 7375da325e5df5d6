"""The guide to gin: tips, moves that the rules judge (`claims`), and example deals that they score."""

from collections.abc import Sequence
from typing import Final, TypeAlias

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
)
from games.engine.state import Groups, require
from games.gin.rules.match import CORE
from games.gin.rules.melds import deadwood, meld_kind
from games.gin.rules.moves import Defend, Discard, Knock, find_defence
from games.gin.rules.ruleset import POINTS, PRESETS, GinRules
from games.gin.rules.scoring import count_bonuses
from games.gin.rules.state import Deal, GinEnding, GinLine, Match, Phase, factor

_MOST_DEADWOOD: Final = _(
    "If your deadwood counts %(limit)s or less, you may knock: you discard one card face down "
    "and lay the other ten open. The other player then has %(seconds)s seconds to lay down "
    "melds and to lay cards off on yours."
)
_UNDERCUT: Final = _(
    "The player who knocked scores the difference. If the other player has as little "
    "deadwood or less, it is an undercut: they score the difference and %(bonus)s more."
)
_GIN: Final = _(
    "Gin is a knock without deadwood: nothing is laid off, and it scores %(gin)s more. Big gin is "
    "eleven cards in melds, and scores %(big)s more."
)
_OKLAHOMA: Final = _(
    "In Oklahoma gin the upcard sets the limit to knock, and an ace means gin only; with a "
    "spade as the upcard the deal counts double."
)


def tips(rules: Rules) -> Sequence[GuideEntry]:
    return (
        words.HIGH_CARDS_FIRST,
        words.KEEP_THE_MIDDLE,
        words.TRIANGLES,
        GuideEntry(
            text(_("Keep small cards for the end")),
            text(_("Aces, twos and threes count little, so you may knock with two or three left.")),
        ),
        GuideEntry(
            text(_("Knock early")),
            text(
                _(
                    "With %(limit)s or less in the first turns, knock at once: the other "
                    "player still has much deadwood. Waiting for gin wins %(gin)s points "
                    "more, but loses many deals."
                ),
                limit=rules["knock_limit"],
                gin=rules["gin_bonus"],
            ),
        ),
        GuideEntry(
            text(_("Later, mind the undercut")),
            text(
                _(
                    "After many turns the other player has melds too. Then knock only "
                    "with very little deadwood: an undercut costs you %(bonus)s points "
                    "and the difference."
                ),
                bonus=rules["undercut_bonus"],
            ),
        ),
        words.WATCH_OTHERS,
        words.DRAW_CLOSED,
    )


def terms(rules: Rules) -> Sequence[GuideEntry]:
    return (
        words.LOW_ACE,
        words.CLOSED_DECK,
        words.OPEN_PILE,
        GuideEntry(
            text(_("Upcard")),
            text(
                _(
                    "The card turned up first is the upcard. The player who does not deal takes it "
                    "or passes, then the dealer; if both pass, the other player draws from the "
                    "closed deck."
                )
            ),
        ),
        words.SET,
        words.SEQUENCE,
        GuideEntry(
            text(_("Deadwood")),
            text(
                _(
                    "Cards outside of melds are deadwood: an ace counts 1, face cards count "
                    "10, all other cards their number."
                )
            ),
        ),
        GuideEntry(
            text(_("Knock")),
            text(_MOST_DEADWOOD, limit=rules["knock_limit"], seconds=rules["show_seconds"]),
        ),
        words.LAY_OFF,
        GuideEntry(text(_("Undercut")), _of_undercut(rules["undercut_bonus"])),
        GuideEntry(text(_("Gin")), _of_gin(rules["gin_bonus"], rules["big_gin_bonus"])),
        GuideEntry(
            text(_("Dead deal")),
            text(
                _(
                    "When %(wall)s cards are left in the closed deck and nobody has knocked, the "
                    "deal is dead: nobody scores, and the same player deals again."
                ),
                wall=rules["wall"],
            ),
        ),
        GuideEntry(text(_("Oklahoma gin")), text(_OKLAHOMA)),
        words.SERVICE_FEE,
    )


def _of_undercut(bonus: int) -> Text:
    return text(_UNDERCUT, bonus=bonus)


def _of_gin(gin: int, big: int) -> Text:
    return text(_GIN, gin=gin, big=big)


# --- Claims.

# A hand of the opponent, who does not move.
_WAITING: Final = read_groups("QH JS TC 9C 8S 5D 6S 4C 3H AD")
# Fourteen cards: the knocker's melds, the deadwood, and the discard.
_RIGHT: Final = ("5H 6H 7H|KS KD KC", "AS 2C 3D 4S", "JD")
_TOO_MUCH: Final = ("5H 6H 7H|KS KD KC", "2C 4S 6D QS", "JD")


def claims() -> Sequence[Claim]:
    """Judge knocks, a discard and a lay-off by the rules. Only the last knock is legal."""
    too_much = text(
        _("You have %(points)s points of deadwood left, and may knock with at most %(limit)s."),
        points=deadwood(read_cards(_TOO_MUCH[1].split())),
        limit=POINTS.knock_limit,
    )
    return (
        _knock(words.AROUND_THE_CORNER, words.ACE_IS_LOW, "QD KD AD|5H 6H 7H 8H", "3S 2C AS", "QH"),
        _knock(words.TWO_SUITS, words.KEEPS_TO_ONE_SUIT, "5H 6H 7D|KS KD KC|9C TC JC", "AS", "QH"),
        _knock(words.TOO_SHORT, words.PAIR_IS_NOTHING, "9S 9D|5H 6H 7H 8H|3S 3C 3H", "AS", "QH"),
        _knock(words.TWICE, words.ONCE_ONLY, "5H 6H 7H|7H 7S 7C|KS KD KC", "AS 2C", "QH"),
        _knock(_("Too much deadwood"), too_much, *_TOO_MUCH),
        _judge_straight_back(),
        _judge_gap(),
        _knock(
            words.RIGHT,
            _("Two melds, and no more deadwood than you may knock with."),
            *_RIGHT,
        ),
    )


def _knock(title: str, why: Text | str, melds: str, loose: str, put_down: str) -> Claim:
    """Judge a knock with these melds. The discard was drawn from the closed deck."""
    laid, rest, [down] = read_groups(melds), read_cards(loose.split()), read_cards([put_down])
    hand = (*dict.fromkeys(card for meld in laid for card in meld), *rest, down)
    refusal = judge(CORE, _turn((hand,)), Knock(down, laid))
    return claim(title, why, (*_melds(laid), _deadwood(rest), _put_down(down)), refusal)


def _judge_straight_back() -> Claim:
    """Judge the discard of a card that was just taken from the open pile."""
    *melds, loose, [taken] = hand = read_groups("5H 6H 7H|KS KD KC|9C TC AS 2C|7S")
    refusal = judge(CORE, _turn(hand, from_open=True), Discard(taken))
    back = group([taken], note=text(_("Open pile")), loose=True)
    groups = (*_melds(tuple(melds)), _deadwood(loose), back)
    return claim(words.STRAIGHT_BACK, words.TAKE_TO_KEEP, groups, refusal)


def _judge_gap() -> Claim:
    """Judge a lay-off on the melds of a legal knock."""
    melds, loose, down = _RIGHT
    hand = read_groups("QS QH QD|9H 6S 4D 3C 2D 7C TC")
    laid, rest = read_groups(melds), read_cards(loose.split())
    [put_down] = read_cards([down])
    knocked = _play_knock((*laid, rest, (put_down,)), hand, Knock(put_down, laid))
    refusal = judge(CORE, knocked, Defend(hand[:1], ((hand[1][0], 0),)), seat=1)
    groups = (group(laid[0]), group([hand[1][0]], note=text(_("Lay off")), loose=True))
    return claim(words.GAP, words.NINE_AFTER_EIGHT, groups, refusal)


def _turn(hand: Groups, *, from_open: bool = False) -> Match:
    drawn = {"drawn": hand[-1][-1], "drawn_from_open": from_open}
    match: Match = make_match(
        CORE, POINTS, [{"groups": hand}, {"groups": _WAITING}], phase=Phase.TURN, **drawn
    )
    return match


# --- Examples.


# Melds, deadwood, and the opponent's hand.
_Hands: TypeAlias = tuple[str, str, str]
_KNOCK: Final[_Hands] = ("5H 6H 7H|KS KD KC KH", "AS 2C 3D", "QS QH QD|8H 9C 6S 4D 3C 2D TC")
_CUT: Final[_Hands] = ("5H 6H 7H|KS KD KC", "AS 2C 3D 3S", "QS QH QD|9C TC JC|8H AH 2D 4D")
_ALL: Final[_Hands] = ("5H 6H 7H|KS KD KC KH|9D TD JD", "", "QS QH QD|8H 9C 6S 4D 3C 2D TC")


def examples(rake: Rake) -> Sequence[Example]:
    """Play the example knocks and compute what they win."""
    undercut = _of_undercut(POINTS.undercut_bonus)
    gin = _of_gin(POINTS.gin_bonus, POINTS.big_gin_bonus)
    return (
        _deal("knock", text(_("Knock")), undercut, _KNOCK, rake),
        _deal("undercut", text(_("Undercut")), undercut, _CUT, rake),
        _deal("gin", text(_("Gin")), gin, _ALL, rake),
        _deal(
            "oklahoma", text(_("Oklahoma gin")), text(_OKLAHOMA), _KNOCK, rake,
            rules=PRESETS["oklahoma"], upcard="7S",
        ),
        _work_out_game(rake),
    )  # fmt: skip


def _deal(  # noqa: PLR0913 - by their order
    code: str,
    title: Text,
    about: Text,
    hands: _Hands,
    rake: Rake,
    *,
    rules: GinRules = POINTS,
    upcard: str = "5S",
) -> Example:
    """Return an example: a knock with these melds, the answer that leaves the least deadwood, and the points."""
    melds, loose, other = hands
    laid, rest, [down, turned] = (
        read_groups(melds), read_cards(loose.split()), read_cards(["QC", upcard]),
    )  # fmt: skip
    hand = (*laid, *((rest,) if rest else ()), (down,))
    match = _play_knock(hand, read_groups(other), Knock(down, laid), rules=rules, upcard=turned)
    if match.deal.phase is Phase.DEFEND:
        best = find_defence(match.deal)
        match = play(CORE, match, (1, Defend(best.groups, best.lay_offs)))
    points = require(match.deal.outcome).points
    return Example(
        code,
        title,
        about,
        _rows(match.deal, rules),
        words.describe_gain(points),
        compute_pot(points * POINT_CHIPS, rake),
    )


def _play_knock(
    hand: Groups,
    other: Groups,
    knock: Knock,
    *,
    rules: GinRules = POINTS,
    upcard: Card | None = None,
) -> Match:
    fields = {} if upcard is None else {"upcard": upcard}
    at_turn = make_match(
        CORE,
        rules,
        [{"groups": hand}, {"groups": other}],
        phase=Phase.TURN,
        drawn=hand[-1][-1],
        **fields,
    )
    match: Match = play(CORE, at_turn, (0, knock))
    return match


def _rows(deal: Deal, rules: GinRules) -> Sequence[ExampleRow]:
    """Return rows with both hands. The winner's row has the calculation."""
    outcome = require(deal.outcome)
    own, other = outcome.hands
    laid_off = [card for card, _place in outcome.lay_offs]
    more, less = max(own.deadwood, other.deadwood), min(own.deadwood, other.deadwood)
    bonus = {GinEnding.GIN: rules.gin_bonus, GinEnding.UNDERCUT: rules.undercut_bonus}.get(
        outcome.how, 0
    )
    worked = f"{more} \N{MINUS SIGN} {less}" + (f" + {bonus}" if bonus else "")
    if (times := factor(deal.upcard, rules)) > 1:
        worked = f"({worked}) \N{MULTIPLICATION SIGN} {times}"
    sums = [f"{worked} = {outcome.points}" if outcome.winner == seat else "" for seat in deal.order]
    turned = [ExampleRow(text(_("Upcard")), [group([deal.upcard])])] if rules.oklahoma else []
    return (
        *turned,
        ExampleRow(words.YOU, _hand(own.groups, (), own.loose), sums[0]),
        ExampleRow(words.THE_OTHER, _hand(other.groups, laid_off, other.loose), sums[1]),
    )


def _work_out_game(rake: Rake) -> Example:
    """Compute the prize and the score sheet of a gin game (G14)."""
    rules = PRESETS["game100"]
    won = ((0, 28), (1, 37), (0, 45), (0, 33))
    sheet = [
        GinLine(place, 1, GinEnding.KNOCK, seat, points, ())
        for place, (seat, points) in enumerate(won)
    ]
    counted = count_bonuses(sheet, (0, 1), (0,), rules)
    rows = [
        ExampleRow(who, (), f"{line['score']} + {line['boxes']} + {line['game']} = {line['total']}")
        for who, line in zip((words.YOU, words.THE_OTHER), counted.values(), strict=True)
    ]
    about = _(
        "In a gin game both pay an entry fee and play until one of them has reached the "
        "target; the winner takes the prize. Boxes for deals won, the game bonus and a "
        "doubled shutout are only on the score sheet and move no chips."
    )
    return Example(
        "game",
        text(_("Gin game")),
        text(about),
        rows,
        words.entry_fees(2, ENTRY_FEE),
        compute_pot(2 * ENTRY_FEE, rake),
    )


def _hand(melds: Groups, laid_off: Sequence[Card], loose: Sequence[Card]) -> Sequence[CardGroup]:
    off = (group(laid_off, note=text(_("Laid off"))),) if laid_off else ()
    return (*_melds(melds), *off, *((_deadwood(loose),) if loose else ()))


def _melds(melds: Groups) -> Sequence[CardGroup]:
    return [group(meld, loose=meld_kind(meld) is None) for meld in melds]


def _deadwood(cards: Sequence[Card]) -> CardGroup:
    return group(cards, note=text(_("Deadwood")), points=deadwood(cards))


def _put_down(card: Card) -> CardGroup:
    return group([card], note=text(_("Discarded")))


GUIDE: Final = Guide(tips, terms, claims, examples, about_claims=words.describe_no_harm)
