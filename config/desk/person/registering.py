"""The registration of the apps' parts of players' staff pages, once the administration is ready."""

from django.utils.translation import gettext_lazy as _

from accounts.desk.person_page import PERSON_PAGES, Source, Tool
from config.desk.person import money, play
from config.desk.person.chips import MAY_ADJUST_CHIPS


def register_person_pages() -> None:
    PERSON_PAGES.sources[:] = [
        Source("wallet.view_deposit", money.panels_of_money),
        Source("tables.view_match", play.panels_of_play),
        Source("tournaments.view_entrant", play.panels_of_tournaments),
        Source("tables.view_report", play.panels_of_reports),
        Source("tables.view_supportcase", play.panels_of_cases),
    ]
    PERSON_PAGES.columns[:] = [*money.COLUMNS, *play.COLUMNS]
    PERSON_PAGES.filters[:] = [
        ("wallet.view_deposit", money.DepositedFilter),
        ("tables.view_match", play.PlayedFilter),
    ]
    PERSON_PAGES.tools[:] = [Tool(MAY_ADJUST_CHIPS, _("Give or take chips"), "admin:player_chips")]
