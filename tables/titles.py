"""What a table is called by what is played at it."""

from typing import Any

from django.utils.translation import gettext as _

from tables.models import Table, Variant


def title_of(table: Table) -> str:
    """ "Points", "Pool 101", "Best of 2"."""
    rules: dict[str, Any] = table.rules
    if table.variant == Variant.POOL:
        return _("Pool %(score)s") % {"score": rules["elimination_score"]}
    if table.variant == Variant.DEALS:
        return _("Best of %(deals)s") % {"deals": rules["deals"]}
    return _("Points")
