"""Bonuses in the administration: looked at, and given by a form with a reason."""

import uuid
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from core.administration.audit import staff_of, stored_values, write_entry
from core.administration.lists import DayRange
from core.administration.pages import LookOnlyAdmin
from wallet.bonuses.services import BonusGift, grant_bonus
from wallet.cash import cash_is_on
from wallet.desk.amount_filter import RupeeRange
from wallet.desk.cash_admin import WhereCashIsOn, in_rupees
from wallet.desk.cash_forms import CashField
from wallet.models import Bonus
from wallet.refusals import WalletRefusal
from wallet.rules.bonuses import ReleaseTerms

_FEWEST_DAYS, _MOST_DAYS = 1, 365


class BonusForm(forms.Form):
    reference = forms.CharField(widget=forms.HiddenInput)
    email = forms.EmailField(label=gettext_lazy("Player's e-mail address"))
    amount = CashField(label=gettext_lazy("Amount in rupees"), max_length=30)
    chunks = forms.IntegerField(
        label=gettext_lazy("Chunks"),
        initial=10,
        min_value=1,
        help_text=gettext_lazy("It is released in so many equal parts."),
    )
    play_multiple = forms.IntegerField(
        label=gettext_lazy("Times to be played"),
        initial=10,
        min_value=1,
        help_text=gettext_lazy("A part is released after entry fees of so many times the part."),
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
    given = in_rupees("amount", gettext_lazy("amount"))
    free = in_rupees("released", gettext_lazy("released"))

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
            except WalletRefusal as refusal:
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
            by=staff_of(request),
            obj=given,
            action="grant",
            before={},
            after=stored_values(Bonus, given.pk),
            reason=gift.reason,
        )
        self.note_history(request, given, given.reason)
