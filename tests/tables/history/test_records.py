"""The record of a deal, and the tool that anybody can check it with."""

import copy
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tables.history.records import deal_record, verdict_on
from tables.models import Match
from tests.games.records import verify as verify_here
from tests.games.records import verify_deal
from tests.given import require
from tests.tables.driving import (
    act,
    drop,
    expire_turn,
    game_view,
    hand_of,
    let_time_pass,
    play_to_the_end,
    player_at,
    seat_all,
    start_match,
)
from tests.tables.pools import FEE

pytestmark = pytest.mark.django_db
TOOL = Path(__file__).resolve().parents[3] / "tools/verify_deal.py"


def verify(record):
    """As a player would: Python without anything of ours on its path."""
    finished = subprocess.run(
        [sys.executable, "-I", "-S", str(TOOL), "-"],
        input=json.dumps(record),
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
    )
    return finished.returncode, finished.stdout.strip()


def test_every_deal_of_a_pool_match_is_found_honest(make_player, make_table):
    table = make_table(preset="pool61", entry_fee=FEE, max_seats=3)
    seat_all(table, *(make_player() for _ in range(3)), amount=FEE)
    let_time_pass(table)
    match = play_to_the_end(table)
    numbers = list(match.deals.values_list("number", flat=True))
    assert len(numbers) > 1
    for number in numbers:
        record = json.loads(json.dumps(deal_record(match_id=match.pk, number=number)))
        assert verify_here(record).startswith("honest: ")


@pytest.mark.parametrize("is_late", [False, True])
def test_a_deal_with_a_wrong_declaration_is_found_honest(make_player, make_table, is_late):
    """The finish card goes to the open pile, and the others play on (R3.4, R3.5)."""
    table = start_match(make_table(max_seats=3), *(make_player() for _ in range(3)))
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


def test_a_deal_that_is_being_played_has_no_record(client, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    match = Match.objects.get(table=table)
    assert deal_record(match_id=match.pk, number=1) is None
    assert client.get(f"/matches/{match.pk}/deals/1.json").status_code == 404
    assert client.get(f"/matches/{match.pk}/deals/2.json").status_code == 404
    assert client.get("/matches/404/deals/1.json").status_code == 404


def find_first_step(record, kind):
    for step in record["steps"]:
        for event in step["events"]:
            if event["kind"] == kind:
                return step, event
    raise AssertionError(f"no {kind} in this deal")


def swap_hands(record):
    first, second = (record["hands"][str(seat)] for seat in record["order"][:2])
    first[0], second[0] = second[0], first[0]


def drop_hand(record):
    del record["hands"][str(record["order"][0])]


def change_card(field):
    def forge(record):
        record[field] = "2C.0" if record[field] != "2C.0" else "3C.0"

    return forge


def zeros(field):
    def forge(record):
        record[field] = "00" * 32

    return forge


def reverse_field(field):
    def forge(record):
        record[field].reverse()

    return forge


def drop_toss_card(record):
    record["tossed"].pop()


def drop_toss(record):
    record["tossed"] = None


def add_pack(record):
    record["rules"]["packs"] = 3


def change_draw(record):
    step, _event = find_first_step(record, "drawn")
    step["drew"] = "2C.0" if step["drew"] != "2C.0" else "3C.0"


def foreign_discard(record):
    _step, event = find_first_step(record, "discarded")
    event["card"] = "KS.3"


def drop_step(record):
    step, _event = find_first_step(record, "drawn")
    record["steps"].remove(step)


def drop_end(record):
    record["steps"].pop()


FORGERIES = {
    "hands": swap_hands,
    "no hand": drop_hand,
    "wild": change_card("wild"),
    "open": change_card("open"),
    "seed": zeros("seed"),
    "commitment": zeros("commitment"),
    "order": reverse_field("order"),
    "toss": reverse_field("toss"),
    "tossed": drop_toss_card,
    "no toss": drop_toss,
    "rules": add_pack,
    "draw": change_draw,
    "discard": foreign_discard,
    "step": drop_step,
    "end": drop_end,
}


@pytest.fixture
def run_tool(monkeypatch, capsys):
    """Return a function that gives a text to the tool in this process: its code and its words."""

    def run(text):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return verify_deal.main(["-"]), capsys.readouterr().out

    return run


def test_an_honest_deal_is_found_honest_and_whatever_is_changed_is_found(
    make_player, make_table, run_tool
):
    table = start_match(make_table(max_seats=4), *(make_player() for _ in range(4)))
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
def test_what_is_no_record_is_said_to_be_none(run_tool, text):
    code, words = run_tool(text)
    assert (code, words.split(":")[0]) == (2, "no record")


def test_a_player_finds_his_matches_and_their_deals(client, make_player, make_table):
    table, players = make_table(), [make_player(), make_player()]
    start_match(table, *players)
    drop(table)
    match = Match.objects.get(table=table)
    client.force_login(players[0])
    page = client.get("/matches/").text
    assert f"/matches/{match.pk}/" in page
    page = client.get(f"/matches/{match.pk}/").text
    assert "Player 2" in page
    assert match.deals.get().commitment in page
    answer = client.get(f"/matches/{match.pk}/deals/1.json")
    assert verify(answer.json())[0] == 0
    client.force_login(make_player())
    assert f"/matches/{match.pk}/" not in client.get("/matches/").text


@pytest.mark.parametrize("before", ["x", "-1", "१", "9" * 40])
def test_a_senseless_page_is_not_found(client, make_player, before):
    client.force_login(make_player())
    assert client.get("/matches/", {"before": before}).status_code == 404


def test_older_matches_are_a_page_away(client, make_player, make_table, monkeypatch):
    monkeypatch.setattr("tables.history.views.MATCHES_ON_A_PAGE", 1)
    table, players = make_table(), [make_player(), make_player()]
    start_match(table, *players)
    drop(table)
    let_time_pass(table)
    drop(table)
    first, second = Match.objects.order_by("pk").values_list("pk", flat=True)
    client.force_login(player_at(table, 0))
    page = client.get("/matches/").text
    assert f"/matches/{second}/" in page
    assert f"/matches/{first}/" not in page
    page = client.get("/matches/", {"before": second}).text
    assert f"/matches/{first}/" in page
