from typing import Any

from django.core.management.commands import migrate
from django.db.migrations.exceptions import InconsistentMigrationHistory

from core.database.rewritten_migrations import refuse


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        except InconsistentMigrationHistory as error:
            refuse(str(error).rstrip("."))
