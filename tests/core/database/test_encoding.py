"""A database whose encoding cannot store every script is refused before anything is created in it."""

from typing import Any

import pytest
from django.core.management import CommandError
from django.db import connection, connections

from core.database.encoding import refuse_other_encodings

NAME = "openrummy_of_bytes"


@pytest.fixture
def of_bytes(transactional_db):
    """A connection alias for a database without an encoding, as a cluster without a locale creates it."""
    make = f"CREATE DATABASE {NAME} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'"
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        cursor.execute(make)
    usual: Any = connections["default"]
    connections["of_bytes"] = type(usual)({**usual.settings_dict, "NAME": NAME}, alias="of_bytes")
    yield "of_bytes"
    connections["of_bytes"].close()
    del connections["of_bytes"]
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
    connection.close()


# The pooler only knows the databases in its configuration.
@pytest.mark.own_session
def test_a_database_without_an_encoding_is_refused(of_bytes):
    with pytest.raises(CommandError, match=r"SQL_ASCII.*createdb .*--encoding UTF8"):
        refuse_other_encodings(using=of_bytes)


def test_a_database_of_utf8_is_taken(db):
    refuse_other_encodings(using="default")
