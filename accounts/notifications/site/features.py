"""Parts of the site that the operator switches off and on while it runs.

What has begun goes on: a switch keeps the next one from beginning. Each is looked up in what every page
reads anyway (content.py), so a switch counts at once in all processes.
"""

from typing import Any, Final

from django.db import connections
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.notifications.site.content import site

REGISTRATION: Final = "registration"
GUESTS: Final = "guests"
DEPOSITS: Final = "deposits"
CASH_PLAY: Final = "cash_play"
CHAT: Final = "chat"
PRIVATE_TABLES: Final = "private_tables"
TOURNAMENTS: Final = "tournaments"
PRIVATE_TOURNAMENTS: Final = "private_tournaments"
# By code, with what staff read; the games that are installed add themselves.
FEATURES: Final[dict[str, str | Promise]] = {
    REGISTRATION: _("New accounts"),
    GUESTS: _("First deals of guests"),
    DEPOSITS: _("New deposits of cash"),
    CASH_PLAY: _("Sitting down and entering for cash"),
    CHAT: _("Chat at tables"),
    PRIVATE_TABLES: _("Private tables of players"),
    TOURNAMENTS: _("Registration for tournaments"),
    PRIVATE_TOURNAMENTS: _("Private tournaments of players"),
}


def is_on(feature: str) -> bool:
    return feature not in site().off


def make_switches(using: str, **_signal: Any) -> None:
    """After a migration: a row for each part that has none; a part that is gone loses its row."""
    from accounts.models.switches import FeatureSwitch  # noqa: PLC0415 - once the models are loaded

    tables = connections[using].introspection.table_names()
    if FeatureSwitch._meta.db_table not in tables:  # noqa: SLF001 - Django's documented name
        return  # a migration to a time before there were any
    rows = FeatureSwitch.objects.using(using)
    rows.exclude(feature__in=FEATURES).delete()
    rows.bulk_create([FeatureSwitch(feature=code) for code in FEATURES], ignore_conflicts=True)
