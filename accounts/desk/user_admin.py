from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as StockUserAdmin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.audit.decisions import DecidingAdmin, Decision
from accounts.desk.figures import beginning_of
from accounts.models import User
from accounts.people.forms import UserAddForm
from accounts.people.freezing import freeze, unfreeze
from accounts.people.links import links_of
from accounts.refusals import AccountRefusal
from accounts.sessions.services import end_sessions

NOTES_SHOWN = 20


class SeenFilter(admin.SimpleListFilter):
    """By when somebody last used a session."""

    title = _("last seen")
    parameter_name = "seen"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("today", _("today")), ("week", _("in the last 7 days"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        since = beginning_of(timezone.now())
        if self.value() == "week":
            since -= timedelta(days=6)
        elif self.value() != "today":
            return queryset
        seen = UserSession.objects.filter(last_seen_at__gte=since).values("user_id")
        return queryset.filter(pk__in=seen)


@admin.register(User)
class UserAdmin(StockUserAdmin, DecidingAdmin):  # type: ignore[type-arg,misc] # not generic at run time
    """Accounts are closed, not deleted; frozen by a button with a reason."""

    asks_reason = True
    decision_permission = "accounts.view_user"
    refusals = (AccountRefusal,)
    change_form_template = "admin/accounts/user/person.html"
    add_form = UserAddForm
    list_display = (
        "player_name",
        "email",
        "is_bot",
        "is_staff",
        "is_active",
        "frozen_at",
        "date_joined",
    )
    list_filter = (
        "is_bot",
        "is_staff",
        "is_superuser",
        "is_active",
        SeenFilter,
        ("frozen_at", admin.EmptyFieldListFilter),
        "groups",
    )
    search_fields = ("player_name", "email")
    ordering = ("player_name",)
    readonly_fields = (
        "adult_confirmed_at",
        "last_login",
        "date_joined",
        "is_bot",
        "is_active",
        "frozen_at",
        "closed_at",
    )
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (_("Player"), {"fields": ("player_name", "language", "adult_confirmed_at", "is_bot")}),
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
        # Django's own adds the fields of a new account after everybody else.
        return self.with_reason(super().get_fieldsets(request, obj), request, obj)

    def decisions(self, obj: User) -> Sequence[Decision]:
        if obj.closed_at is not None or obj.is_bot:
            return ()
        may_freeze = "accounts.freeze_user"
        if obj.frozen_at is not None:
            return (Decision("unfreeze", _("Unfreeze"), permission=may_freeze),)
        end = Decision("end_sessions", _("Sign out everywhere"), permission="accounts.end_sessions")
        return (end, Decision("freeze", _("Freeze"), is_against=True, permission=may_freeze))

    def _open_to(self, request: HttpRequest, obj: User | None) -> list[Decision]:
        """Nobody freezes or signs out a member of staff who may not also appoint one."""
        if obj is not None and obj.is_staff and not request.user.has_perm("accounts.change_user"):
            return []
        return super()._open_to(request, obj)

    def decide(self, request: HttpRequest, obj: User, code: str, reason: str) -> None:
        if code == "freeze":
            freeze(user_id=obj.pk, staff_id=int(request.user.pk or 0), reason=reason)
        elif code == "unfreeze":
            unfreeze(user_id=obj.pk, reason=reason)
        else:
            end_sessions(user_id=obj.pk)

    def more_about(self, request: HttpRequest, obj: User) -> dict[str, Any]:
        more = {**super().more_about(request, obj), "links": links_of(request, obj)}
        if request.user.has_perm("accounts.view_playernote"):
            more["notes"] = obj.notes.select_related("staff").order_by("-pk")[:NOTES_SHOWN]
        return more

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @transaction.atomic
    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002 - Django's signature
        form_url: str = "",
    ) -> HttpResponse:
        """The entry of the audit log says that it was changed; the password is nobody's."""
        vars(request)["audited_action"] = "password"
        return super().user_change_password(request, id, form_url)

    def log_change(self, request: HttpRequest, obj: User, message: Any) -> Any:
        if vars(request).get("audited_action") == "password":
            end_sessions(user_id=obj.pk, keep_key=_key_of(request, obj))
        return super().log_change(request, obj, message)


def _key_of(request: HttpRequest, user: User) -> str | None:
    """Staff who set their own password here stay signed in where they are."""
    return request.session.session_key if request.user.pk == user.pk else None
