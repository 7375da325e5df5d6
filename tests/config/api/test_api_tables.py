"""The REST API for a table: its players, its waiting list, and private tables."""

import pytest

from accounts.models import Scope
from tables.models import QueuePlace, Seat, Table
from tables.seating.queue import maintain_queue
from tables.seating.sitting import leave_table, take_seat
from tests.api_program import (
    WELCOME,
    Browser,
    Program,
    chips_of,
    person,
    refusal,
)
from tests.tables.driving import make_kind, player_at, seat_all, start_match

pytestmark = pytest.mark.django_db
NO_TABLE = (404, "table_not_found")
NO_PROGRAMS = (409, "api_players_not_allowed")


@pytest.fixture
def binod():
    return person("Binod")


@pytest.fixture
def full(table, binod):
    seat_all(table, binod, person("Chand"), amount=200)
    return table


def test_a_table_is_shown_with_its_players(full, asha, binod):
    answer = Program(asha, Scope.READ).get(f"tables/{full.pk}/").json()
    assert answer == {
        "id": full.pk,
        "name": "Peepal Room",
        "game": "indian",
        "format": "POINTS",
        "title": "Points",
        "state": "starting",
        "status": "STARTING",
        "currency": "CHIPS",
        "point_value": 1,
        "entry_fee": 0,
        "min_buy_in": 80,
        "max_buy_in": full.max_buy_in,
        "rake_bps": full.rake_bps,
        "allows_api_players": True,
        "max_seats": 2,
        "seated": 2,
        "socket": f"/ws/tables/{full.pk}/",
        "private": False,
        "event": "",
        "seat": None,
        "chairs": [
            {
                "seat": seat,
                "player": user.pk,
                "name": user.player_name,
                "bot": False,
                "stack": 200,
                "state": "waiting",
                "status": "WAITING",
            }
            for seat, user in enumerate([binod, player_at(full, 1)])
        ],
        "invite": "",
        "waiting": {"length": 0, "place": None, "kept_until_ms": None},
    }
    assert Program(binod).get(f"tables/{full.pk}/").json()["seat"] == 0


def test_a_players_tables_tell_whose_turn_it_is(table, asha, binod):
    assert Program(asha, Scope.READ).get("tables/mine/").json() == {"tables": []}
    start_match(table, asha, binod)
    of_asha, of_binod = (
        Program(user, Scope.READ).get("tables/mine/").json()["tables"] for user in (asha, binod)
    )
    for [seen] in (of_asha, of_binod):
        assert (seen["id"], seen["title"]) == (table.pk, "Points")
        assert seen["socket"] == f"/ws/tables/{table.pk}/"
        assert seen["due_at_ms"] < seen["deadline_ms"]
        assert (seen["due_at"], seen["deadline"]) == (seen["due_at_ms"], seen["deadline_ms"])
        assert seen["length_ms"] == 30_000
    assert {of_asha[0]["state"], of_binod[0]["state"]} == {"own_turn", "other_turn"}
    waits = of_asha if of_asha[0]["state"] == "other_turn" else of_binod
    assert waits[0]["player"] == ("Binod" if waits is of_asha else "Asha")
    assert not {"hand", "state_of_game", "seed"} & waits[0].keys()


def test_a_table_discloses_no_card_of_the_running_deal(table, binod):
    start_match(table, binod, person("Chand"))
    answer = Program(binod).get(f"tables/{table.pk}/")
    assert (answer.json()["state"], answer.json()["status"]) == ("playing", "PLAYING")
    assert not {"hand", "hands", "open_pile", "seed", "you"} & answer.json().keys()


def test_a_missing_table_is_404(table, asha):
    program = Program(asha)
    for number in (table.pk + 1, 2**63):
        assert refusal(program.get(f"tables/{number}/")) == NO_TABLE
        assert refusal(program.get(f"tables/{number}/queue/")) == NO_TABLE


def open_private_table(host):
    kind = make_kind(name="Neem")
    return Browser(host).post(f"tables/private/{kind.pk}/", key="open-0001").json()


def test_a_private_table_is_404_without_its_code(table, asha, binod):
    kind = make_kind(name="Neem")
    host, guest = Browser(asha), Browser(binod)
    opened = host.post(f"tables/private/{kind.pk}/", key="open-0001").json()
    assert opened == host.post(f"tables/private/{kind.pk}/", key="open-0001").json()
    row = Table.objects.get(template=kind)
    assert opened == {
        "table": row.pk,
        "socket": f"/ws/tables/{row.pk}/",
        "invite": row.invite_code,
    }
    path = f"tables/{row.pk}/"
    own = host.get(path).json()
    assert (own["private"], own["invite"], own["seated"]) == (True, row.invite_code, 0)
    for wrong in ("", "wrong", "é"):
        assert refusal(guest.get(path, invite=wrong)) == NO_TABLE
        assert refusal(guest.post(f"{path}queue/", {"invite": wrong})) == NO_TABLE
        seat = {"amount": 200, "invite": wrong}
        assert refusal(guest.post(f"{path}sit/", seat, key="sit-0001")) == NO_TABLE
    assert chips_of(binod) == WELCOME
    guests_view = guest.get(path, invite=row.invite_code).json()
    assert (guests_view["id"], guests_view["invite"]) == (row.pk, "")
    assert all(listed["id"] != row.pk for listed in guest.get("lobby/").json()["tables"])
    take_seat(table_id=row.pk, user_id=binod.pk, amount=200, invite=row.invite_code)
    assert guest.get(path).json()["invite"] == row.invite_code
    assert not QueuePlace.objects.exists()


