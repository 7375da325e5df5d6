"""Features that the operator switches on and off while the site runs.

When a feature is switched off, running matches and tournaments continue, but no new ones begin. The switches are
part of the cached site, so a change takes effect in all processes at once.
"""

from typing import Any, Final

from django.db import connections
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.site.content import site

REGISTRATION: Final = "registration"
GUESTS: Final = "guests"
DEPOSITS: Final = "deposits"
CASH_PLAY: Final = "cash_play"
CHAT: Final = "chat"
PRIVATE_TABLES: Final = "private_tables"
CLUBS: Final = "clubs"
TOURNAMENTS: Final = "tournaments"
PRIVATE_TOURNAMENTS: Final = "private_tournaments"
# The features' labels by code. Each installed game adds its own features.
FEATURES: Final[dict[str, str | Promise]] = {
    REGISTRATION: _("New accounts"),
    GUESTS: _("Guests without an account"),
    DEPOSITS: _("New cash deposits"),
    CASH_PLAY: _("Sitting down and entering for cash"),
    CHAT: _("Chat at tables"),
    PRIVATE_TABLES: _("Private tables of players"),
    CLUBS: _("Founding and joining clubs"),
    TOURNAMENTS: _("Registration for tournaments"),
    PRIVATE_TOURNAMENTS: _("Private tournaments of players"),
}


def is_on(feature: str) -> bool:
    """Return whether the operator has switched this feature on."""
    return feature not in site().off


def make_switches(using: str, **_signal: Any) -> None:
    """Create a row for each feature after a migration, and delete the rows of removed features."""
    from core.models.site import FeatureSwitch  # noqa: PLC0415 - once the models are loaded

    tables = connections[using].introspection.table_names()
    if FeatureSwitch._meta.db_table not in tables:  # noqa: SLF001 - Django's documented name
        return  # a migration to a time before there were any
    rows = FeatureSwitch.objects.using(using)
    rows.exclude(feature__in=FEATURES).delete()
    rows.bulk_create([FeatureSwitch(feature=code) for code in FEATURES], ignore_conflicts=True)
