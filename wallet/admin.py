from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _

from wallet.cash import cash_is_on
from wallet.fee_preview import FeePreviewForm, preview
from wallet.models import Deposit, FeeSchedule, PaymentNotice
from wallet.money import Currency


@admin.register(FeeSchedule)
class FeeScheduleAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
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


class NoticeInline(admin.TabularInline):  # type: ignore[type-arg] # not generic at run time
    model = PaymentNotice
    extra = 0
    can_delete = False
    fields = readonly_fields = (
        "received_at",
        "event_id",
        "payment_id",
        "outcome",
        "amount",
        "effect",
    )

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Deposit)
class DepositAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    """To be looked at: what a deposit is comes from the provider alone."""

    list_display = ("reference", "user", "amount", "state", "provider", "started_at", "decided_at")
    list_filter = ("state", "provider")
    search_fields = ("reference", "payment_id", "user__email", "user__player_name")
    ordering = ("-started_at",)
    inlines = (NoticeInline,)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return cash_is_on() and super().has_module_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_view_permission(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
