"""The REST API about one table: who sits there, who waits, and tables for one's friends."""

import pytest

from accounts.models import Scope
from tables.models import QueuePlace, Seat, Table
from tables.seating.queue import tend_queue
from tables.seating.sitting import leave_table, take_seat
from tests.api_program import (
    WELCOME,
    Browser,
    Program,
    chips_of,
    person,
    refusal,
)
from tests.tables.driving import make_kind, seat_all, start_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def full(table):
    seat_all(table, person("Binod"), person("Chand"), amount=200)
    return table


def test_one_table_with_who_sits_there(full):
    asha, binod = person("Asha"), Seat.objects.get(table=full, number=0).user
    answer = Program(asha, Scope.READ).get(f"tables/{full.pk}/").json()
    assert answer == {
        "id": full.pk,
        "name": "Peepal Room",
        "game": "indian",
        "format": "POINTS",
        "variant": "POINTS",  # its old name
        "title": "Points",
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
                "status": "WAITING",
            }
            for seat, user in enumerate([binod, Seat.objects.get(table=full, number=1).user])
        ],
        "invite": "",
        "waiting": {"length": 0, "place": None, "kept_until_ms": None},
    }
    assert Program(binod).get(f"tables/{full.pk}/").json()["seat"] == 0


def test_ones_own_tables_with_whose_turn_it_is(table):
    asha, binod = person("Asha"), person("Binod")
    assert Program(asha, Scope.READ).get("tables/mine/").json() == {"tables": []}
    start_match(table, asha, binod)
    of_asha, of_binod = (
        Program(user, Scope.READ).get("tables/mine/").json()["tables"] for user in (asha, binod)
    )
    for tables in (of_asha, of_binod):
        assert [(seen["id"], seen["title"], seen["socket"]) for seen in tables] == [
            (table.pk, "Points", f"/ws/tables/{table.pk}/")
        ]
        assert tables[0]["due_at"] < tables[0]["deadline"]
        assert tables[0]["length_ms"] == 30_000
    assert {of_asha[0]["state"], of_binod[0]["state"]} == {"own_turn", "other_turn"}
    waits = of_asha if of_asha[0]["state"] == "other_turn" else of_binod
    assert waits[0]["player"] == ("Binod" if waits is of_asha else "Asha")
    assert not {"hand", "state_of_game", "seed"} & waits[0].keys()


def test_a_running_deal_tells_no_card(table):
    binod = person("Binod")
    start_match(table, binod, person("Chand"))
    answer = Program(binod).get(f"tables/{table.pk}/")
    assert answer.json()["status"] == "PLAYING"
    assert not {"hand", "state", "seed", "you"} & answer.json().keys()


def test_a_table_that_is_not_there(table):
    asha = Program(person("Asha"))
    for number in (table.pk + 1, 2**63):
        assert refusal(asha.get(f"tables/{number}/")) == (404, "table_not_found")
        assert refusal(asha.get(f"tables/{number}/queue/")) == (404, "table_not_found")


def test_a_private_table_is_there_for_who_opened_it_sits_there_or_has_its_code(table):
    kind = make_kind(name="Neem")
    asha, binod = person("Asha"), person("Binod")
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
        assert refusal(guest.get(path, invite=wrong)) == (404, "table_not_found")
        assert refusal(guest.post(f"{path}queue/", {"invite": wrong})) == (404, "table_not_found")
    guests_view = guest.get(path, invite=row.invite_code).json()
    assert (guests_view["id"], guests_view["invite"]) == (row.pk, "")
    assert all(listed["id"] != row.pk for listed in guest.get("lobby/").json()["tables"])
    take_seat(table_id=row.pk, user_id=binod.pk, amount=200, invite=row.invite_code)
    assert guest.get(path).json()["invite"] == row.invite_code
    assert not QueuePlace.objects.exists()


def test_who_waits_for_a_private_table_has_shown_its_code(table):
    kind = make_kind(name="Neem")
    asha, binod, chand = person("Asha"), person("Binod"), person("Chand")
    opened = Browser(asha).post(f"tables/private/{kind.pk}/", key="open-0001").json()
    for player in (asha, binod):
        take_seat(table_id=opened["table"], user_id=player.pk, amount=200, invite=opened["invite"])
    guest, path = Program(chand), f"tables/{opened['table']}/queue/"
    assert refusal(guest.post(path, {"invite": "wrong"})) == (404, "table_not_found")
    # A table for friends admits no programs.
    answer = guest.post(path, {"invite": opened["invite"]})
    assert refusal(answer) == (409, "api_players_not_allowed")
    assert not QueuePlace.objects.exists()


