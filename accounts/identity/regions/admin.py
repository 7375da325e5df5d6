from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models.statements import Residence
from core.administration.pages import AuditedAdmin
from core.models.site import Region
from core.site.content import site_has_changed


@admin.register(Region)
class RegionAdmin(AuditedAdmin):
    """With the first row players are asked where they live before they bring cash or play for it."""

    asks_reason = True
    list_display = ("code", "name", "cash_is_refused", "least_age")
    list_filter = ("cash_is_refused", "least_age")
    search_fields = ("code", "name")
    ordering = ("code",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        super().save_model(request, obj, form, change)
        site_has_changed()

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        site_has_changed()


@admin.register(Residence)
class ResidenceAdmin(AuditedAdmin):
    """Players say once where they live. Staff add a row when somebody has moved, or said what is not so;
    nothing is changed."""

    asks_reason = True
    list_display = ("user", "region", "stated_at", "by")
    list_filter = ("region",)
    list_select_related = ("user", "region", "stated_by")
    search_fields = ("user__player_name", "user__email")
    ordering = ("-pk",)
    fields = ("user", "region")
    autocomplete_fields = ("user", "region")

    @admin.display(description=_("stated by"))
    def by(self, residence: Residence) -> str:
        return str(residence.stated_by or residence.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Residence, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        obj.stated_by_id = int(request.user.pk or 0)
        super().save_model(request, obj, form, change)
