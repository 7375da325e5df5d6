"""Check constraints kept by a trigger, which refuse what a CHECK would, but check only the columns written."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import CheckConstraint

from core.database.written_checks import WrittenCheck
from tables.models import Table

pytestmark = pytest.mark.django_db

SEATS = "a_table_has_two_to_eight_seats"
OVERTIME = "overtime_has_a_turn_and_an_end"


@pytest.fixture
def table(make_table):
    return make_table()


def change(table, **values):
    with transaction.atomic():
        Table.objects.filter(pk=table.pk).update(**values)


def test_a_row_of_a_table_has_no_check_that_every_move_would_read():
    checks = [one for one in Table._meta.constraints if isinstance(one, CheckConstraint)]
    assert {type(one) for one in checks} == {WrittenCheck}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint"
            " WHERE conrelid = 'tables_table'::regclass AND contype = 'c'"
        )
        kept_by_postgresql = {name for (name,) in cursor.fetchall()}
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgrelid = 'tables_table'::regclass")
        triggers = {name for (name,) in cursor.fetchall()}
    assert {one.name for one in checks} <= triggers
    # Checks of positive numbers, which Django makes itself.
    assert all(name.endswith("_check") for name in kept_by_postgresql)


def test_a_row_that_breaks_a_check_is_refused_by_its_name(table):
    with pytest.raises(IntegrityError, match=SEATS) as refused:
        change(table, max_seats=9)
    cause: Any = refused.value.__cause__
    assert cause.diag.constraint_name == SEATS
    table.refresh_from_db()
    assert table.max_seats <= 8


def test_a_new_row_is_checked(table):
    table.pk, table.max_seats = None, 1
    with pytest.raises(IntegrityError, match=SEATS), transaction.atomic():
        table.save(force_insert=True)
    assert Table.objects.count() == 1


def test_a_check_of_several_columns_is_made_when_any_of_them_is_written(table):
    for written in ({"overtime_turn_seconds": 5}, {"overtime_at": table.created_at}):
        with pytest.raises(IntegrityError, match=OVERTIME):
            change(table, **written)
    change(
        table,
        overtime_at=table.created_at,
        overtime_turn_seconds=5,
        count_at=table.created_at,
    )


def test_it_is_another_constraint_than_a_check_of_the_same_condition():
    """If the two were equal, `makemigrations` would see no difference."""
    own: Any = Table._meta.constraints[0]
    plain = CheckConstraint(condition=own.condition, name=own.name)
    assert own != plain
    assert own == own.clone()


def test_a_form_validates_it_too(table):
    table.max_seats = 9
    with pytest.raises(ValidationError):
        next(one for one in Table._meta.constraints if one.name == SEATS).validate(Table, table)


def test_a_check_is_removed_by_its_name(table):
    [check] = [one for one in Table._meta.constraints if one.name == SEATS]
    with connection.schema_editor(collect_sql=True) as editor:
        editor.remove_constraint(Table, check)
    assert editor.collected_sql == [f'DROP TRIGGER "{SEATS}" ON "tables_table";']
