"""Administration of notes about players, roles and sign-ins."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin as StockEmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet, prefetch_related_objects
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.desk.staff_roles import Role
from accounts.models.users import PlayerNote
from accounts.sessions.devices import name_device
from accounts.sessions.services import end_sessions
from core.administration.audit import build_staff, record_act
from core.administration.lists import PagesWithoutCount
from core.administration.pages import REASON, AuditedAdmin, LookOnlyAdmin, ReasonedActionForm
from core.values.numbers import parse_number

# Settings configure sign-in with other sites, and staff must not see the keys.
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


@admin.register(PlayerNote)
class PlayerNoteAdmin(AuditedAdmin):
    """Staff notes about players. They are append-only: a second note corrects the first."""

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
    """Shipped roles are read-only: accounts/desk/staff_roles.py defines them, and every migration restores them.
    Other groups are the operator's.
    """

    asks_reason = True
    change_form_template = "admin/auth/group/change_form.html"

    def get_extra_context(self, request: HttpRequest, obj: Group) -> dict[str, Any]:
        more = {"may_copy": self.has_add_permission(request)}
        return {**super().get_extra_context(request, obj), **more}

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Begin a copy with the permissions of the copied group."""
        copied = parse_number(request.GET.get("copy", ""))
        group = None if copied is None else Group.objects.filter(pk=copied).first()
        if group is None:
            return super().get_changeform_initial_data(request)
        name = gettext("%(role)s (copy)") % {"role": group.name}
        return {"name": name, "permissions": list(group.permissions.all())}

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Group | None:
        """Return the group, or None if it does not exist.

        Its permissions are prefetched, because the page of a shipped role lists all of them.
        """
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
            said = _("This role comes with the software and stays as it is. Change a copy of it.")
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
    """Second factors: staff remove them for people who have lost them, and cannot add any."""

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
    """A player's sessions. Staff end one here, or all of them on the player's page."""

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
        return name_device(session.user_agent)

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
            with record_act(
                by=build_staff(request), obj=session.user, action="end_session", reason=reason
            ):
                end_sessions(user_id=session.user_id, only=[session.pk])
        messages.success(request, gettext("The sessions have ended."))
