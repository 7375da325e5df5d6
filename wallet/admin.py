from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.audited_admin import AuditedAdmin
from wallet.bonus_admin import BonusAdmin
from wallet.cash_admin import (
    DepositAdmin,
    TaxRuleAdmin,
    WithdrawalAdmin,
    WithdrawalPolicyAdmin,
    YearEndTaxAdmin,
)
from wallet.fee_preview import FeePreviewForm, preview
from wallet.ledger_admin import (
    JournalAdmin,
    LedgerAccountAdmin,
    LedgerCheckAdmin,
    LedgerSealAdmin,
    TransferAdmin,
)
from wallet.limit_admin import DepositLimitAdmin, LossLimitAdmin, SelfExclusionAdmin
from wallet.models import FeeSchedule
from wallet.money import Currency

__all__ = [
    "BonusAdmin",
    "DepositAdmin",
    "DepositLimitAdmin",
    "FeeScheduleAdmin",
    "JournalAdmin",
    "LedgerAccountAdmin",
    "LedgerCheckAdmin",
    "LedgerSealAdmin",
    "LossLimitAdmin",
    "SelfExclusionAdmin",
    "TaxRuleAdmin",
    "TransferAdmin",
    "WithdrawalAdmin",
    "WithdrawalPolicyAdmin",
    "YearEndTaxAdmin",
]


@admin.register(FeeSchedule)
class FeeScheduleAdmin(AuditedAdmin):
    asks_reason = True
    list_display = (
        "variant",
        "currency",
        "stake_from",
        "stake_to",
        "rake_bps",
        "rake_cap",
        "valid_from",
        "valid_until",
    )
    list_filter = ("variant", "currency")
    ordering = ("variant", "currency", "stake_from", "valid_from")

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.preview)
        return [path("preview/", page, name="wallet_feeschedule_preview"), *super().get_urls()]

    def preview(self, request: HttpRequest) -> HttpResponse:
        """What a table of a variant, stake and size would pay from now on."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = FeePreviewForm(request.GET or None)
        asked = form.cleaned_data if form.is_valid() else None
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("What would a table pay?"),
            "form": form,
            "asked": asked,
            "found": preview(asked, at=timezone.now()) if asked else None,
            "currency": Currency(asked["currency"]) if asked else None,
        }
        return render(request, "admin/wallet/feeschedule/preview.html", context)
