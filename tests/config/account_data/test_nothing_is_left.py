"""After an account is closed, its name is gone from the database, the archives, the caches and all pages."""

import zlib
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone
from psycopg import sql

from accounts.api_tokens.services import make_token
from accounts.models import Scope
from config.account_data.closing import close_account
from core.models import Webhook, WebhookEvent
from core.models.audit import AuditEntry
from history.archiving import archive_matches
from history.models import CaseTopic, MatchArchive
from history.replay import share_match
from history.support.services import dispute_deal, open_case
from players.services import block, follow
from tables.chat.services import ignore
from tables.models import Match, PairEvidence, ReportReason
from tables.seating.sitting import leave_table
from tests.accounts.staff import decide, office
from tests.given import reload, require
from tests.players.clubs import clubbing
from tests.tables.chat.talking import file_report, say_as
from tests.tables.conftest import fees, make_player, make_table
from tests.tables.driving import (
    drop,
    get_match,
    play_a_turn,
    seat_all,
    start_match,
)
from tests.tournaments.driving import play_to_the_end
from tests.tournaments.friends import open_cup, start_cup
from tests.wallet.cash_players import make_staff

pytestmark = pytest.mark.django_db
__all__ = ["fees", "make_player", "make_table"]
NAME, OLD_NAME = "Zephyrina", "Quixotina"


def find_in_database(text):
    """Return (table, column, value) wherever the text occurs, including compressed archives."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns JOIN "
            "information_schema.tables USING (table_schema, table_name) WHERE table_schema = 'public'"
            " AND table_type = 'BASE TABLE' AND data_type NOT IN ('bytea', 'boolean', 'bigint')"
        )
        for table, column in cursor.fetchall():
            cursor.execute(
                sql.SQL("SELECT {0}::text FROM {1} WHERE {0}::text ILIKE %s LIMIT 3").format(
                    sql.Identifier(column), sql.Identifier(table)
                ),
                [f"%{text}%"],
            )
            found += [(table, column, value) for (value,) in cursor.fetchall()]
    for match_id, packed in MatchArchive.objects.values_list("match", "changes"):
        if text in zlib.decompress(bytes(packed)).decode():
            found.append(("history_matcharchive", "changes", str(match_id)))
    return found


def meet_at_a_table(zoe, friend, third, make_table):
    """Leave traces of `zoe` in and around a match. Return the pages that show them."""
    for event in WebhookEvent:
        Webhook.objects.create(name=event, url="https://board.example/", events=[event])
    # A match with chat, a report by each player and a dispute.
    table = start_match(make_table(max_seats=3, is_rated=True), zoe, friend)
    say_as(zoe, table, "Good evening")
    say_as(friend, table, "To you, too")
    seat_all(table, third)
    play_a_turn(table)
    drop(table)
    match = get_match(table)
    file_report(table, friend, zoe, reason=ReportReason.ABUSE)
    file_report(table, zoe, friend, reason=ReportReason.ABUSE)
    for person in (zoe, friend):
        dispute_deal(user_id=person.pk, match_id=match.pk, number=1, text="Was that right?")
    for person in (zoe, friend, third):
        leave_table(table_id=table.pk, user_id=person.pk)
    link = require(share_match(match_id=match.pk, user_id=friend.pk))
    follow(user_id=friend.pk, other_id=zoe.pk)
    block(user_id=third.pk, other_id=zoe.pk)
    ignore(user_id=friend.pk, ignored_id=zoe.pk, table_id=table.pk)
    open_case(user_id=zoe.pk, topic=CaseTopic.OTHER, text="Where is my bonus?")
    make_token(user_id=zoe.pk, name="Bot", scopes=[Scope.READ])
    return [
        f"/matches/{match.pk}/",
        f"/matches/{match.pk}/deals/1/",
        f"/matches/{match.pk}/deals/1.json",
        f"/shared/{link.token}/",
    ]


def meet_in_a_cup_and_a_club(zoe, friend, third):
    cup = open_cup(zoe, friend, third)
    play_to_the_end(start_cup(cup))
    club = clubbing.found(zoe)
    clubbing.enter(club, friend)
    page = cup.get_absolute_url()
    return [page, f"{page}?invite={cup.invite_code}", f"/clubs/{club.pk}/"]


def rename_by_staff(desk, zoe, name=NAME):
    page = f"/admin/accounts/user/{zoe.pk}/"
    form = {"email": zoe.email, "player_name": name, "language": "en"}
    renamed = desk.post(f"{page}change/", {**form, "reason_for_audit": "She asked for it."})
    assert (renamed.status_code, reload(zoe).player_name) == (302, name)
    logged = AuditEntry.objects.filter(object_type="accounts.user", object_id=str(zoe.pk))
    assert logged.get().before["player_name"] == "…"


def keep_apart_by_staff(desk, one, other):
    low, high = sorted((one, other), key=lambda user: user.pk)
    pair = PairEvidence.objects.create(
        low=low, high=high, matches=9, q=0.1, kinds={}, money={}, computed_at=timezone.now()
    )
    decide(desk, pair, "keep_apart", "Ten discards in a row.")
    assert AuditEntry.objects.filter(object_type="tables.pairevidence").exists()


def pack_as_before():
    """Return archives in the old form, which included names."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT match_id, json_agg(json_build_array(id, version, kind, seat, move, move_id, at_ms,"
            " events, patch, private) ORDER BY id)::text FROM tables_change"
            " WHERE match_id IS NOT NULL GROUP BY match_id"
        )
        return [(match_id, zlib.compress(rows.encode())) for match_id, rows in cursor.fetchall()]


@pytest.mark.usefixtures("fees", "private")
@pytest.mark.parametrize("is_packed", [False, True], ids=["rows", "archive"])
def test_a_closed_name_is_nowhere(make_player, make_table, is_packed):
    zoe, friend, third = make_player(), make_player(), make_player()
    zoe.player_name = OLD_NAME
    zoe.save()
    pages = [
        *meet_at_a_table(zoe, friend, third, make_table),
        *meet_in_a_cup_and_a_club(zoe, friend, third),
        *("/leaderboards/", "/players/", "/matches/", "/tournaments/", "/"),
    ]
    desk = office(make_staff("Boss"))
    rename_by_staff(desk, zoe)
    keep_apart_by_staff(desk, zoe, friend)
    if is_packed:
        Match.objects.update(
            started_at=Now() - timedelta(days=90), ended_at=Now() - timedelta(days=89)
        )
        unstripped = pack_as_before()
        archive_matches()
        for match_id, changes in unstripped:
            MatchArchive.objects.filter(match=match_id).update(changes=changes)
    client, own = office(friend), f"/players/{zoe.pk}/"
    for page in pages:  # fill the caches
        client.get(page, follow=True)
    assert find_in_database(OLD_NAME)
    assert find_in_database(NAME)
    close_account(user_id=zoe.pk)
    left = find_in_database(OLD_NAME) + find_in_database(NAME)
    assert left == []
    for page in [*pages, own]:
        answer = client.get(page, follow=True)
        assert answer.status_code == (404 if page == own else 200), page
        assert OLD_NAME not in answer.text, page
        assert NAME not in answer.text, page
