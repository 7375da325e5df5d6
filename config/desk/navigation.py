"""The administration's navigation, grouped by the staff's tasks instead of by app."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from config.desk.setup.site import SETUP_PERMISSIONS


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page that is not a model's list. Staff need one of `permissions`; if there are none, all staff may see it."""

    code: str
    title: str | Promise
    view: str
    permissions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeskGroup:
    """A group of models, named by their labels ("core.alert"), and of other pages.

    The navigation shows `entries` in this order.
    """

    code: str
    title: str | Promise
    entries: Sequence[str | DeskPage]


GROUPS: Final = (
    DeskGroup(
        "today",
        _("Today"),
        (
            DeskPage("index", _("Overview"), "admin:index"),
            "core.alert",
            "tables.tablefault",
            "history.supportcase",
            "tables.report",
            "accounts.identitycheck",
        ),
    ),
    DeskGroup(
        "people",
        _("People"),
        (
            "accounts.user",
            "accounts.playernote",
            "accounts.residence",
            "tables.club",
            "tables.sanction",
            "tables.pairevidence",
            "wallet.depositlimit",
            "wallet.losslimit",
            "wallet.selfexclusion",
            "account.emailaddress",
            "mfa.authenticator",
            "usersessions.usersession",
            "auth.group",
        ),
    ),
    DeskGroup(
        "play",
        pgettext_lazy("work of staff", "Play"),
        (
            "tables.tabletemplate",
            "tables.houserules",
            "tables.hostbounds",
            "tables.table",
            "tables.match",
            "tables.seat",
            "history.puzzle",
        ),
    ),
    DeskGroup(
        "tournaments",
        _("Tournaments"),
        (
            "tournaments.tournament",
            "tournaments.tournamenttemplate",
            DeskPage(
                "calendar",
                _("Calendar"),
                "admin:tournaments_tournament_calendar",
                ("tournaments.view_tournament",),
            ),
            "tournaments.league",
            "tournaments.entrant",
            "tournaments.leagueplace",
            "tournaments.ticket",
        ),
    ),
    DeskGroup(
        "money",
        _("Money"),
        (
            "wallet.withdrawal",
            "wallet.deposit",
            "wallet.paymentcase",
            "history.matchcorrection",
            "wallet.feeschedule",
            "wallet.bonus",
            "wallet.campaign",
            "wallet.campaignuse",
            "wallet.withdrawalpolicy",
            "wallet.taxrule",
            "wallet.yearendtax",
            "wallet.providerchoice",
        ),
    ),
    DeskGroup(
        "site",
        _("Site"),
        (
            DeskPage("setup", _("Set up your site"), "admin:setup", SETUP_PERMISSIONS),
            "core.siteidentity",
            "core.featureswitch",
            "core.sitenumbers",
            "core.sitenotice",
            "core.pageversion",
            "core.mailtext",
            "core.region",
            "accounts.oauthclient",
            "core.webhook",
            "core.webhookdelivery",
        ),
    ),
    DeskGroup(
        "records",
        _("Records"),
        (
            DeskPage("reports", _("Reports"), "admin:reports", ("wallet.view_reportperiod",)),
            DeskPage(
                "responsible",
                _("Responsible play"),
                "admin:reports_responsible",
                ("wallet.view_reportperiod", "wallet.view_depositlimit"),
            ),
            "core.auditentry",
            "wallet.ledgercheck",
            "wallet.ledgeraccount",
            "wallet.transfer",
            "wallet.journal",
            "wallet.ledgerseal",
        ),
    ),
)


def group_by_work(apps: Sequence[Mapping[str, Any]], request: HttpRequest) -> list[dict[str, Any]]:
    """Regroup Django's list of apps and models by task, with the entries that this staff member may see.

    A model that no group names comes last, under its app.
    """
    left = {_label(app, model): model for app in apps for model in app["models"]}
    groups = [_group(group, left, request) for group in GROUPS]
    groups += [
        {**app, "models": [model for model in app["models"] if _label(app, model) in left]}
        for app in apps
    ]
    shown = [group for group in groups if group["models"]]
    current = _find_current_url(shown, request.path)
    for group in shown:
        group["models"] = [
            {**model, "is_current": bool(current) and model["admin_url"] == current}
            for model in group["models"]
        ]
        group["is_current"] = any(model["is_current"] for model in group["models"])
    return shown


def _label(app: Mapping[str, Any], model: Mapping[str, Any]) -> str:
    return f"{app['app_label']}.{model['object_name'].lower()}"


def _find_current_url(groups: Sequence[Mapping[str, Any]], path: str) -> str:
    """Return the address of the navigation entry for the current page, or an empty string if there is none.

    Of all entries whose address is a prefix of `path`, it is the one with the longest address. The overview counts only
    if `path` is its own address.
    """
    overview = reverse("admin:index")
    urls = [model["admin_url"] or "" for group in groups for model in group["models"]]
    found = [url for url in urls if url and path.startswith(url) and url != overview]
    return max(found, key=len, default=overview if path == overview else "")


def _group(group: DeskGroup, left: dict[str, Any], request: HttpRequest) -> dict[str, Any]:
    """Return a group in the form that templates/admin/app_list.html expects, and remove its models from `left`."""
    models = []
    for entry in group.entries:
        if isinstance(entry, DeskPage):
            if not entry.permissions or any(map(request.user.has_perm, entry.permissions)):
                models.append(_link(entry))
        elif entry in left:
            models.append(left.pop(entry))
    return {"name": group.title, "app_label": group.code, "models": models}


def _link(page: DeskPage) -> dict[str, Any]:
    return {
        "name": page.title,
        "object_name": page.code,
        "admin_url": reverse(page.view),
        "add_url": None,
    }
