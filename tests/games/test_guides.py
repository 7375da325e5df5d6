"""Guides: the rules judge each claim as its page says, and the game computes the same example scores."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from games.basic.rules.match import CORE as BASIC
from games.cards import read_cards
from games.contract.rules.match import CORE as CONTRACT
from games.engine.core import PACK
from games.engine.guide import POINT_CHIPS, Example
from games.engine.laid import Line
from games.engine.state import replace, require
from games.five_hundred.rules.match import CORE as FIVE_HUNDRED
from games.five_hundred.rules.match import Line as FiveHundredLine
from games.gin.rules.melds import meld_kind
from tests.games.driving import GAMES
from tests.games.vectors import ask

CORES: dict[str, Any] = {"basic": BASIC, "contract": CONTRACT, "five_hundred": FIVE_HUNDRED}
GUIDES = {code: game.guide for code, game in GAMES.items() if game.guide is not None}


def take_tenth(gross: int) -> int:
    return gross // 10


def examples_of(code: str) -> dict[str, Example]:
    return {one.code: one for one in GUIDES[code].examples(take_tenth)}


def read_sum(formula: str) -> tuple[int, int]:
    """Return both sides of a calculation such as `(34 - 6) x 2 = 56`, written with typographic signs.

    A single number is equal to itself.
    """
    for sign, code in (("\N{MINUS SIGN}", "-"), ("\N{MULTIPLICATION SIGN}", "*")):
        formula = formula.replace(sign, code)
    left, _equals, right = formula.partition(" = ")
    assert set(left) <= set("0123456789+-*() ")
    value: int = eval(left)  # noqa: S307 - figures and signs only
    return value, int(right or value)


# The refusal codes of the page's claims in order. An empty code means that the claim is right.
VERDICTS = {
    "indian": [
        *("no_pure_sequence", "no_second_sequence", "two_of_a_suit_in_set"),
        *("gap_in_sequence", "too_few_cards", "gap_in_sequence", ""),
    ],
    "gin": [
        *("not_a_meld", "not_a_meld", "not_a_meld", "groups_not_your_hand"),
        *("too_much_deadwood", "may_not_return_open_card", "does_not_fit", ""),
    ],
    "basic": [
        *("not_a_meld", "not_a_meld", "not_a_meld", "groups_not_your_hand"),
        *("does_not_fit", "may_not_return_open_card", "must_keep_a_discard", ""),
    ],
    "contract": [
        *("contract_not_met", "not_a_meld", "contract_not_met", "not_a_meld", "contract_not_met"),
        *("not_in_this_turn", "joker_is_dead", "may_not_return_open_card", ""),
    ],
    "rummikub": [
        *("below_initial_meld", "table_not_valid", "table_not_valid", "table_not_valid"),
        *("tiles_missing", "nothing_laid", "joker_is_frozen", "joker_not_laid", ""),
    ],
    "five_hundred": [
        *("not_a_meld", "not_a_meld", "not_a_meld", "groups_not_your_hand"),
        *("does_not_fit", "not_usable", "use_taken_card", ""),
    ],
}


@pytest.mark.parametrize("code", GUIDES)
def test_each_claim_is_refused_for_the_reason_on_its_page(code):
    claims = GUIDES[code].claims()
    assert [claim.code for claim in claims] == VERDICTS[code]
    for claim in claims:
        assert (claim.refusal is None) == (claim.code == "")


@pytest.mark.parametrize("code", GUIDES)
def test_every_sum_adds_up(code):
    sums = [row.sum for one in examples_of(code).values() for row in one.rows if row.sum]
    assert [left for left, _right in map(read_sum, sums)] == [
        right for _left, right in map(read_sum, sums)
    ]
    assert len(sums) >= 2 or code == "indian"


@pytest.mark.parametrize("code", GUIDES)
def test_every_pot_is_the_stakes_less_the_fee(code):
    pots = [one.pot for one in examples_of(code).values() if one.pot]
    assert pots
    for pot in pots:
        assert (pot.rake, pot.net) == (pot.gross // 10, pot.gross - pot.gross // 10)


def test_the_check_of_sums_finds_a_wrong_one():
    assert read_sum("(34 \N{MINUS SIGN} 6) \N{MULTIPLICATION SIGN} 2 = 57") == (56, 57)
    assert read_sum("9 \N{MINUS SIGN} 7 + 25 = 27") == (27, 27)
    assert read_sum("36 \N{MINUS SIGN} (21 \N{MINUS SIGN} 20) = 35") == (35, 35)


def texts(groups: Any) -> list[list[str]]:
    return [[f"{card['rank']}{card['suit']}" for card in one.cards] for one in groups]


class TestIndian:
    def test_every_declaration_has_thirteen_cards(self):
        counts = [
            sum(len(one.cards) for one in claim.groups) for claim in GUIDES["indian"].claims()
        ]
        assert counts == [13] * len(counts)

    def test_the_group_at_fault_is_marked(self):
        marked = [
            [place for place, one in enumerate(claim.groups, start=1) if one.loose]
            for claim in GUIDES["indian"].claims()
        ]
        assert marked == [[], [], [3], [2], [4], [2], []]


class TestGin:
    def test_every_hand_has_its_cards(self):
        """G3: both players have ten cards, and the knocker's eleventh is the discard."""
        for example in examples_of("gin").values():
            rows = [row for row in example.rows if row.groups]
            faces = [face for row in rows for cards in texts(row.groups) for face in cards]
            assert len(set(faces)) == len(faces)
            assert len(faces) == (20 if len(rows) == 2 else len(rows) and 21)

    @pytest.mark.parametrize("name", ["knock", "undercut", "gin", "oklahoma"])
    def test_the_hand_tool_counts_the_same(self, name):
        """G7 to G11, G13: the hand tool computes the same deadwood, lay-offs and points."""
        *_, you, other = examples_of("gin")[name].rows
        melds = texts(one for one in you.groups if one.note is None)
        kind = "gin" if name == "gin" else "knock"
        hand = [face for cards in texts(other.groups) for face in cards]
        own = sum(one.points or 0 for one in you.groups)
        left = ask("gin", "defend", hand=hand, melds=melds, gin=kind == "gin")["points"]
        assert left == sum(one.points or 0 for one in other.groups)
        said = ask("gin", "score", knocker=own, defender=left, kind=kind)
        times = 2 if name == "oklahoma" else 1
        winner = you if said["winner"] == "knocker" else other
        assert read_sum(winner.sum)[1] == said["points"] * times
        assert [row.sum for row in (you, other) if row is not winner] == [""]
        assert require(examples_of("gin")[name].pot).gross == said["points"] * times * POINT_CHIPS

    def test_the_score_sheet_has_the_bonuses_of_the_rules(self):
        """G14: box and game bonuses."""
        rules = GAMES["gin"].rules.preset("game100")
        you, other = examples_of("gin")["game"].rows
        boxes = 3 * rules.box_bonus
        assert you.sum == f"106 + {boxes} + {rules.game_bonus} = {106 + boxes + rules.game_bonus}"
        assert other.sum == f"37 + {rules.box_bonus} + 0 = {37 + rules.box_bonus}"


