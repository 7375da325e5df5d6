#!/usr/bin/env python
"""Django's command line for OpenRummy."""

import os
import sys

# Commands that change the schema, which only the owner of the database may do.
OWNERS_COMMANDS = {"makemigrations", "migrate"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
    if OWNERS_COMMANDS.intersection(sys.argv[1:2]):
        os.environ.setdefault("DATABASE_AS_OWNER", "1")
    # A single command needs one connection, no pool.
    elif sys.argv[1:2] != ["clock"]:
        os.environ.setdefault("DATABASE_POOL", "0")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - after the settings

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
