from pathlib import Path

from django.apps import AppConfig
from django.utils.functional import lazy


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from accounts.notifications.site.features import FEATURES  # noqa: PLC0415 - likewise
        from games.registry import GAMES  # noqa: PLC0415 - likewise
        from tables.catalog import (  # noqa: PLC0415
            charged_formats,
            game_switch,
            names_of_tables,
            title_of_game,
        )
        from tables.seating.receivers import connect  # noqa: PLC0415 - once the models are loaded
        from wallet.fees.formats import add_charged_formats  # noqa: PLC0415
        from wallet.ledger.reconciliation import add_checks  # noqa: PLC0415 - once the settings are there
        from wallet.statement.subject_names import add_names  # noqa: PLC0415

        title = lazy(title_of_game, str)
        FEATURES.update({game_switch(code): title(code) for code in GAMES})
        connect()
        add_names("table", names_of_tables)
        add_charged_formats(charged_formats)
        add_checks(name=self.name, path=Path(__file__).parent / "play/ledger_checks.sql")
