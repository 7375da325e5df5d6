from pathlib import Path

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        # Import now that the models are loaded.
        from players.away import add_news_source  # noqa: PLC0415
        from players.clubs.leagues import register_leagues  # noqa: PLC0415
        from players.profile import add_event_source  # noqa: PLC0415
        from tables.seating.events import add_audience  # noqa: PLC0415
        from tournaments.leagues.clubs import ClubLeagues  # noqa: PLC0415
        from tournaments.leagues.reading import names_of_leagues  # noqa: PLC0415
        from tournaments.receivers import connect  # noqa: PLC0415
        from tournaments.store.fees import list_charged_formats  # noqa: PLC0415
        from tournaments.store.reading import (  # noqa: PLC0415
            list_finished_tournaments,
            list_reached_places,
            may_see_table,
            names_of_tournaments,
        )
        from wallet import api as wallet  # noqa: PLC0415

        connect()
        add_audience(may_see_table)
        add_news_source(list_finished_tournaments)
        add_event_source(list_reached_places)
        register_leagues(ClubLeagues())
        wallet.register_app(
            name=self.name,
            formats=list_charged_formats,
            checks=Path(__file__).parent / "store/ledger_checks.sql",
            subjects={"tournament": names_of_tournaments, "league": names_of_leagues},
        )