def test_the_code_of_a_private_table_may_be_any_text(table, client):
    kind = make_kind(name="Neem")
    Browser(person("Asha")).post(f"tables/private/{kind.pk}/", key="open-0001")
    row = Table.objects.get(template=kind)
    binod = person("Binod")
    client.force_login(binod, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(
        f"/api/v1/tables/{row.pk}/sit/",
        {"amount": 200, "invite": "é"},
        "application/json",
        headers={"Idempotency-Key": "sit-0001"},
    )
    assert refusal(answer) == (404, "table_not_found")
    assert chips_of(binod) == WELCOME


def test_a_private_table_is_refused_where_there_is_none(table):
    cash = make_kind(name="Gold", currency="INR")
    asha = person("Asha")
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
        (404, "table_not_found"),
        (409, "idempotency_key_missing"),
        (403, "permission_denied"),
    ]
    assert Table.objects.count() == tables


def test_a_program_changes_nothing_where_none_may_play(table):
    kind = make_kind(name="Neem")
    asha, binod = person("Asha"), person("Binod")
    program, tables = Program(asha), Table.objects.count()
    answer = program.post(f"tables/private/{kind.pk}/", key="open-0001")
    assert refusal(answer) == (409, "api_players_not_allowed")
    assert Table.objects.count() == tables
    opened = Browser(asha).post(f"tables/private/{kind.pk}/", key="open-0001").json()
    seat = {"amount": 200, "invite": opened["invite"]}
    guest, path = Program(binod), f"tables/{opened['table']}"
    assert refusal(guest.post(f"{path}/sit/", seat, key="sit-0001")) == (
        409,
        "api_players_not_allowed",
    )
    assert not Seat.objects.exists()
    take_seat(table_id=opened["table"], user_id=binod.pk, **seat)
    more = guest.post(f"{path}/top-up/", {"amount": 100}, key="more-0001")
    assert refusal(more) == (409, "api_players_not_allowed")
    # A refusal leaves the key to who may.
    assert Browser(binod).post(f"{path}/top-up/", {"amount": 100}, key="more-0001").json() == {
        "table": opened["table"],
        "socket": opened["socket"],
    }
    assert (chips_of(asha), chips_of(binod)) == (WELCOME, WELCOME - 300)


def test_waiting_for_a_chair_until_it_is_kept(full):
    asha, dev = person("Asha"), person("Dev")
    first, second = Program(asha), Program(dev)
    path = f"tables/{full.pk}/queue/"
    nobody = {"length": 0, "place": None, "kept_until_ms": None}
    assert first.get(path).json() == nobody
    for _ in range(2):
        assert first.post(path).json() == {"length": 1, "place": 1, "kept_until_ms": None}
    assert second.post(path).json() == {"length": 2, "place": 2, "kept_until_ms": None}
    leave_table(table_id=full.pk, user_id=Seat.objects.get(table=full, number=0).user_id)
    (kept,) = tend_queue(full.pk)
    assert first.get(path).json() == {"length": 2, "place": 1, "kept_until_ms": kept.until_ms}
    assert second.get(path).json() == {"length": 2, "place": 2, "kept_until_ms": None}
    assert chips_of(asha) == WELCOME - full.min_buy_in
    for _ in range(2):
        assert first.delete(path).status_code == 204
    assert chips_of(asha) == WELCOME
    assert second.get(path).json() == {"length": 1, "place": 1, "kept_until_ms": None}
    assert second.get(f"tables/{full.pk}/").json()["waiting"]["place"] == 1


def test_nobody_waits_without_the_right_where_a_chair_is_free_or_no_program_may_sit(full):
    asha = person("Asha")
    path = f"tables/{full.pk}/queue/"
    reading = Program(asha, Scope.READ)
    assert reading.get(path).status_code == 200
    for answer in (reading.post(path), reading.delete(path)):
        assert refusal(answer) == (403, "permission_denied")
    seated = Program(Seat.objects.get(table=full, number=0).user)
    assert refusal(seated.post(path)) == (409, "already_seated")
    Table.objects.filter(pk=full.pk).update(allows_api_players=False)
    assert refusal(Program(asha).post(path)) == (409, "api_players_not_allowed")
    Table.objects.filter(pk=full.pk).update(allows_api_players=True)
    leave_table(table_id=full.pk, user_id=Seat.objects.get(table=full, number=1).user_id)
    assert refusal(Program(asha).post(path)) == (409, "seat_is_free")
    assert not QueuePlace.objects.exists()
