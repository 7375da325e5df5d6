"""From a player's page in the administration to everything else of theirs."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User

# What it is called, the list, who may see it, and what narrows the list to this player; the lists
# are of the apps above this one, so they are named and not imported.
_LISTS: tuple[tuple[str | Promise, str, str, dict[str, str]], ...] = (
    (_("Sessions"), "usersessions_usersession", "accounts.end_sessions", {"q": "{email}"}),
    (_("Notes"), "accounts_playernote", "accounts.view_playernote", {"q": "{email}"}),
    (
        _("Identity"),
        "accounts_identitycheck",
        "accounts.view_identitycheck",
        {"user__id__exact": "{pk}"},
    ),
    (
        _("Ledger"),
        "wallet_ledgeraccount",
        "wallet.view_ledgeraccount",
        {"kind": "players", "owner_id__exact": "{pk}"},
    ),
    (_("Deposits"), "wallet_deposit", "wallet.view_deposit", {"user__id__exact": "{pk}"}),
    (
        _("Withdrawals"),
        "wallet_withdrawal",
        "wallet.view_withdrawal",
        {"user__id__exact": "{pk}"},
    ),
    (
        _("Deposit limits"),
        "wallet_depositlimit",
        "wallet.view_depositlimit",
        {"user__id__exact": "{pk}"},
    ),
    (_("Loss limits"), "wallet_losslimit", "wallet.view_losslimit", {"user__id__exact": "{pk}"}),
    (
        _("Self-exclusions"),
        "wallet_selfexclusion",
        "wallet.view_selfexclusion",
        {"user__id__exact": "{pk}"},
    ),
    (_("Matches"), "tables_match", "tables.view_match", {"q": "{email}"}),
    (_("Requests"), "tables_supportcase", "tables.view_supportcase", {"q": "{email}"}),
    (_("Reports"), "tables_report", "tables.view_report", {"reported__id__exact": "{pk}"}),
    (
        _("Audit log"),
        "core_auditentry",
        "core.view_auditentry",
        {"object_type__exact": "accounts.user", "object_id__exact": "{pk}"},
    ),
)


def links_of(request: HttpRequest, user: User) -> list[tuple[str | Promise, str]]:
    """Those that this member of staff may open."""
    links = []
    for label, name, permission, narrowed in _LISTS:
        if not request.user.has_perm(permission):
            continue
        address = reverse(f"admin:{name}_changelist")
        values: dict[str, Any] = {
            field: value.format(pk=user.pk, email=user.email) for field, value in narrowed.items()
        }
        links.append((label, f"{address}?{urlencode(values)}"))
    return links
