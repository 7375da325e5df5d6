"""A player's page in the administration.

Accounts is the lowest app, so other apps register their panels, columns, filters and tools here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final
from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin import AdminSite
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.desk.figures import Figure
from accounts.identity.services import get_latest_identity_check, identity_is_asked_for
from accounts.models import IdentityCheck, PastSession, User
from accounts.sessions.devices import name_device
from core.administration import cells
from core.administration.lists import format_moment


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, with the address that it links to, if any."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a player's page: figures, a table, or both."""

    code: str
    title: str | Promise
    figures: Sequence[Figure] = ()
    columns: Sequence[str | Promise] = ()
    rows: Sequence[Sequence[Cell]] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A function that builds panels, and the permission that staff need to see them."""

    permission: str
    panels: Callable[[User], Sequence[Panel]]


@dataclass(frozen=True, slots=True)
class PlayerColumn:
    """A column in the list of players, computed for all players of a page at once."""

    name: str
    title: str | Promise
    permission: str
    values: Callable[[Sequence[int]], Mapping[int, cells.Cell]]
    # How the page shows a value; the list's file has the value itself.
    show: Callable[[Any], str] = str
    # The unit of an amount in the file's heading.
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A page of the administration about one player. `page` is its URL name."""

    permission: str
    title: str | Promise
    page: str


@dataclass(slots=True)
class PersonPages:
    sources: list[Source] = field(default_factory=list)
    columns: list[PlayerColumn] = field(default_factory=list)
    filters: list[tuple[str, Any]] = field(default_factory=list)
    tools: list[Tool] = field(default_factory=list)

    def panels_for(self, staff: User | AnonymousUser, player: User) -> list[Panel]:
        return [
            panel
            for source in self.sources
            if staff.has_perm(source.permission)
            for panel in source.panels(player)
        ]

    def tools_for(self, staff: User | AnonymousUser, player: User) -> list[tuple[str, str]]:
        """Return the title and address of each tool that this staff member may open for this player."""
        return [
            (str(tool.title), reverse(tool.page, args=[player.pk]))
            for tool in self.tools
            if staff.has_perm(tool.permission)
        ]

    def columns_for(self, staff: User | AnonymousUser) -> list[PlayerColumn]:
        return [column for column in self.columns if staff.has_perm(column.permission)]

    def filters_for(self, staff: User | AnonymousUser) -> list[Any]:
        return [one for permission, one in self.filters if staff.has_perm(permission)]


# Filled once, when the administration is ready.
PERSON_PAGES: Final = PersonPages()


def render_tool(
    request: HttpRequest,
    site: AdminSite,
    player: User,
    *,
    form: Form,
    context: Mapping[str, Any],
    template: str = "admin/accounts/user/tool.html",
) -> HttpResponse:
    """Render a tool's page about a player. `context` adds the title and what the tool's own template needs."""
    frame = {
        **site.each_context(request),
        "opts": User._meta,  # noqa: SLF001 - Django's name for what everybody may read
        "form": form,
        "player": player,
    }
    return render(request, template, {**frame, **context})


_SESSIONS_SHOWN: Final = 10
_ALIKE_SHOWN: Final = 10


def panels_of_account(request: HttpRequest, user: User) -> Sequence[Panel]:
    staff, sessions = request.user, _list_sessions(user)
    return [
        _build_account_panel(user, sessions),
        *([_build_identity_panel(user)] if staff.has_perm("accounts.view_identitycheck") else []),
        *(
            [_build_devices_panel(user, sessions)]
            if staff.has_perm("accounts.end_sessions")
            else []
        ),
    ]


def _build_account_panel(user: User, sessions: Sequence[UserSession | PastSession]) -> Panel:
    seen = sessions[0].last_seen_at if sessions else None
    verified = EmailAddress.objects.filter(user=user, verified=True).exists()
    factors = Authenticator.objects.filter(user=user).values_list("type", flat=True)
    figures = [
        Figure(_("State"), _describe_state(user), is_alarm=user.frozen_at is not None),
        Figure(_("E-mail address"), user.own_email or _("none")),
        Figure(_("E-mail address confirmed"), _("yes") if verified else _("no")),
        Figure(_("Second factor"), ", ".join(sorted(set(factors))) or _("no")),
        Figure(_("Joined"), format_moment(user.date_joined)),
        Figure(_("Last seen"), format_moment(seen) if seen else "-"),
        Figure(_("Language"), user.language),
    ]
    return Panel("account", _("Account"), figures)


def _describe_state(user: User) -> str:
    if user.closed_at is not None:
        return _("closed since %(time)s") % {"time": format_moment(user.closed_at)}
    if user.frozen_at is not None:
        return _("frozen since %(time)s") % {"time": format_moment(user.frozen_at)}
    if user.is_no_person:
        return _("practice bot") if user.is_bot else _("BOT account")
    return _("guest") if user.is_guest else _("open")