def figures(formula: str) -> list[int]:
    """Return the numbers of a sum with their signs."""
    left = formula.partition(" = ")[0].replace("\N{MINUS SIGN} ", "-").replace("+ ", "")
    return [int(figure) for figure in left.split()]


def match_of(code: str, preset: str, seats: int, sheet: Sequence[Any]) -> Any:
    """Return a new match of this preset with this score sheet."""
    game = GAMES[code]
    start = game.core.start(
        rules=game.rules.preset(preset), seats=range(seats), toss=False, seed=bytes(16), now=0
    )
    return replace(start.state, sheet=tuple(sheet))


def find_winners(code: str, match: Any) -> tuple[int, ...]:
    winners: tuple[int, ...] = CORES[code].find_winners(match)
    return winners


def count_cards(group: Any, points: dict[str, int]) -> list[int]:
    return [points[card["rank"]] for card in group.cards]


# The points of cards by rank, independent of the game's code.
NUMBERS = {rank: number for number, rank in enumerate("A23456789", start=1)}
PIPS = {**NUMBERS, **dict.fromkeys("TJQK", 10)}


class TestBasic:
    def test_the_hands_cost_what_their_cards_count(self):
        """B9, B11, B12: points of cards, and the pot."""
        examples = examples_of("basic")
        for name, times in (("out", 1), ("rummy", 2)):
            for row in examples[name].rows:
                assert read_sum(row.sum)[1] == sum(count_cards(row.groups[0], PIPS)) * times
                assert row.text.values["points"] == read_sum(row.sum)[1]
        you, *others = examples["blocked"].rows
        least = sum(count_cards(you.groups[0], PIPS))
        lost = [sum(count_cards(row.groups[0], PIPS)) - least for row in others]
        assert [row.text.values["points"] for row in others] == lost
        assert require(examples["blocked"].pot).gross == sum(lost) * POINT_CHIPS

    def test_a_race_is_won_by_points_that_the_others_lost(self):
        """B13: both deals together decide the race; the first one alone does not."""
        examples = examples_of("basic")
        lost: list[Any] = [
            [row.text.values["points"] for row in examples[name].rows] for name in ("out", "rummy")
        ]
        [row] = examples["race"].rows
        sheet = [Line(1, 1, "out", (0,), ((0, 0), *enumerate(points, start=1))) for points in lost]
        race = match_of("basic", "race100", 3, sheet)
        assert race.scores[0] == read_sum(row.sum)[1]
        assert find_winners("basic", race) == (0,)
        assert find_winners("basic", replace(race, sheet=race.sheet[:1])) == ()


