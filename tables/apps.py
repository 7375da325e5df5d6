from pathlib import Path

from django.apps import AppConfig
from django.utils.functional import lazy


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from core.site.features import FEATURES  # noqa: PLC0415 - likewise
        from games.registry import GAMES  # noqa: PLC0415 - likewise
        from tables.catalog import (  # noqa: PLC0415
            game_switch,
            list_charged_formats,
            names_of_tables,
            title_of_game,
        )
        from tables.learning import welcome  # noqa: PLC0415 - likewise
        from tables.seating import barring, bot_accounts  # noqa: PLC0415 - once the models are loaded
        from wallet import api as wallet  # noqa: PLC0415 - once the settings are there

        title = lazy(title_of_game, str)
        FEATURES.update({game_switch(code): title(code) for code in GAMES})
        barring.connect()
        bot_accounts.connect()
        welcome.connect()
        wallet.register_app(
            name=self.name,
            formats=list_charged_formats,
            checks=Path(__file__).parent / "play/ledger_checks.sql",
            subjects={"table": names_of_tables},
        )
