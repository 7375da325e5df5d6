"""Checks the encoding of the database, which must be UTF-8 for names and chat in every script."""

from typing import Any, Final

from django.core.management import CommandError
from django.db import connections

_REFUSED: Final = (
    "The database {name} stores texts as {encoding}, which counts and compares letters wrongly; nothing was changed."
    " Make it again, with: createdb --template template0 --encoding UTF8 --locale C.UTF-8"
)


def refuse_other_encodings(*, using: str, **_signal: Any) -> None:
    """Raise CommandError unless the database stores UTF-8. A receiver of `pre_migrate`.

    A cluster that was created without a locale, as on a minimal machine, makes databases without an encoding.
    """
    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        [encoding] = cursor.fetchone()
    if encoding != "UTF8":
        raise CommandError(
            _REFUSED.format(name=connection.settings_dict["NAME"], encoding=encoding)
        )
