from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.administration.lists import DayRange
from core.administration.pages import DraftsAdmin, LookOnlyAdmin
from wallet.desk.cash_admin import WhereCashIsOn
from wallet.desk.units import InCurrency
from wallet.desk.units_admin import InUnits
from wallet.models import Campaign, CampaignUse

_TERMS = ("amount", "chunks", "play_multiple", "bonus_days")
_OF_FRIENDS = ("inviter_amount", "most_invited", "least_deposit")


class CampaignForm(InCurrency, forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    pass


@admin.register(Campaign)
class CampaignAdmin(WhereCashIsOn, DraftsAdmin, InUnits):
    """Drafts until they are opened. Once somebody has used one, what it gives stays as it is."""

    asks_reason = True
    form = CampaignForm
    amounts = ("amount", "inviter_amount", "least_deposit")
    helps = {
        "amount": _("In rupees."),
        "inviter_amount": _("In rupees; 0: not a campaign for friends."),
        "least_deposit": _(
            "In rupees: at least so much, and an approved identity; then who invited is paid."
        ),
    }
    list_display = (
        "code",
        "name",
        "is_open",
        "shown_amount",
        "shown_inviter_amount",
        "valid_from",
        "valid_until",
        "used",
        "most_uses",
    )
    list_filter = ("is_open", ("valid_until", DayRange))
    search_fields = ("code", "name")
    ordering = ("-pk",)
    fieldsets = (
        (None, {"fields": ("code", "name", "is_open")}),
        (_("The bonus"), {"fields": _TERMS}),
        (_("Bounds"), {"fields": ("valid_from", "valid_until", "most_uses", "new_within_days")}),
        (_("For friends"), {"fields": _OF_FRIENDS}),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(uses_count=Count("uses"))

    @admin.display(description=_("used"))
    def used(self, campaign: Any) -> int:
        return int(campaign.uses_count)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fixed = super().get_readonly_fields(request, obj)
        if obj is None or not obj.uses_count:
            # Amounts are written here, and looked at once the campaign is used.
            return [name for name in fixed if name not in _shown_amounts(self.amounts)]
        return [*fixed, "code", *_TERMS, *_OF_FRIENDS]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def _shown_amounts(names: tuple[str, ...]) -> set[str]:
    return {f"shown_{name}" for name in names}


@admin.register(CampaignUse)
class CampaignUseAdmin(WhereCashIsOn, LookOnlyAdmin):
    list_display = ("campaign", "user", "used_at", "inviter", "settled_at")
    list_filter = ("campaign", ("used_at", DayRange))
    list_select_related = ("campaign", "user", "inviter")
    search_fields = ("user__player_name", "user__email", "inviter__player_name", "inviter__email")
    ordering = ("-pk",)
    fields = ("campaign", "user", "bonus", "used_at", "inviter", "inviter_bonus", "settled_at")
