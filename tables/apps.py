from pathlib import Path

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from tables.play import offered  # noqa: F401, PLC0415 - registers its check
        from tables.play.titles import charged_formats, names_of_tables  # noqa: PLC0415
        from tables.seating.receivers import connect  # noqa: PLC0415 - once the models are loaded
        from wallet.fees.formats import add_charged_formats  # noqa: PLC0415
        from wallet.ledger.reconciliation import add_checks  # noqa: PLC0415 - once the settings are there
        from wallet.statement.subject_names import add_names  # noqa: PLC0415

        connect()
        add_names("table", names_of_tables)
        add_charged_formats(charged_formats)
        add_checks(name=self.name, path=Path(__file__).parent / "play/ledger_checks.sql")
