"""The audit log, notes about players, roles, and what staff may do about somebody's sign-in."""

import json
from typing import Any

from allauth.account.admin import EmailAddressAdmin as StockEmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model, QuerySet, prefetch_related_objects
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.audit.audited_admin import REASON, AuditedAdmin, ReasonedActionForm
from accounts.audit.decisions import LookOnlyAdmin
from accounts.audit.log import acting, staff_of
from accounts.audit.range_filters import DayRange
from accounts.audit.uncounted_paginator import PagesWithoutCount
from accounts.desk.moments import moment_of_text
from accounts.desk.staff_roles import Role
from accounts.models.alerts import Alert
from accounts.models.audit import AuditEntry, PlayerNote
from accounts.models.site_notices import SiteNotice
from accounts.notifications.site_notices import forget_notices
from accounts.sessions.devices import device_of
from accounts.sessions.services import end_sessions

_FIELDS_SHOWN = 5
# Sign-in with other sites is set up by settings, and their keys are nobody's to look at.
for model in (
    SocialAccount,
    SocialApp,
    SocialToken,
    EmailAddress,
    Authenticator,
    Group,
    UserSession,
):
    admin.site.unregister(model)


@admin.register(AuditEntry)
class AuditEntryAdmin(LookOnlyAdmin):
    list_display = ("at", "staff_name", "action", "what", "reason", "changes", "address")
    list_filter = ("action", "object_type", ("staff", admin.RelatedOnlyFieldListFilter))
    search_fields = ("=object_id", "object_name", "staff_name", "reason")
    search_help_text = _("Number or name of the object, name of the staff, or words of the reason")
    date_hierarchy = "at"
    ordering = ("-pk",)
    paginator = PagesWithoutCount
    show_full_result_count = False
    fields = (
        "at",
        "staff_name",
        "address",
        "action",
        "object_type",
        "object_id",
        "object_name",
        "changes",
        "reason",
    )
    readonly_fields = ("changes",)

    @admin.display(description=_("object"))
    def what(self, entry: AuditEntry) -> str:
        model = _model_of(entry)
        kind = entry.object_type if model is None else model._meta.verbose_name  # noqa: SLF001 - Django's name for what everybody may read
        return f"{kind} {entry.object_id}: {entry.object_name}"

    @admin.display(description=_("before and after"))
    def changes(self, entry: AuditEntry) -> SafeString:
        """A row that was added or deleted has many fields, which are folded."""
        names = [*entry.before, *(name for name in entry.after if name not in entry.before)]
        rows = (
            (_label(entry, name), _shown(entry.before, name), _shown(entry.after, name))
            for name in names
        )
        told = format_html_join("", "<div>{}: {} → {}</div>", rows)
        if len(names) <= _FIELDS_SHOWN:
            return told
        number = ngettext("%(number)s field", "%(number)s fields", len(names))
        summary = number % {"number": len(names)}
        return format_html("<details><summary>{}</summary>{}</details>", summary, told)


def _model_of(entry: AuditEntry) -> type[Model] | None:
    try:
        return apps.get_model(entry.object_type)
    except (LookupError, ValueError):  # a model of an earlier version
        return None


def _label(entry: AuditEntry, name: str) -> str:
    """Return a column in words; what is no column, such as a balance, is called as it was written."""
    model = _model_of(entry)
    try:
        field = None if model is None else model._meta.get_field(name)  # noqa: SLF001 - likewise
    except FieldDoesNotExist:
        field = None
    return str(getattr(field, "verbose_name", name))


def _shown(values: dict[str, Any], name: str) -> str:
    if name not in values:
        return "-"
    value = values[name]
    if value is None:
        return "-"
    if isinstance(value, str) and (moment := moment_of_text(value)) != value:
        return moment
    return json.dumps(value, ensure_ascii=False)


@admin.register(Alert)
class AlertAdmin(LookOnlyAdmin):
    """The alerts of the first page, with their times and the message to the operator."""

    list_display = ("code", "value", "began_at", "ended_at", "mailed", "posted")
    list_filter = (("ended_at", admin.EmptyFieldListFilter), ("began_at", DayRange), "code")
    ordering = ("-pk",)


