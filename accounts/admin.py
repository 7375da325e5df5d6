from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as StockUserAdmin
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.audited_admin import AuditedAdmin
from accounts.forms import UserAddForm
from accounts.identity_admin import IdentityCheckAdmin
from accounts.models import User
from accounts.staff_admin import AuditEntryAdmin, PlayerNoteAdmin, RoleAdmin

__all__ = ["AuditEntryAdmin", "IdentityCheckAdmin", "PlayerNoteAdmin", "RoleAdmin", "UserAdmin"]


@admin.register(User)
class UserAdmin(StockUserAdmin, AuditedAdmin):  # type: ignore[type-arg,misc] # not generic at run time
    """Accounts are closed, not deleted; frozen by a button with a reason."""

    asks_reason = True
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
