"""The analysis of a deal of Rummikub: missed lays and their cost (../test_analysis.py)."""

import pytest

from games.analysis.records import find_event
from games.cards import CARD_BY_TEXT
from games.rummikub.game import GAME
from games.rummikub.lab.analysis.report import ANALYSIS
from games.rummikub.lab.analysis.value import estimate_count, estimate_risk, risk_of_missing
from games.rummikub.rules.melds import DECK, count
from tests.games.records import end_deal, name_cards, write_record, write_step
from tests.games.test_analysis import RUMMIKUB, read_reasons

KEPT = (
    "You kept %s, which could be laid. If another player ends the deal first, they count %s points "
    "against you."
)
# Seven tiles that fit nowhere on these tables.
LOOSE = "2C.1 9S KS.1 JC.1 AH 2H 8C"
LONG = "AC 3C 5S 7D 9H JC KS KD"


def deal(own, other, table, *steps, has_opened=True):
    """Return a record in which seat 0 lays `table`, or seat 1 if 0 has not opened, before these steps."""
    lying = [name_cards(meld) for meld in table.split("|")]
    own, other = (f"{own} {table}", other) if has_opened else (own, f"{other} {table}")
    first = lay_by(0 if has_opened else 1, lying, name_cards(table))
    return write_record(GAME, [own, other], [first, *steps])


def lay_by(seat, melds, from_rack, *more):
    table = [{"cards": meld, "as": [card.partition(".")[0] for card in meld]} for meld in melds]
    event = {"kind": "laid", "table": table, "from_rack": from_rack, "moved": []}
    return write_step(seat, "lay", event, *more, table=table)


def draw_tile(*more):
    event = {"kind": "drawn", "count": 1, "why": "turn"}
    return {**write_step(0, "draw", event, *more), "drew": ["2S.1"]}


def last_of(record):
    return RUMMIKUB.report(record)["decisions"][-1]


# --- Losses.


def test_a_missed_win_costs_its_expected_points():
    missed = deal("8H 9H", "2C 4D 6S", "5H 6H 7H", draw_tile(end_deal(19, 0)))
    decision = last_of(missed)
    hidden = [
        card for card in DECK if card not in {CARD_BY_TEXT[c] for c in name_cards("8H 9H 5H 6H 7H")}
    ]
    won = estimate_count(3, hidden, GAME.rules.preset("points"))
    assert decision["loss"] == pytest.approx(risk_of_missing(1) * (won + 17), abs=0.01)
    assert decision["loss"] > 6
    assert read_reasons(decision) == [
        "You could have laid all your tiles and won the deal.",
        "It would lie like this: 5● 6● 7● 8● 9●.",
    ]
    options = [one["text"]["message"] % one["text"]["values"] for one in decision["options"]]
    assert options == ["Draw a tile", "Lay 8● 9●"]
    assert (decision["chosen"], decision["best"]) == (0, 1)


def test_kept_tiles_cost_more_when_the_opponent_is_near_the_end():
    losses = []
    for other in ("2C 4D", LONG):
        kept = deal(
            f"4D.1 6D {LOOSE}", other, "5S 5H 5D 5C|7D 8D 9D TD", draw_tile(end_deal(19, 0))
        )
        decision = last_of(kept)
        # The orange 5 is taken out of its group, so that 4 and 6 fit.
        assert read_reasons(decision) == [
            KEPT % ("4▲ 6▲", 10),
            "It would lie like this: 5■ 5● 5◆ · 4▲ 5▲ 6▲ 7▲ 8▲ 9▲ 10▲.",
        ]
        losses.append(decision["loss"])
    assert losses == [round(10 * estimate_risk([2]), 2), round(10 * estimate_risk([8]), 2)]
    assert losses[0] > 10 * losses[1] > 0


def test_drawing_on_with_few_tiles_is_no_mistake():
    record = deal("8H 2C.1 9S KS.1 JC.1 AH 2H", "2C 4D", "5H 6H 7H", draw_tile(end_deal(19, 0)))
    assert last_of(record)["loss"] == 0
    more = deal(f"8H {LOOSE}", "2C 4D", "5H 6H 7H", draw_tile(end_deal(19, 0)))
    assert last_of(more)["loss"] > 0


def test_a_partial_lay_is_explained_with_the_tiles_that_were_kept():
    part = lay_by(0, [name_cards("5H 6H 7H 8H")], name_cards("8H"), end_deal(19, 0))
    decision = last_of(deal(f"8H 9H {LOOSE}", "2C 4D", "5H 6H 7H", part))
    assert decision["loss"] == round(9 * estimate_risk([2]), 2)
    assert read_reasons(decision)[0] == KEPT % ("9●", 9)


def test_a_missed_initial_meld_is_explained_with_its_points():
    record = deal(
        f"TS JS QS KS 4S 4H 4D {LOOSE}",
        "2C 4D.1",
        "5H 6H 7H",
        draw_tile(end_deal(19, 0)),
        has_opened=False,
    )
    decision = last_of(record)
    assert decision["kind"] == "open"
    assert read_reasons(decision) == [
        "Your melds were worth 67 points, and 50 are enough to begin.",
        "It would lie like this: 4■ 4● 4▲ · 9■ 10■ 11■ 12■ 13■.",
    ]


def test_the_best_lay_and_a_joker_that_is_kept_are_no_mistakes():
    best = lay_by(0, [name_cards("5H 6H 7H 8H")], name_cards("8H"), end_deal(19, 0))
    assert last_of(deal("8H 2C.1 PJ", "2C 4D", "5H 6H 7H", best))["loss"] == 0


def test_a_turn_without_a_possible_lay_is_no_decision():
    record = deal("2C.1 9S", "2C 4D", "JH QH KH|5D 6D 7D", draw_tile(end_deal(19, 0)))
    assert [d["step"] for d in RUMMIKUB.report(record)["decisions"]] == [0]


def test_a_loss_never_depends_on_hidden_cards():
    verdicts = {
        str(last_of(deal("8H 9H", other, "5H 6H 7H", draw_tile(end_deal(19, 0)))))
        for other in ("2C 4D 6S", "8H.1 KD KS", "PJ AS AD")
    }
    assert len(verdicts) == 1


# --- Luck.


@pytest.mark.parametrize("number", [1, 2])
def test_the_record_is_read_as_the_deal_was(number):
    record = RUMMIKUB.record(number)
    position = ANALYSIS.begin(record).position
    for _number, _step, situation in ANALYSIS.read_situations(record):
        position = situation.position
        held = [card for rack in position.racks for card in rack]
        lying = [card for meld in position.table for card in meld.cards]
        assert sorted([*held, *lying, *situation.pool()]) == sorted(DECK)
    ended = find_event(record["steps"][-1]["events"], "deal_over")
    assert ended is not None
    # The winner's last step is not applied.
    (loser,) = (seat for seat in (0, 1) if seat not in ended["winners"])
    assert count(position.racks[loser], 30) == ended["counts"][str(loser)]


def test_more_others_are_more_risk():
    assert estimate_risk([2]) < estimate_risk([2, 2]) < estimate_risk([2, 2, 2]) < 1
    assert estimate_risk([14]) < estimate_risk([4]) < estimate_risk([2])
