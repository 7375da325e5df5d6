"""Bonuses and campaigns in the administration."""

import uuid
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from core.administration.audit import build_staff, read_stored_values, write_entry
from core.administration.lists import DayRange
from core.administration.pages import DraftsAdmin, LookOnlyAdmin
from core.refusals import Refusal
from wallet.bonuses.services import BonusGift, grant_bonus
from wallet.cash import cash_is_on
from wallet.desk.pages import InUnits, RupeeRange, WhereCashIsOn, make_rupee_column
from wallet.desk.units import CashField, InCurrency
from wallet.models import Bonus, Campaign, CampaignUse
from wallet.rules import ReleaseTerms

_FEWEST_DAYS, _MOST_DAYS = 1, 365


class BonusForm(forms.Form):
    reference = forms.CharField(widget=forms.HiddenInput)
    email = forms.EmailField(label=gettext_lazy("Player's e-mail address"))
    amount = CashField(label=gettext_lazy("Amount in rupees"), max_length=30)
    chunks = forms.IntegerField(
        label=gettext_lazy("Chunks"),
        initial=10,
        min_value=1,
        help_text=gettext_lazy("The bonus is released in this number of equal parts."),
    )
    play_multiple = forms.IntegerField(
        label=gettext_lazy("Entry-fee multiple"),
        initial=10,
        min_value=1,
        help_text=gettext_lazy(
            "Each part of the bonus is released once the player has paid this many times "
            "its amount in entry fees."
        ),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days until it expires"),
        initial=30,
        min_value=_FEWEST_DAYS,
        max_value=_MOST_DAYS,
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        self.player = User.objects.filter(email=email, is_bot=False).first()
        if self.player is None:
            raise forms.ValidationError(_("There is no player with this e-mail address."))
        return email

    def gift(self) -> BonusGift:
        values = self.cleaned_data
        return BonusGift(
            reference=values["reference"],
            terms=ReleaseTerms(values["amount"], values["chunks"], values["play_multiple"]),
            expires_at=timezone.now() + timedelta(days=values["days"]),
            reason=values["reason"],
        )


@admin.register(Bonus)
class BonusAdmin(WhereCashIsOn, LookOnlyAdmin):
    list_display = ("user", "given", "free", "state", "granted_at", "expires_at", "granted_by")
    list_filter = ("state", ("granted_at", DayRange), ("amount", RupeeRange))
    list_select_related = ("user", "granted_by")
    search_fields = ("reference", "user__email", "user__player_name", "reason")
    ordering = ("-pk",)
    given = make_rupee_column("amount", gettext_lazy("amount"))
    free = make_rupee_column("released", gettext_lazy("released"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return cash_is_on() and request.user.has_perm("wallet.grant_bonus")

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = BonusForm(request.POST or None, initial={"reference": uuid.uuid4().hex})
        if form.is_valid() and form.player is not None:
            try:
                self._give(request, form.player, form.gift())
            except Refusal as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(request, _("The bonus has been given."))
                return redirect("admin:wallet_bonus_changelist")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Give a bonus"),
            "form": form,
        }
        return render(request, "admin/wallet/bonus/give.html", context)

    @transaction.atomic
    def _give(self, request: HttpRequest, player: User, gift: BonusGift) -> None:
        given = grant_bonus(user_id=player.pk, gift=gift, staff_id=request.user.pk)
        write_entry(
            by=build_staff(request),
            obj=given,
            action="grant",
            before={},
            after=read_stored_values(Bonus, given.pk),
            reason=gift.reason,
        )
        self.record_history(request, given, given.reason)


_TERMS = ("amount", "chunks", "play_multiple", "bonus_days")
_OF_FRIENDS = ("inviter_amount", "most_invited", "least_deposit")


class CampaignForm(InCurrency, forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    pass


@admin.register(Campaign)
class CampaignAdmin(WhereCashIsOn, DraftsAdmin, InUnits):
    """Campaigns are drafts until they are opened. Once used, their terms cannot be changed."""

    asks_reason = True
    form = CampaignForm
    amounts = ("amount", "inviter_amount", "least_deposit")
    helps = {
        "amount": gettext_lazy("In rupees."),
        "inviter_amount": gettext_lazy("In rupees. If 0, this is not a campaign for friends."),
        "least_deposit": gettext_lazy(
            "In rupees. The inviting player is paid once the friend has deposited this "
            "amount and has an approved identity."
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
        (gettext_lazy("The bonus"), {"fields": _TERMS}),
        (
            gettext_lazy("Limits of use"),
            {"fields": ("valid_from", "valid_until", "most_uses", "new_within_days")},
        ),
        (gettext_lazy("For friends"), {"fields": _OF_FRIENDS}),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(uses_count=Count("uses"))

    @admin.display(description=gettext_lazy("used"))
    def used(self, campaign: Any) -> int:
        return int(campaign.uses_count)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fixed = super().get_readonly_fields(request, obj)
        if obj is None or not obj.uses_count:
            # Until the campaign is used, amounts are editable fields, so their read-only columns are left out.
            return [name for name in fixed if name not in _name_shown_amounts(self.amounts)]
        return [*fixed, "code", *_TERMS, *_OF_FRIENDS]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def _name_shown_amounts(names: tuple[str, ...]) -> set[str]:
    return {f"shown_{name}" for name in names}


@admin.register(CampaignUse)
class CampaignUseAdmin(WhereCashIsOn, LookOnlyAdmin):
    list_display = ("campaign", "user", "used_at", "inviter", "settled_at")
    list_filter = ("campaign", ("used_at", DayRange))
    list_select_related = ("campaign", "user", "inviter")
    search_fields = ("user__player_name", "user__email", "inviter__player_name", "inviter__email")
    ordering = ("-pk",)
    fields = ("campaign", "user", "bonus", "used_at", "inviter", "inviter_bonus", "settled_at")
