"""Moves on rows in this process's memory, which are stored without locking first."""

from dataclasses import replace
from functools import partial
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.db.models.functions import Now

from tables.models import Change, ChangeKind, Seat, Table
from tables.play import known_tables
from tables.play.change import RowHasChanged, TableChange, save_change
from tables.play.known_tables import recall
from tables.play.move import MoveRequest, Played, play_move
from tests.given import reload, require
from tests.tables.driving import game_view, hand_of, player_at
from tests.tables.live.scene import read_record
from tests.tables.replaying import replay
from tests.together import run_at_once

pytestmark = pytest.mark.django_db(transaction=True)
DRAW = {"kind": "draw", "source": "closed"}


def draw(table: Table) -> int:
    """Draw under the lock. Return the seat, whose next move this process can store without a lock."""
    seat = int(game_view(table)["turn"])
    assert play(table, seat, DRAW).refusal is None
    return seat


def play(table: Table, seat: int, move: object, move_id: UUID | None = None) -> Played:
    return play_move(MoveRequest(table.pk, player_at(table, seat).pk, move, move_id=move_id))


def discard(table: Table, seat: int) -> dict[str, str]:
    return {"kind": "discard", "card": hand_of(table, seat)["drawn"]}


def known(table: Table, seat: int):
    return require(recall(table.pk, player_at(table, seat).pk))


def list_versions(table: Table) -> list[int | None]:
    versions = Change.objects.filter(table=table, version__isnull=False)
    return list(versions.order_by("version").values_list("version", flat=True))


def test_moves_of_known_rows_leave_the_same_record(table):
    first = reload(table).version
    for _ in range(3):
        seat = draw(table)
        assert play(table, seat, discard(table, seat)).refusal is None
        assert not known_tables._known[table.pk][0].is_locked
    assert list_versions(table)[-6:] == list(range(first + 1, first + 7))
    row = reload(table)
    assert replay(require(row.match)) == bytes(row.state)


def test_a_move_on_an_older_row_is_played_on_the_newest(table):
    """Another process has stored a newer row, and this process has received no message about it."""
    seat = draw(table)
    old = dict(known_tables._known)
    assert play(table, seat, discard(table, seat)).refusal is None
    known_tables._known.update(old)
    assert known(table, seat).version < reload(table).version
    before = read_record(table)
    assert require(play(table, seat, DRAW).refusal).code == "not_your_turn"
    assert read_record(table) == before
    known_tables._known.update(old)
    assert play(table, 1 - seat, DRAW).refusal is None
    versions = list_versions(table)
    assert versions[-2:] == [reload(table).version - 1, reload(table).version]
    assert len(set(versions)) == len(versions)
    assert replay(require(reload(table).match)) == bytes(reload(table).state)


def test_who_has_got_up_moves_no_more(table):
    seat = draw(table)
    Seat.objects.filter(table=table, number=seat).update(left_at=Now())
    before = read_record(table)
    user = Seat.objects.get(table=table, number=seat).user_id
    move = MoveRequest(table.pk, user, {"kind": "discard", "card": hand_of(table, seat)["drawn"]})
    assert require(play_move(move).refusal).code == "not_seated"
    assert read_record(table) == before


def test_a_repeated_id_is_played_once_and_answered_alike(table):
    seat = draw(table)
    move, move_id = discard(table, seat), uuid4()
    request = partial(play, table, seat, move, move_id)
    first, second = run_at_once(request, request)
    assert {first.version, second.version} == {reload(table).version}
    assert request().version == first.version
    assert Change.objects.filter(table=table, move_id=move_id).count() == 1


@pytest.mark.parametrize("by_ms", [-2_000, 1_000], ids=["late", "early"])
def test_nothing_is_stored_for_a_time_that_is_not_the_databases(table, by_ms):
    row = known(table, draw(table))
    before = read_record(table)
    row.now += by_ms
    version = row.advance_version()
    change = TableChange(table.pk, version, ChangeKind.MOVE, row.now, match_id=row.match_id)
    with pytest.raises(RowHasChanged):
        save_change(row, change)
    assert read_record(table) == before


def test_nothing_is_stored_after_the_deadline(table):
    seat = draw(table)
    Table.objects.filter(pk=table.pk).update(deadline_at=Now())
    row = known(table, seat)
    with connection.cursor() as cursor:
        cursor.execute("SELECT xmin::text FROM tables_table WHERE id = %s", [table.pk])
        [newest] = cursor.fetchone()
    before = read_record(table)
    change = TableChange(table.pk, row.advance_version(), ChangeKind.MOVE, row.now)
    with pytest.raises(RowHasChanged):
        save_change(replace(row, base=(newest, require(row.state))), change)
    assert read_record(table) == before
