"""`migrate` is skipped only if it has already run with exactly these files on exactly this database."""

import os
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from config.run.preparation import PACKAGES, Preparation, read_accounts, record_accounts


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for package in PACKAGES:
        (tmp_path / package / "migrations").mkdir(parents=True)
        (tmp_path / package / "models.py").write_text("AGE = 1\n")
    (tmp_path / "requirements.txt").write_text("django==5\n")
    return tmp_path


@pytest.fixture
def owner_url(transactional_db: None) -> str:
    name = connection.settings_dict["NAME"]
    return make_conninfo(os.environ["DATABASE_OWNER_URL"], dbname=str(name))


@pytest.fixture
def prepared(root: Path, owner_url: str) -> Preparation:
    found = Preparation(root, root / "note.json", owner_url)
    assert not found.is_done
    found.record_done()
    return found


def is_done_again(root: Path, owner_url: str) -> bool:
    return Preparation(root, root / "note.json", owner_url).is_done


def test_an_unchanged_checkout_is_not_migrated_again(root, owner_url, prepared):
    assert prepared.is_done
    assert read_accounts(root / "note.json") is None
    record_accounts(root / "note.json", "Meera")
    assert read_accounts(root / "note.json") == "Meera"
    assert is_done_again(root, owner_url)


def test_accounts_of_a_database_that_was_not_noted_are_not_noted_either(root):
    record_accounts(root / "note.json", "Meera")
    assert read_accounts(root / "note.json") is None


def test_a_changed_or_new_file_is_migrated(root, owner_url, prepared):
    for package in PACKAGES:
        for name in ("models.py", "migrations/0002_age.py", "migrations/age.sql"):
            (root / package / name).write_text("AGE = 2  # now\n")
            assert not is_done_again(root, owner_url), (package, name)
            Preparation(root, root / "note.json", owner_url).record_done()


def test_a_deleted_file_or_new_requirement_is_migrated(root, owner_url, prepared):
    (root / "wallet/models.py").unlink()
    assert not is_done_again(root, owner_url)
    (root / "wallet/models.py").write_text("AGE = 1\n")
    Preparation(root, root / "note.json", owner_url).record_done()
    (root / "requirements.txt").write_text("django==5.2\n")
    assert not is_done_again(root, owner_url)


def test_a_file_changed_while_migrating_is_migrated_next_time(root, owner_url):
    begun = Preparation(root, root / "note.json", owner_url)
    (root / "tables/models.py").write_text("AGE = 3  # while migrate ran\n")
    begun.record_done()
    assert not is_done_again(root, owner_url)


def test_a_restored_database_is_migrated(root, owner_url, prepared):
    """The restored database's last migration is not the recorded one."""
    with psycopg.connect(owner_url) as owner:
        [last] = owner.execute(
            "DELETE FROM django_migrations WHERE id ="
            " (SELECT max(id) FROM django_migrations) RETURNING app, name, applied"
        )
        owner.commit()
        try:
            assert not is_done_again(root, owner_url)
        finally:
            owner.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, %s)", last
            )


def test_another_database_is_migrated(root, owner_url, prepared):
    """The server's database `postgres` has no migrations at all."""
    empty = make_conninfo(owner_url, dbname="postgres")
    assert not is_done_again(root, empty)
    Preparation(root, root / "note.json", empty).record_done()
    assert not is_done_again(root, owner_url)


def test_an_unreadable_note_is_ignored(root, owner_url, prepared):
    for text in ("", "{", "[]", "{}", '{"state": 1}', "null"):
        (root / "note.json").write_text(text)
        assert not is_done_again(root, owner_url), text


def test_an_unreachable_server_is_left_to_migrate(root, prepared):
    assert not is_done_again(root, "postgresql://nobody@127.0.0.1:1/none")