class TestContract:
    def test_the_hands_cost_what_their_cards_count(self):
        """C15: points of cards. On the page a joker's rank is empty."""
        rules = GAMES["contract"].rules.preset("single")
        points = {**PIPS, "A": rules.ace_points, "": rules.joker_points}
        single: Any = examples_of("contract")["single"]
        for row in single.rows:
            assert row.text.values["points"] == sum(count_cards(row.groups[0], points))
        lost = [row.text.values["points"] for row in single.rows]
        assert single.pot.gross == sum(lost) * POINT_CHIPS

    def test_the_lower_total_of_all_contracts_wins(self):
        """C2, C16: the game computes the same totals and winner."""
        rows = examples_of("contract")["seven"].rows
        deals = zip(*(figures(row.sum) for row in rows), strict=True)
        sheet = [Line(1, 1, "out", (of.index(0),), tuple(enumerate(of))) for of in deals]
        match = replace(match_of("contract", "contract", 2, sheet), number=len(sheet))
        assert match.lost == dict(enumerate(read_sum(row.sum)[1] for row in rows))
        assert find_winners("contract", match) == (0,)
        assert find_winners("contract", replace(match, number=len(sheet) - 1)) == ()


class TestRummikub:
    def test_the_racks_count_what_their_tiles_say(self):
        """K14, K15: points of tiles, and the pot."""
        rules = GAMES["rummikub"].rules.usual
        examples = examples_of("rummikub")

        def count(row: Any) -> int:
            tiles = row.groups[0].cards
            return sum(rules.joker_points if t["colour"] == "J" else t["number"] for t in tiles)

        for row in examples["out"].rows:
            assert row.text.values["points"] == count(row)
        you, *others = examples["blocked"].rows
        lost = [count(row) - count(you) for row in others]
        assert [row.text.values["points"] for row in others] == lost
        assert require(examples["blocked"].pot).gross == sum(lost) * POINT_CHIPS

    def test_a_session_has_the_deals_of_the_rules(self):
        """K16: the example has as many deals as the preset."""
        [row] = examples_of("rummikub")["session"].rows
        assert len(figures(row.sum)) == GAMES["rummikub"].rules.preset("session4").deals


class TestFiveHundred:
    def test_a_loser_pays_the_difference_to_the_best_result(self):
        """F10 to F12: an ace below a two counts as a low ace."""
        rules = GAMES["five_hundred"].rules.usual
        points = {**PIPS, "A": rules.ace_points}

        def result(row: Any) -> int:
            total = 0
            for one in row.groups:
                low = [card["rank"] for card in one.cards[:2]] == ["A", "2"]
                values = {**points, "A": rules.low_ace_points} if low else points
                total += sum(count_cards(one, values)) * (-1 if one.note else 1)
            return total

        example = examples_of("five_hundred")["points"]
        best, *others = map(result, example.rows)
        assert [row.text.values.get("points") for row in example.rows[1:]] == [
            best - one for one in others
        ]
        assert read_sum(example.rows[0].sum)[0] == best

    def test_a_race_is_won_by_the_highest_score(self):
        """F13: one deal earlier, no player had reached the target."""
        rows = examples_of("five_hundred")["race"].rows
        deals = zip(*(figures(row.sum) for row in rows), strict=True)
        sheet = [
            FiveHundredLine(1, 1, "out", (0,), (), scores=tuple(enumerate(of))) for of in deals
        ]
        race = match_of("five_hundred", "race500", 2, sheet)
        assert race.scores == dict(enumerate(read_sum(row.sum)[1] for row in rows))
        assert find_winners("five_hundred", race) == (0,)
        assert find_winners("five_hundred", replace(race, sheet=race.sheet[:-1])) == ()


class TestSharedTips:
    """The numbers in tips that several games share."""

    def count_completing(self, held: str) -> int:
        """Return how many other cards complete a meld of three with two of these."""
        cards = read_cards(held.split())
        return sum(
            any(meld_kind((*two, card)) for two in combinations(cards, 2))
            for card in PACK
            if card not in cards
        )

    def sequences(self, face: str) -> int:
        [card] = read_cards([face])
        pairs = combinations([one for one in PACK if one != card], 2)
        return sum(meld_kind((card, *two)) == "sequence" for two in pairs)

    def test_a_seven_goes_into_three_sequences_a_king_and_an_ace_into_one(self):
        assert [self.sequences(face) for face in ("7H", "KH", "AH")] == [3, 1, 1]

    def test_four_cards_complete_a_triangle_and_two_a_pair(self):
        assert self.count_completing("7H 8H 7S") == 4
        assert self.count_completing("7H 7S") == 2
