"""Players' own limits in the administration, read-only."""

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from core.administration.cells import in_file
from core.administration.lists import DayRange
from core.administration.pages import LookOnlyAdmin
from wallet.desk.pages import WhereCashIsOn, amount_cell, get_currency
from wallet.models import DepositLimit, LossLimit, SelfExclusion
from wallet.money import Currency, format_shown_amount


class LimitAdmin(WhereCashIsOn, LookOnlyAdmin):
    list_display = ("user", "period", "most", "effective_from")
    list_filter = ("period", ("effective_from", DayRange))
    list_select_related = ("user",)
    search_fields = ("user__email", "user__player_name")
    ordering = ("-pk",)
    fields = ("user", "period", "most", "effective_from")
    readonly_fields = ("most",)

    @in_file(lambda limit: amount_cell(limit, "amount"), currency=get_currency)
    @admin.display(description=_("most"), ordering="amount")
    def most(self, limit: Any) -> str:
        return "-" if limit.amount is None else format_shown_amount(limit.amount, Currency.INR)


@admin.register(DepositLimit)
class DepositLimitAdmin(LimitAdmin):
    pass


@admin.register(LossLimit)
class LossLimitAdmin(LimitAdmin):
    pass


@admin.register(SelfExclusion)
class SelfExclusionAdmin(LookOnlyAdmin):
    list_display = ("user", "began_at", "until")
    list_filter = (("began_at", DayRange),)
    list_select_related = ("user",)
    search_fields = ("user__email", "user__player_name")
    ordering = ("-pk",)