def _build_identity_panel(user: User) -> Panel:
    check = get_latest_identity_check(user.pk) if identity_is_asked_for() else None
    if check is None:
        return Panel("identity", _("Identity"), [Figure(_("Check"), "-")])
    figures = [
        Figure(
            _("Check"),
            check.get_state_display(),
            reverse("admin:accounts_identitycheck_change", args=[check.pk]),
            is_alarm=check.state == IdentityCheck.State.SUBMITTED,
        ),
        Figure(_("Full name"), check.full_name),
        Figure(_("Date of birth"), str(check.born_on)),
        Figure(_("Submitted"), format_moment(check.submitted_at)),
    ]
    return Panel("identity", _("Identity"), figures)


def _list_sessions(user: User) -> list[UserSession | PastSession]:
    """Return the player's last sessions, open or ended, most recent first."""
    found = (
        model.objects.filter(user=user).order_by("-last_seen_at")[:_SESSIONS_SHOWN]
        for model in (UserSession, PastSession)
    )
    by_age = sorted(chain(*found), key=lambda session: session.last_seen_at, reverse=True)
    return by_age[:_SESSIONS_SHOWN]


def _build_devices_panel(user: User, sessions: Sequence[UserSession | PastSession]) -> Panel:
    """Build the panel of the player's last sign-ins, with the other players who sign in from the same addresses."""
    addresses = {session.ip for session in sessions}
    now, before = (
        model.objects.filter(ip__in=addresses).values("user_id")
        for model in (UserSession, PastSession)
    )
    others = (
        User.objects.filter(Q(pk__in=now) | Q(pk__in=before), is_bot=False)
        .exclude(pk=user.pk)
        .order_by("pk")[:_ALIKE_SHOWN]
    )
    rows = [
        [
            Cell(name_device(session.user_agent)),
            Cell(session.ip),
            Cell(format_moment(session.last_seen_at)),
        ]
        for session in sessions
    ]
    figures = [
        Figure(
            _("Signs in from the same address"),
            other.player_name,
            reverse("admin:accounts_user_change", args=[other.pk]),
        )
        for other in others
    ]
    columns = (_("Device"), _("Address"), _("Last seen"))
    return Panel("devices", _("Devices"), figures, columns, rows)


# Links from a player's page to lists of everything else that belongs to them: title, name of the list, the
# permission it needs, and the filter that narrows it to this player. The lists belong to apps above this
# one, so they are named and not imported.
_LISTS: tuple[tuple[str | Promise, str, str, dict[str, str]], ...] = (
    (
        gettext_lazy("Sessions"),
        "usersessions_usersession",
        "accounts.end_sessions",
        {"q": "{email}"},
    ),
    (gettext_lazy("Notes"), "accounts_playernote", "accounts.view_playernote", {"q": "{email}"}),
    (
        gettext_lazy("Identity"),
        "accounts_identitycheck",
        "accounts.view_identitycheck",
        {"user__id__exact": "{pk}"},
    ),
    (
        gettext_lazy("Ledger"),
        "wallet_ledgeraccount",
        "wallet.view_ledgeraccount",
        {"kind": "players", "owner_id__exact": "{pk}"},
    ),
    (
        gettext_lazy("Deposits"),
        "wallet_deposit",
        "wallet.view_deposit",
        {"user__id__exact": "{pk}"},
    ),
    (
        gettext_lazy("Withdrawals"),
        "wallet_withdrawal",
        "wallet.view_withdrawal",
        {"user__id__exact": "{pk}"},
    ),
    (
        gettext_lazy("Deposit limits"),
        "wallet_depositlimit",
        "wallet.view_depositlimit",
        {"user__id__exact": "{pk}"},
    ),
    (
        gettext_lazy("Loss limits"),
        "wallet_losslimit",
        "wallet.view_losslimit",
        {"user__id__exact": "{pk}"},
    ),
    (
        gettext_lazy("Self-exclusions"),
        "wallet_selfexclusion",
        "wallet.view_selfexclusion",
        {"user__id__exact": "{pk}"},
    ),
    (gettext_lazy("Matches"), "tables_match", "tables.view_match", {"q": "{email}"}),
    (gettext_lazy("Requests"), "history_supportcase", "history.view_supportcase", {"q": "{email}"}),
    (
        gettext_lazy("Reports"),
        "tables_report",
        "tables.view_report",
        {"reported__id__exact": "{pk}"},
    ),
    (
        gettext_lazy("Warnings and silences"),
        "tables_sanction",
        "tables.view_sanction",
        {"user__id__exact": "{pk}"},
    ),
    (
        gettext_lazy("Audit log"),
        "core_auditentry",
        "core.view_auditentry",
        {"object_type__exact": "accounts.user", "object_id__exact": "{pk}"},
    ),
)


def list_links(request: HttpRequest, user: User) -> list[tuple[str | Promise, str]]:
    """Return the title and address of each list about this player that this staff member may open."""
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
