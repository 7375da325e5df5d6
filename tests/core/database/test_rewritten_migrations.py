"""A database that was made by migrations rewritten since then is refused before anything is changed."""

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

FORGET = "DELETE FROM django_migrations WHERE "
FORGET_LAST = f"{FORGET} id = (SELECT max(id) FROM django_migrations WHERE app = 'accounts')"  # noqa: S608 - fixed words


def as_owner(*statements: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        for statement in statements:
            cursor.execute(statement)
        cursor.execute(f"SET ROLE {settings.DATABASE_APP_ROLE}")


def read_history() -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY id")
        return [*cursor.fetchall()]


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        (
            [FORGET + "app IN ('history', 'players', 'tables', 'tournaments', 'wallet')"],
            r"it has the table \w+, which \w+\.0001_initial is about to make",
        ),
        (
            [
                FORGET_LAST,
                "ALTER TABLE wallet_transfer RENAME COLUMN reason TO cause",
            ],
            "its table wallet_transfer has no column reason",
        ),
        (
            [
                FORGET_LAST,
                "ALTER TABLE core_backup RENAME TO core_copy",
            ],
            "it has no table core_backup",
        ),
        (
            [FORGET + "(app, name) = ('accounts', '0001_initial')"],
            r"Migration \w+\.\w+ is applied before its dependency accounts\.0001_initial",
        ),
    ],
)
def test_a_database_of_rewritten_migrations_is_refused_in_one_sentence(db, statements, reason):
    as_owner(*statements)
    before = read_history()
    with pytest.raises(
        CommandError, match=f"were rewritten after it was made: {reason}"
    ) as refused:
        call_command("migrate", verbosity=0)
    assert "Nothing was changed." in str(refused.value)
    assert "\n" not in str(refused.value)
    assert read_history() == before


def test_an_older_version_may_migrate_a_database_that_is_ahead_of_it(db):
    """With no migration to run, nothing is compared: a later version may have dropped columns that this one knows."""
    as_owner(
        "INSERT INTO django_migrations (app, name, applied) VALUES ('tables', '0999_later', now())",
        "ALTER TABLE wallet_transfer RENAME COLUMN reason TO cause",
    )
    call_command("migrate", verbosity=0)


@pytest.mark.parametrize("what", ["TABLE odd (id int)", "SEQUENCE odd", "VIEW odd AS SELECT 1"])
def test_a_table_of_another_owner_is_refused_in_one_sentence(db, what):
    """The grants that follow a migration would fail for it, so no migration is begun."""
    as_owner(
        "CREATE ROLE stranger",
        "GRANT stranger TO CURRENT_USER WITH SET TRUE, INHERIT FALSE",
        "GRANT CREATE ON SCHEMA public TO stranger",
        "SET ROLE stranger",
        f"CREATE {what}",
        "SET ROLE NONE",
        "REVOKE stranger FROM CURRENT_USER",
    )
    before = read_history()
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
    with pytest.raises(CommandError, match='"odd", which belongs to "stranger"') as refused:
        call_command("migrate", verbosity=0)
    assert "\n" not in str(refused.value)
    assert read_history() == before


def test_what_everybody_may_read_is_no_hindrance(db):
    """Views of extensions, for example, belong to another owner and are readable by everybody."""
    as_owner(
        "CREATE ROLE stranger",
        "GRANT stranger TO CURRENT_USER WITH SET TRUE, INHERIT FALSE",
        "GRANT CREATE ON SCHEMA public TO stranger",
        "SET ROLE stranger",
        "CREATE VIEW odd AS SELECT 1",
        "GRANT SELECT ON odd TO PUBLIC",
        "SET ROLE NONE",
        "REVOKE stranger FROM CURRENT_USER",
    )
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
    call_command("migrate", verbosity=0)
