"""Records of deals, and the tool that verifies them."""

import copy
import io
import json

import pytest

from history.records import deal_record, verdict_on
from tests.games.records import verify_deal
from tests.given import require
from tests.tables.driving import (
    act,
    expire_turn,
    game_view,
    hand_of,
    play_to_the_end,
    start_match,
)
from tests.tables.records import verify

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("is_late", [False, True])
def test_a_deal_with_a_wrong_declaration_is_found_honest(players, make_table, is_late):
    """R3.4, R3.5: the finish card goes to the open pile, and the other players go on."""
    table = start_match(make_table(max_seats=3), *players[:3])
    seat = game_view(table)["turn"]
    act(table, seat, kind="draw", source="closed")
    act(table, seat, kind="finish", card=hand_of(table, seat)["drawn"])
    if is_late:
        expire_turn(table)
    else:
        act(table, seat, kind="declare", groups=[hand_of(table, seat)["hand"]])
    assert game_view(table)["players"][str(seat)]["status"] == "wrong"
    match = play_to_the_end(table)
    record = deal_record(match_id=match.pk, number=1)
    code, words = verify(record)
    assert (code, words.split(":")[0]) == (0, "honest")
    assert verdict_on(require(record)).is_honest  # what the page says


def find_first_step(record, kind):
    for step in record["steps"]:
        for event in step["events"]:
            if event["kind"] == kind:
                return step, event
    raise AssertionError(f"no {kind} in this deal")


def swap_hands(record):
    first, second = (record["hands"][str(seat)] for seat in record["order"][:2])
    first[0], second[0] = second[0], first[0]


def change_card(row, field):
    row[field] = "2C.0" if row[field] != "2C.0" else "3C.0"


def drop_draw(record):
    record["steps"].remove(find_first_step(record, "drawn")[0])


FORGERIES = {
    "hands": swap_hands,
    "no hand": lambda record: record["hands"].pop(str(record["order"][0])),
    "wild": lambda record: change_card(record, "wild"),
    "open": lambda record: change_card(record, "open"),
    "seed": lambda record: record.update(seed="00" * 32),
    "commitment": lambda record: record.update(commitment="00" * 32),
    "order": lambda record: record["order"].reverse(),
    "toss": lambda record: record["toss"].reverse(),
    "tossed": lambda record: record["tossed"].pop(),
    "no toss": lambda record: record.update(tossed=None),
    "rules": lambda record: record["rules"].update(packs=3),
    "draw": lambda record: change_card(find_first_step(record, "drawn")[0], "drew"),
    "discard": lambda record: find_first_step(record, "discarded")[1].update(card="KS.3"),
    "step": drop_draw,
    "end": lambda record: record["steps"].pop(),
}


@pytest.fixture
def run_tool(monkeypatch, capsys):
    """Return a function that runs the tool on a text in this process, and returns its exit code and output."""

    def run(text):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return verify_deal.main(["-"]), capsys.readouterr().out

    return run


def test_every_forgery_of_a_record_is_found(players, make_table, run_tool):
    table = start_match(make_table(max_seats=4), *players)
    found = deal_record(match_id=play_to_the_end(table).pk, number=1)
    record = json.loads(json.dumps(require(found)))
    code, words = verify(record)
    assert (code, words.split(":")[0]) == (0, "honest")
    assert len(record["steps"]) > 10
    for name, forge in FORGERIES.items():
        forged = copy.deepcopy(record)
        forge(forged)
        assert forged != record, name
        code, words = run_tool(json.dumps(forged))
        assert (code, words.split(":")[0]) == (1, "NOT HONEST"), (name, words)


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", '{"format": "other"}'])
def test_the_tool_rejects_other_texts_than_records(run_tool, text):
    code, words = run_tool(text)
    assert (code, words.split(":")[0]) == (2, "no record")