def test_waiting_for_a_private_table_needs_its_code_and_a_browser(table, asha, binod):
    opened = open_private_table(asha)
    for player in (asha, binod):
        take_seat(table_id=opened["table"], user_id=player.pk, amount=200, invite=opened["invite"])
    guest, path = Program(person("Chand")), f"tables/{opened['table']}/queue/"
    assert refusal(guest.post(path, {"invite": "wrong"})) == NO_TABLE
    assert refusal(guest.post(path, {"invite": opened["invite"]})) == NO_PROGRAMS
    assert not QueuePlace.objects.exists()


def test_an_invalid_private_table_is_refused(table, asha):
    cash = make_kind(name="Gold", currency="INR")
    program = Browser(asha)
    tables = Table.objects.count()
    answers = [
        program.post(f"tables/private/{cash.pk}/", key="open-0001"),
        program.post("tables/private/999/", key="open-0002"),
        program.post(f"tables/private/{cash.pk}/"),
        Program(asha, Scope.READ).post(f"tables/private/{cash.pk}/", key="open-0003"),
    ]
    assert [refusal(answer) for answer in answers] == [
        (409, "chips_only"),
        NO_TABLE,
        (400, "idempotency_key_missing"),
        (403, "permission_denied"),
    ]
    assert Table.objects.count() == tables


def test_a_program_changes_nothing_at_a_table_for_people(table, asha, binod):
    kind, tables = make_kind(name="Gulmohar"), Table.objects.count()
    answer = Program(asha).post(f"tables/private/{kind.pk}/", key="open-0001")
    assert refusal(answer) == NO_PROGRAMS
    assert Table.objects.count() == tables
    opened = open_private_table(asha)
    seat = {"amount": 200, "invite": opened["invite"]}
    guest, path = Program(binod), f"tables/{opened['table']}"
    assert refusal(guest.post(f"{path}/sit/", seat, key="sit-0001")) == NO_PROGRAMS
    assert not Seat.objects.exists()
    take_seat(table_id=opened["table"], user_id=binod.pk, **seat)
    more = {"amount": 100}
    assert refusal(guest.post(f"{path}/top-up/", more, key="more-0001")) == NO_PROGRAMS
    # The refused request has not used up its key.
    topped_up = Browser(binod).post(f"{path}/top-up/", more, key="more-0001").json()
    assert (topped_up["table"], topped_up["stack"]) == (opened["table"], 300)
    assert (chips_of(asha), chips_of(binod)) == (WELCOME, WELCOME - 300)


def queue(length, place, kept_until_ms=None):
    return {"length": length, "place": place, "kept_until_ms": kept_until_ms}


def test_a_player_waits_until_a_chair_is_kept(full, asha, binod):
    first, second = Program(asha), Program(person("Dev"))
    path = f"tables/{full.pk}/queue/"
    assert first.get(path).json() == queue(0, None)
    for _ in range(2):
        assert first.post(path).json() == queue(1, 1)
    assert second.post(path).json() == queue(2, 2)
    leave_table(table_id=full.pk, user_id=binod.pk)
    (kept,) = maintain_queue(full.pk)
    assert first.get(path).json() == queue(2, 1, kept.until_ms)
    assert second.get(path).json() == queue(2, 2)
    assert chips_of(asha) == WELCOME - full.min_buy_in
    for _ in range(2):
        assert first.delete(path).status_code == 204
    assert chips_of(asha) == WELCOME
    assert second.get(path).json() == queue(1, 1)
    assert second.get(f"tables/{full.pk}/").json()["waiting"]["place"] == 1


def test_an_invalid_request_to_wait_is_refused(full, asha, binod):
    path = f"tables/{full.pk}/queue/"
    reading = Program(asha, Scope.READ)
    assert reading.get(path).status_code == 200
    for answer in (reading.post(path), reading.delete(path)):
        assert refusal(answer) == (403, "permission_denied")
    assert refusal(Program(binod).post(path)) == (409, "already_seated")
    Table.objects.filter(pk=full.pk).update(allows_api_players=False)
    assert refusal(Program(asha).post(path)) == NO_PROGRAMS
    Table.objects.filter(pk=full.pk).update(allows_api_players=True)
    leave_table(table_id=full.pk, user_id=binod.pk)
    assert refusal(Program(asha).post(path)) == (409, "seat_is_free")
    assert not QueuePlace.objects.exists()
