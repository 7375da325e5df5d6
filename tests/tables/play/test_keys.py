"""Keys, references and locks of rows grouped by table (docs/adr/0018-play-keyed-by-table.md)."""

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import Model, ProtectedError

from core.database.references import check_of_references, list_unguarded_references
from history.models import MatchLink
from tables.models import ChatLine, Deal, HouseRules, Seat, Table
from tests.given import reload, require
from tests.play_tables import PARTITIONED, PLAY_TABLES, locks_several_tables
from tests.tables.driving import play_short_match
from wallet.ledger.checks import check_ledger

pytestmark = pytest.mark.django_db

NOBODY = 987_654_321


@pytest.fixture
def played(make_player, make_table):
    return play_short_match(make_table(), make_player(), make_player())


def rows(query, *values):
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return cursor.fetchall()


# Changes have partitions by day (history/days.py).
KEYS = """
SELECT relname, i.indexrelid::regclass::text, array_agg(attname::text)
FROM pg_index i JOIN pg_class c ON c.oid = coalesce(pg_partition_root(i.indrelid), i.indrelid)
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
WHERE c.relname = ANY (%s) AND i.indisunique GROUP BY relname, i.indexrelid"""
REFERENCES = """
SELECT child.relname, parent.relname, pg_get_constraintdef(f.oid)
FROM pg_constraint f
JOIN pg_class child ON child.oid = f.conrelid JOIN pg_class parent ON parent.oid = f.confrelid
WHERE f.contype = 'f' AND f.conparentid = 0
  AND (child.relname = ANY (%(play)s) OR parent.relname = ANY (%(play)s))"""


def test_every_key_of_a_play_table_has_its_table():
    found = rows(KEYS, list(PLAY_TABLES))
    assert {name for name, _key, _columns in found} == set(PLAY_TABLES)
    assert [row for row in found if PLAY_TABLES[row[0]] not in row[2]] == []


def test_play_tables_refer_only_to_rows_of_the_same_table():
    with connection.cursor() as cursor:
        cursor.execute(REFERENCES, {"play": list(PLAY_TABLES)})
        found = cursor.fetchall()
    assert {name for child, parent, _text in found for name in (child, parent)} <= set(PLAY_TABLES)
    to_match = "FOREIGN KEY (match_id, {}) REFERENCES tables_match(id, table_id)"
    to_table = "FOREIGN KEY (table_id) REFERENCES tables_table(id)"
    expected = {
        *((name, to_table) for name, key in PLAY_TABLES.items() if key == "table_id"),
        *(
            (name, to_match.format(PLAY_TABLES[name]))
            for name in PLAY_TABLES
            if name not in {"tables_match", "tables_seat", "tables_queueplace"}
        ),
    }
    assert {(child, text.partition(" DEFERRABLE")[0]) for child, _parent, text in found} == expected


# Chat lines, reports and invitations are stored with users, not with tables.
OF_PEOPLE = {"tables_chatline", "tables_report", "tables_tableinvitation"}


def test_every_model_with_a_table_is_a_play_table():
    found = {
        field.model._meta.db_table
        for app in ("tables", "history")
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.local_fields
        if field.related_model is Table
    }
    assert found == {*PLAY_TABLES, *OF_PEOPLE} - {"tables_table"}


def test_play_tables_are_partitioned_as_the_run_says():
    kinds = rows(
        "SELECT relname, relkind FROM pg_class WHERE relname = ANY (%s)", list(PLAY_TABLES)
    )
    by_table = dict.fromkeys(PLAY_TABLES, "p" if PARTITIONED else "r")
    assert dict(kinds) == by_table | {"tables_change": "p"}
    days = rows(
        "SELECT DISTINCT relkind FROM pg_class WHERE relname ~ '^tables_change_([0-9]{8}|other)$'"
    )
    assert days == [("p" if PARTITIONED else "r",)]


def test_a_match_of_another_table_is_refused(played, make_table):
    other = make_table()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError), transaction.atomic():
        Deal.objects.filter(match=played).update(table=other)
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=other.pk).update(match=played)
    assert set(Deal.objects.values_list("table", "match")) == {(played.table_id, played.pk)}
    assert reload(other).match_id is None


