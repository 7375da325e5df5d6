from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.admin import UserAdmin as StockUserAdmin
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.desk.person_page import PERSON_PAGES, PlayerColumn, list_links, panels_of_account
from accounts.models import IdentityCheck, PastSession, User
from accounts.people.bot_accounts import take_bot_mark
from accounts.people.closing import account_opened, freeze, player_renamed, unfreeze
from accounts.people.forms import UserAddForm
from accounts.sessions.ending import end_access
from accounts.sessions.services import end_sessions
from core.administration.audit import build_staff, record_act
from core.administration.cells import Cell, in_file
from core.administration.lists import DayRange
from core.administration.pages import DecidingAdmin, Decision, ReasonedActionForm, read_reason
from core.refusals import Refusal
from core.values.local_days import compute_day_start

NOTES_SHOWN = 20
FROZEN = _("%(row)s is frozen, and every session has ended.")


class KindFilter(admin.SimpleListFilter):
    """Filters players, bots, guests and staff. By default only players are listed."""

    title = _("kind")
    parameter_name = "kind"
    _KINDS = {
        "guests": Q(is_guest=True),
        "bots": Q(is_bot=True),
        "bot_accounts": Q(became_bot_at__isnull=False),
        "staff": Q(is_staff=True),
        "all": Q(),
    }
    # Filters in other addresses that already say which accounts are meant.
    _SAID_ELSEWHERE = ("is_bot__exact", "is_guest__exact", "is_staff__exact")

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("guests", _("guests")),
            ("bots", _("practice bots")),
            ("bot_accounts", _("BOT accounts")),
            ("staff", _("staff")),
            ("all", _("everybody")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        if self.value() is None and any(name in request.GET for name in self._SAID_ELSEWHERE):
            return queryset
        players = Q(is_bot=False, is_guest=False)
        return queryset.filter(self._KINDS.get(self.value() or "", players))

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        usual, *others = super().choices(changelist)
        yield {**usual, "display": _("players")}
        yield from others


class IdentityFilter(admin.SimpleListFilter):
    title = _("identity")
    parameter_name = "identity"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*IdentityCheck.State.choices, ("NONE", _("none"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        checks = IdentityCheck.objects.filter(user=OuterRef("pk")).order_by("-submitted_at", "-pk")
        if self.value() == "NONE":
            return queryset.filter(~Exists(checks))
        if self.value() in IdentityCheck.State:
            newest = Subquery(checks.values("state")[:1])
            return queryset.alias(identity=newest).filter(identity=self.value())
        return queryset


class SeenFilter(admin.SimpleListFilter):
    """Filters by the time at which a player last used a session, open or ended."""

    title = _("last seen")
    parameter_name = "seen"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("today", _("today")), ("week", _("in the last 7 days"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        ago = {"today": 0, "week": 6}.get(self.value() or "")
        if ago is None:
            return queryset
        since = compute_day_start(timezone.localdate() - timedelta(days=ago))
        now, before = (
            model.objects.filter(last_seen_at__gte=since).values("user_id")
            for model in (UserSession, PastSession)
        )
        return queryset.filter(Q(pk__in=now) | Q(pk__in=before))


class PeopleList(ChangeList):
    """The list of players. Columns of other apps are read for a whole page at once."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = self.fill(request, list(self.result_list))

    def fill(self, request: HttpRequest, people: list[User]) -> list[User]:
        """Add the values of other apps' columns to these players. Exports use it, too."""
        ids = [person.pk for person in people]
        found = {c.name: c.values(ids) for c in PERSON_PAGES.columns_for(request.user)}
        for person in people:
            vars(person)["columns"] = {
                name: values.get(person.pk) for name, values in found.items()
            }
        return people


def _make_column(column: PlayerColumn) -> Callable[[User], str]:
    def read(user: User) -> Cell:
        value: Cell = vars(user)["columns"][column.name]
        return value

    @in_file(read, unit=column.unit)
    @admin.display(description=str(column.title))
    def shown(user: User) -> str:
        value = read(user)
        return "-" if value is None else column.show(value)

    shown.__name__ = column.name
    return shown


@admin.register(User)
class UserAdmin(StockUserAdmin, DecidingAdmin):  # type: ignore[type-arg,misc] # not generic at run time
    """The administration of accounts. Accounts are closed instead of deleted. A button freezes them, with a reason."""

    asks_reason = True
    decision_permission = "accounts.view_user"
    change_form_template = "admin/accounts/user/person.html"
    add_form = UserAddForm
    list_display = ("player_name", "email", "state", "date_joined")
    list_filter = (
        KindFilter,
        SeenFilter,
        ("date_joined", DayRange),
        IdentityFilter,
        ("frozen_at", admin.EmptyFieldListFilter),
        ("closed_at", admin.EmptyFieldListFilter),
        "groups",
    )
    actions = ("freeze_them",)
    action_form = ReasonedActionForm
    search_fields = ("player_name", "email")
    ordering = ("player_name",)
    readonly_fields = (
        "adult_confirmed_at",
        "last_login",
        "date_joined",
        "is_bot",
        "became_bot_at",
        "is_active",
        "frozen_at",
        "closed_at",
    )
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (
            _("Player"),
            {
                "fields": (
                    "player_name",
                    "language",
                    "adult_confirmed_at",
                    "is_bot",
                    "became_bot_at",
                )
            },
        ),
        (_("State"), {"fields": ("is_active", "frozen_at", "closed_at")}),
        (
            _("Permissions"),
            {"fields": ("is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (
            None,
            {
                "classes": ("wide",),
                "fields": ("email", "player_name", "usable_password", "password1", "password2"),
            },
        ),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        # Django's method would add the fields of a new account after all others.
        return self.with_reason(super().get_fieldsets(request, obj), request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        # Staff remove the mark in a BOT account's name by a decision only.
        fields = super().get_readonly_fields(request, obj)
        return fields if obj is None or not obj.is_bot_account else (*fields, "player_name")

    def get_list_filter(self, request: HttpRequest) -> Any:
        return (*self.list_filter, *PERSON_PAGES.filters_for(request.user))

    def get_list_display(self, request: HttpRequest) -> Any:
        columns = (_make_column(column) for column in PERSON_PAGES.columns_for(request.user))
        *first, joined = self.list_display
        return (*first, *columns, joined)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return PeopleList

    @admin.display(description=_("state"))
    def state(self, user: User) -> Any:
        if user.closed_at is not None:
            return _("closed")
        return _("frozen") if user.frozen_at is not None else _("open")

    def has_freeze_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.freeze_user")

    @admin.action(description=_("Freeze"), permissions=["freeze"])
    def freeze_them(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Freeze several accounts. Skips, and names, users whom this staff member may not freeze."""
        reason = read_reason(request)
        staff_id = int(request.user.pk or 0)
        for user in queryset.order_by("pk") if reason else ():
            if "freeze" not in {decision.code for decision in self._open_to(request, user)}:
                messages.error(request, gettext("%(row)s cannot be frozen.") % {"row": user})
                continue
            try:
                with record_act(by=build_staff(request), obj=user, action="freeze", reason=reason):
                    freeze(user_id=user.pk, staff_id=staff_id, reason=reason)
            except Refusal as refusal:
                messages.error(request, f"{user}: {refusal}")
            else:
                self.record_history(request, user, "freeze")
                messages.success(request, str(FROZEN) % {"row": user})

    def decisions(self, obj: User) -> Sequence[Decision]:
        if obj.closed_at is not None or obj.is_bot:
            return ()
        may_freeze = "accounts.freeze_user"
        if obj.frozen_at is not None:
            done = _("%(row)s can sign in again.")
            return (Decision("unfreeze", _("Unfreeze"), done, permission=may_freeze),)
        mark = Decision(
            "take_bot_mark",
            _("Remove the BOT mark"),
            _("%(row)s is a player's account again."),
            permission=may_freeze,
        )
        return (
            *((mark,) if obj.is_bot_account else ()),
            Decision(
                "end_sessions",
                _("Sign out everywhere"),
                _("%(row)s is signed out everywhere."),
                permission="accounts.end_sessions",
            ),
            Decision(
                "freeze",
                _("Freeze"),
                FROZEN,
                is_against=True,
                permission=may_freeze,
            ),
        )

    def _open_to(self, request: HttpRequest, obj: User | None) -> list[Decision]:
        """Return the decisions open to this staff member.

        If the user is a staff member, only staff who may change accounts get any decisions.
        """
        if obj is not None and obj.is_staff and not request.user.has_perm("accounts.change_user"):
            return []
        return super()._open_to(request, obj)

    def decide(self, request: HttpRequest, obj: User, code: str, reason: str) -> None:
        if code == "freeze":
            freeze(user_id=obj.pk, staff_id=int(request.user.pk or 0), reason=reason)
        elif code == "take_bot_mark":
            take_bot_mark(user_id=obj.pk, reason=reason)
        elif code == "unfreeze":
            unfreeze(user_id=obj.pk, reason=reason)
        else:
            end_sessions(user_id=obj.pk)

    def get_extra_context(self, request: HttpRequest, obj: User) -> dict[str, Any]:
        more = {
            **super().get_extra_context(request, obj),
            "links": list_links(request, obj),
            "tools": (
                []
                if obj.is_bot or obj.is_guest or obj.closed_at
                else PERSON_PAGES.tools_for(request.user, obj)
            ),
            "panels": [
                *panels_of_account(request, obj),
                *PERSON_PAGES.panels_for(request.user, obj),
            ],
        }
        if request.user.has_perm("accounts.view_playernote"):
            more["notes"] = obj.notes.select_related("staff").order_by("-pk")[:NOTES_SHOWN]
        return more

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        super().save_model(request, obj, form, change)
        if not change:
            account_opened.send(sender=None, user_id=obj.pk, request=None)
        elif "player_name" in form.changed_data:
            old = form.initial["player_name"]
            player_renamed.send(None, user_id=obj.pk, old_name=old, name=obj.player_name)

    def response_post_save_change(self, request: HttpRequest, obj: User) -> HttpResponseRedirect:
        """Redirect to a list that contains the saved user. The default list leaves out staff."""
        answer = super().response_post_save_change(request, obj)
        has_kind = "kind" in request.GET.get("_changelist_filters", "")
        return answer if has_kind or not obj.is_staff else redirect(f"{answer.url}?kind=staff")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @transaction.atomic
    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002 - Django's signature
        form_url: str = "",
    ) -> HttpResponse:
        """Change a password. Marks the request, so that the audit entry only says that the password was changed."""
        vars(request)["audited_action"] = "password"
        return super().user_change_password(request, id, form_url)

    def log_change(self, request: HttpRequest, obj: User, message: Any) -> Any:
        if vars(request).get("audited_action") == "password":
            end_access(user_id=obj.pk, keep_key=_find_session_to_keep(request, obj))
        return super().log_change(request, obj, message)


def _find_session_to_keep(request: HttpRequest, user: User) -> str | None:
    """Return the key of the request's session if the staff member changes their own password, else None.

    A new password ends all sessions of the account, but this one is kept.
    """
    return request.session.session_key if request.user.pk == user.pk else None
