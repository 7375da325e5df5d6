from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.administration.pages import LookOnlyAdmin
from wallet.desk.pages import InUnits, WhereCashIsOn, make_rupee_column
from wallet.desk.units import InCurrency
from wallet.models import TaxRule, YearEndTax


class TaxRuleForm(InCurrency, forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    pass


@admin.register(TaxRule)
class TaxRuleAdmin(WhereCashIsOn, InUnits):
    """Tax rules. A rule that is or was in effect cannot be changed; add a new one."""

    asks_reason = True
    form = TaxRuleForm
    amounts = ("threshold",)
    rates = ("rate_bps",)
    helps = {
        "threshold": _("In rupees. Net winnings up to this are taxed together with the next ones.")
    }
    list_display = ("valid_from", "code", "shown_rate_bps", "shown_threshold")
    fieldsets = ((None, {"fields": ("code", "rate_bps", "threshold", "valid_from")}),)
    ordering = ("-valid_from",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is None or obj.valid_from > timezone.localdate()
        return is_ahead and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is not None and obj.valid_from > timezone.localdate()
        return is_ahead and super().has_delete_permission(request, obj)


@admin.register(YearEndTax)
class YearEndTaxAdmin(WhereCashIsOn, LookOnlyAdmin):
    list_display = ("user", "year", "won", "tds", "state", "deducted_at")
    list_filter = ("year", "state")
    list_select_related = ("user",)
    search_fields = ("user__email", "user__player_name")
    ordering = ("-year", "user_id")
    won = make_rupee_column("net_winnings", _("net winnings"))
    tds = make_rupee_column("tax", _("tax"))