def test_referenced_rows_cannot_be_deleted(played, make_table):
    seat = require(Seat.objects.filter(table=played.table_id).select_related("user").first())
    rules = HouseRules.objects.create(name="Ours", game="indian", preset="points", changes={})
    ruled = make_table()
    Table.objects.filter(pk=ruled.pk).update(house_rules=rules)
    held: list[Model] = [seat.user, rules, played.table, played]
    for one in held:
        with pytest.raises(ProtectedError):
            one.delete()
        one.refresh_from_db()
    assert Seat.objects.filter(pk=seat.pk, user=seat.user_id).exists()


def test_the_ledger_check_finds_dangling_references(played):
    user = played.participants[0]
    line = ChatLine.objects.create(table_id=played.table_id, user_id=user, phrase="hello")
    link = MatchLink.objects.create(match=played, made_by_id=user, token="t")
    assert check_ledger().findings == ()
    seat = Seat.objects.filter(table=played.table_id).earliest("pk")
    for row, column in ((seat, "user"), (line, "table"), (link, "match")):
        type(row).objects.filter(pk=row.pk).update(**{column: NOBODY})
    Table.objects.filter(pk=played.table_id).update(opened_by=NOBODY)
    found = check_ledger().findings
    assert {one.subject for one in found if one.check == "reference to nothing"} == {
        f"tables_seat {seat.pk}: user_id {NOBODY}",
        f"tables_chatline {line.pk}: table_id {NOBODY}",
        f"history_matchlink {link.pk}: match_id {NOBODY}",
        f"tables_table {played.table_id}: opened_by_id {NOBODY}",
    }


def test_every_reference_without_a_foreign_key_is_checked():
    """This holds for references from play tables to others, and the other way round."""
    check = check_of_references()
    unguarded = [(one.table, one.column) for one in list_unguarded_references()]
    assert len(unguarded) > 20
    for table, column in unguarded:
        assert f"'{table} %s: {column} %s'" in check
    guarded = rows(
        "SELECT conrelid::regclass::text, attname FROM pg_constraint JOIN pg_attribute"
        " ON attrelid = conrelid AND attnum = ANY (conkey) WHERE contype = 'f'"
    )
    columns = rows(
        "SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relname = ANY (%s) AND a.attname ~ '(_id|_by_id)$' AND a.attnum > 0",
        list(PLAY_TABLES),
    )
    numbers = {  # Columns of ids that refer to no row.
        ("tables_queueplace", "hold_id"), ("tables_table", "outage_id"), ("tables_change", "move_id"),
    }  # fmt: skip
    assert set(columns) - set(guarded) - set(unguarded) == numbers


@pytest.mark.parametrize(
    ("statement", "is_refused"),
    [
        ('SELECT 1 FROM "tables_match" WHERE "tables_match"."id" IN (%s) FOR UPDATE', True),
        ('SELECT 1 FROM "tables_seat" WHERE "tables_seat"."id" = %s FOR UPDATE SKIP LOCKED', True),
        (
            'SELECT 1 FROM "tables_seat" WHERE "id" = %s AND "table_id" = %s FOR NO KEY UPDATE',
            False,
        ),
        ("SELECT t.id FROM tables_table t WHERE t.id = $1 FOR NO KEY UPDATE OF t", False),
        ("SELECT t.id FROM tables_table t WHERE t.due_at < $1 FOR NO KEY UPDATE OF t", True),
        ('SELECT 1 FROM "tables_seat" WHERE "tables_seat"."id" = %s', False),
        ('SELECT 1 FROM "accounts_user" WHERE "accounts_user"."id" = %s FOR UPDATE', False),
        (
            'SELECT 1 FROM "accounts_user" JOIN "tables_seat" ON true FOR UPDATE OF "accounts_user"',
            False,
        ),
    ],
)
def test_statements_that_lock_rows_of_several_tables_are_found(statement, is_refused):
    assert locks_several_tables(statement) is is_refused
