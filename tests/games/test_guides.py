"""Guides: claims are judged by the rules as their page says, worked scores are those of the game."""

import json
import re
from itertools import combinations
from math import prod
from typing import Any

import pytest

from games.cards import read_cards
from games.engine.core import PACK
from games.engine.guide import POINT_CHIPS, Example
from games.engine.state import known
from games.gin.rules.melds import meld_kind
from tests.games.driving import GAMES

GUIDES = {code: game.guide for code, game in GAMES.items() if game.guide is not None}


def tenth(gross: int) -> int:
    return gross // 10


def examples_of(code: str) -> dict[str, Example]:
    return {one.code: one for one in GUIDES[code].examples(tenth)}


def worked(formula: str) -> tuple[int, int]:
    """Return both sides of a calculation such as `(34 - 6) x 2 = 56`, with the signs of print."""
    left, right = formula.replace("\N{MINUS SIGN}", "-").split(" = ")
    factors = [part.strip(" ()") for part in left.split("\N{MULTIPLICATION SIGN}")]
    sums = [
        sum(int(sign + digits) for sign, digits in re.findall(r"([+-]?)\s*(\d+)", part))
        for part in factors
    ]
    return prod(sums), int(right)


# The codes of the refusals, in the order of the page; empty: right.
VERDICTS = {
    "indian": [
        *("no_pure_sequence", "no_second_sequence", "two_of_a_suit_in_set"),
        *("gap_in_sequence", "too_few_cards", "gap_in_sequence", ""),
    ],
    "gin": [
        *("not_a_meld", "not_a_meld", "not_a_meld", "groups_not_your_hand"),
        *("too_much_deadwood", "may_not_return_open_card", "does_not_fit", ""),
    ],
}


@pytest.mark.parametrize("code", GUIDES)
def test_each_wrong_claim_is_refused_for_the_reason_it_is_shown_for(code):
    claims = GUIDES[code].claims()
    assert [claim.code for claim in claims] == VERDICTS[code]
    for claim in claims:
        assert (claim.refusal is None) == (claim.code == "")


@pytest.mark.parametrize("code", GUIDES)
def test_every_sum_adds_up(code):
    sums = [row.sum for one in examples_of(code).values() for row in one.rows if row.sum]
    assert [left for left, _right in map(worked, sums)] == [
        right for _left, right in map(worked, sums)
    ]
    assert sums or code == "indian"


@pytest.mark.parametrize("code", GUIDES)
def test_every_pot_is_what_comes_in_less_the_fee(code):
    pots = [one.pot for one in examples_of(code).values() if one.pot]
    assert pots
    for pot in pots:
        assert (pot.rake, pot.net) == (pot.gross // 10, pot.gross - pot.gross // 10)


def test_a_sum_that_is_wrong_would_be_found():
    assert worked("(34 \N{MINUS SIGN} 6) \N{MULTIPLICATION SIGN} 2 = 57") == (56, 57)
    assert worked("9 \N{MINUS SIGN} 7 + 25 = 27") == (27, 27)


def texts(groups: Any) -> list[list[str]]:
    return [[f"{card['rank']}{card['suit']}" for card in one.cards] for one in groups]


def ask(code: str, question: str, **asked: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(GAMES[code].hand_tool.answer(question, json.dumps(asked)))
    return said


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
        """G3: ten cards each, and the knocker's eleventh is put down."""
        for example in examples_of("gin").values():
            rows = [row for row in example.rows if row.groups]
            faces = [face for row in rows for cards in texts(row.groups) for face in cards]
            assert len(set(faces)) == len(faces)
            assert len(faces) == (20 if len(rows) == 2 else len(rows) and 21)

    @pytest.mark.parametrize("name", ["knock", "undercut", "gin", "oklahoma"])
    def test_the_hand_tool_counts_the_same(self, name):
        """G7 to G11, G13: deadwood, lay-offs and points, asked of the tool for disputes."""
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
        assert worked(winner.sum)[1] == said["points"] * times
        assert [row.sum for row in (you, other) if row is not winner] == [""]
        assert known(examples_of("gin")[name].pot).gross == said["points"] * times * POINT_CHIPS

    def test_the_score_sheet_has_the_bonuses_of_the_rules(self):
        """G14"""
        rules = GAMES["gin"].rules.preset("game100")
        you, other = examples_of("gin")["game"].rows
        boxes = 3 * rules.box_bonus
        assert you.sum == f"106 + {boxes} + {rules.game_bonus} = {106 + boxes + rules.game_bonus}"
        assert other.sum == f"37 + {rules.box_bonus} + 0 = {37 + rules.box_bonus}"


class TestSharedTips:
    """What tips say of cards, counted."""

    def completing(self, held: str) -> int:
        """Return how many cards make a meld of three with two of these."""
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
        assert self.completing("7H 8H 7S") == 4
        assert self.completing("7H 7S") == 2
