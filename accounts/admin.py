from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as StockUserAdmin
from django.utils.translation import gettext_lazy as _

from accounts.forms import UserAddForm
from accounts.identity_admin import IdentityCheckAdmin
from accounts.models import User

__all__ = ["IdentityCheckAdmin", "UserAdmin"]


@admin.register(User)
class UserAdmin(StockUserAdmin):  # type: ignore[type-arg] # not generic at run time
    add_form = UserAddForm
    list_display = ("player_name", "email", "is_bot", "is_staff", "is_active", "date_joined")
    list_filter = ("is_bot", "is_staff", "is_superuser", "is_active", "groups")
    search_fields = ("player_name", "email")
    ordering = ("player_name",)
    readonly_fields = ("adult_confirmed_at", "last_login", "date_joined", "is_bot")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (_("Player"), {"fields": ("player_name", "language", "adult_confirmed_at", "is_bot")}),
        (
            _("Permissions"),
            {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
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
