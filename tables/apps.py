from pathlib import Path

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from tables.seating.receivers import connect  # noqa: PLC0415 - once the models are loaded
        from wallet.ledger.reconciliation import add_checks  # noqa: PLC0415 - once the settings are there

        connect()
        add_checks(name=self.name, path=Path(__file__).parent / "play/ledger_checks.sql")
