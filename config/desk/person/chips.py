"""The page on which staff give chips to a player, or take them."""

import uuid
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from core.administration.audit import staff_of, write_entry
from core.administration.pages import LONGEST_REASON
from wallet import api as wallet
from wallet.api import MOST_CHIPS, player_balances
from wallet.desk.units import AmountField
from wallet.money import Currency, shown_amount
from wallet.refusals import WalletRefusal

MAY_ADJUST_CHIPS: Final = "wallet.adjust_chips"


class ChipsForm(forms.Form):
    reference = forms.CharField(widget=forms.HiddenInput, max_length=40)
    act = forms.ChoiceField(
        label=gettext_lazy("What to do"),
        choices=[("give", gettext_lazy("Give")), ("take", gettext_lazy("Take"))],
    )
    amount = AmountField(label=gettext_lazy("Chips"), least=1, most=MOST_CHIPS)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("Why you do this. It is kept in the audit log."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        amount = self.fields["amount"]
        assert isinstance(amount, AmountField)  # noqa: S101 - it stands above
        amount.currency = Currency.CHIPS


def chips_urls(site: AdminSite) -> list[URLPattern]:
    page = site.admin_view(partial(chips_page, site=site))
    return [path("accounts/user/<int:user_id>/chips/", page, name="player_chips")]


def chips_page(request: HttpRequest, user_id: int, *, site: AdminSite) -> HttpResponse:
    if not request.user.has_perm(MAY_ADJUST_CHIPS):
        raise PermissionDenied
    player = get_object_or_404(User, pk=user_id, is_bot=False)
    form = ChipsForm(request.POST or None, initial={"reference": uuid.uuid4().hex})
    if form.is_valid():
        try:
            _adjust(request, player, form.cleaned_data)
        except WalletRefusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("admin:accounts_user_change", player.pk)
    context = {
        **site.each_context(request),
        "opts": User._meta,  # noqa: SLF001 - Django's name for what everybody may read
        "title": _("Give or take chips"),
        "form": form,
        "player": player,
        "free": shown_amount(player_balances(player.pk).chips, Currency.CHIPS),
    }
    return render(request, "admin/accounts/user/chips.html", context)


@transaction.atomic
def _adjust(request: HttpRequest, player: User, asked: dict[str, Any]) -> None:
    """Move the chips and write the audit log, both or neither; tell the member of staff."""
    staff, is_gift, number = staff_of(request), asked["act"] == "give", asked["amount"]
    moved = number if is_gift else -number
    posting = wallet.adjust_chips(
        user_id=player.pk, amount=moved, reference=asked["reference"], staff_id=staff.user_id
    )
    if not posting.replayed:
        after = player_balances(player.pk).chips
        write_entry(
            by=staff,
            obj=player,
            action="give_chips" if is_gift else "take_chips",
            before={"chips": after - moved},
            after={"chips": after},
            reason=asked["reason"],
        )
    said = (
        ngettext("%(player)s gets %(n)s chip.", "%(player)s gets %(n)s chips.", number)
        if is_gift
        else ngettext(
            "%(n)s chip is taken from %(player)s.", "%(n)s chips are taken from %(player)s.", number
        )
    )
    messages.success(request, said % {"player": player.player_name, "n": f"{number:,}"})