@admin.register(SiteNotice)
class SiteNoticeAdmin(AuditedAdmin):
    """The announcements on every page, and maintenance, which ends with its announcement."""

    asks_reason = True
    list_display = ("text", "is_urgent", "shown_from", "shown_until", "play_stops_at")
    list_filter = (
        ("shown_from", DayRange),
        ("play_stops_at", admin.EmptyFieldListFilter),
    )
    ordering = ("-pk",)
    fieldsets = (
        (None, {"fields": ("text", "text_hi", "is_urgent")}),
        (_("Shown"), {"fields": ("shown_from", "shown_until")}),
        (_("Maintenance"), {"fields": ("play_stops_at",)}),
    )

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        return {"shown_from": timezone.now(), **super().get_changeform_initial_data(request)}

    def save_model(self, request: HttpRequest, obj: SiteNotice, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        super().save_model(request, obj, form, change)
        forget_notices()

    def delete_model(self, request: HttpRequest, obj: SiteNotice) -> None:
        super().delete_model(request, obj)
        forget_notices()


@admin.register(PlayerNote)
class PlayerNoteAdmin(AuditedAdmin):
    """Added to, never changed: a second note corrects the first."""

    list_display = ("user", "text", "staff", "written_at")
    list_select_related = ("user", "staff")
    search_fields = ("user__player_name", "user__email", "text")
    ordering = ("-pk",)
    fields = ("user", "text")
    autocomplete_fields = ("user",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: PlayerNote, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        obj.staff_id = int(request.user.pk or 0)
        super().save_model(request, obj, form, change)


@admin.register(Group)
class RoleAdmin(GroupAdmin, AuditedAdmin):
    """The four roles are as accounts/desk/staff_roles.py says, which every migration restores, so they
    are only looked at; other groups are the operator's."""

    asks_reason = True

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Group | None:
        """The page of a shipped role names all its permissions."""
        group: Group | None = super().get_object(request, object_id, from_field)
        if group is not None:
            prefetch_related_objects([group], "permissions__content_type")
        return group

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return not _is_shipped(obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return not _is_shipped(obj) and super().has_delete_permission(request, obj)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        if _is_shipped(context.get("original")):
            said = _(
                "This role comes with the software and stays as it is. Add a group of your own."
            )
            messages.info(request, said)
        return super().render_change_form(request, context, *args, **kwargs)


def _is_shipped(group: Group | None) -> bool:
    return group is not None and group.name in set(Role)


@admin.register(EmailAddress)
class EmailAddressAdmin(AuditedAdmin, StockEmailAddressAdmin):  # type: ignore[misc] # has no types
    asks_reason = True
    actions = None


@admin.register(Authenticator)
class AuthenticatorAdmin(AuditedAdmin):
    """Second factors are taken from somebody who has lost them; they are never made here."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)
    search_fields = ("user__email", "user__player_name")
    fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(UserSession)
class SessionAdmin(LookOnlyAdmin):
    """The sessions of a player. Staff end one here, or all of them on the player's page."""

    list_display = ("user", "device", "ip", "created_at", "last_seen_at")
    list_select_related = ("user",)
    search_fields = ("user__player_name", "user__email", "=ip")
    ordering = ("-last_seen_at",)
    paginator = PagesWithoutCount
    show_full_result_count = False
    fields = ("user", "device", "user_agent", "ip", "created_at", "last_seen_at")
    readonly_fields = ("device",)
    actions = ("end_them",)
    action_form = ReasonedActionForm

    @admin.display(description=_("device"))
    def device(self, session: UserSession) -> str:
        return device_of(session.user_agent)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("accounts.end_sessions")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    @admin.action(description=_("End these sessions"))
    def end_them(self, request: HttpRequest, queryset: QuerySet[UserSession]) -> None:
        reason = request.POST.get(REASON, "").strip()
        if not reason:
            messages.error(request, gettext("Write a reason beside the action."))
            return
        for session in queryset.select_related("user"):
            with acting(
                by=staff_of(request), obj=session.user, action="end_session", reason=reason
            ):
                end_sessions(user_id=session.user_id, only=[session.pk])
        messages.success(request, gettext("The sessions have ended."))
