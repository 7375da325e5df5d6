from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models.users import PlayerRequest
from accounts.origins import read_origin
from accounts.people.forms import GuestForm
from core.refusals import Refusal
from tables.catalog import WHOLE_NUMBER
from tables.models import BotStrength
from tables.refusals import InvitationNeeded, NotSeated, TableNotFound, TooManyTables
from tables.seating.hosting.guests import GuestWish, remember_wish, seat_guest
from tables.seating.hosting.invitations import (
    build_page_address,
    forget_invitation,
    invite_in,
    player_at,
)
from tables.seating.hosting.services import choose_bot_strength, play_at_once
from tables.seating.queue import join_queue, leave_queue
from tables.seating.sitting import leave_table, take_seat

MOST_SEATS: Final = 8


class BotStrengthForm(forms.Form):
    """A form for the strength of practice bots."""

    strength = forms.TypedChoiceField(choices=BotStrength, coerce=BotStrength)


class AmountForm(forms.Form):
    """The amount to bring, in the smallest unit of the table's currency."""

    amount = forms.RegexField(rf"^{WHOLE_NUMBER}$")

    def clean_amount(self) -> int:
        return int(self.cleaned_data["amount"])


class SitForm(AmountForm):
    """A form for the seat, and for the amount to bring; 0 at a free table."""

    seat = forms.RegexField(r"^[0-7]?$", required=False)
    # The code of a private table.
    invite = forms.CharField(max_length=16, required=False)

    def clean_seat(self) -> int | None:
        seat = self.cleaned_data["seat"]
        return int(seat) if seat else None


def format_refusal(refusal: Exception) -> str:
    """Return a refusal's sentence. If the refusal names tables, the sentence is safe HTML with links to them."""
    if not isinstance(refusal, TooManyTables) or not refusal.tables:
        return str(refusal)
    pages = ((reverse("table", args=[number]), name) for number, name in refusal.tables)
    links = format_html_join(", ", '<a href="{}">{}</a>', pages)
    return format_html(str(refusal.naming), tables=links)


@login_required
@require_POST
def sit(request: PlayerRequest, table_id: int) -> HttpResponse:
    form, back = SitForm(request.POST), build_page_address(table_id, invite_in(request.POST))
    if not form.is_valid():
        messages.error(request, _("Choose a seat and a whole amount to bring to the table."))
        return redirect(back)
    try:
        take_seat(
            table_id=table_id,
            user_id=request.user.pk,
            number=form.cleaned_data["seat"],
            amount=form.cleaned_data["amount"],
            invite=form.cleaned_data["invite"],
            origin=read_origin(request),
        )
    except InvitationNeeded as refusal:
        raise Http404 from refusal  # as if there were no such table
    except Refusal as refusal:
        messages.error(request, format_refusal(refusal))
    else:
        forget_invitation(request.session, table_id)
    return redirect(back)


@require_POST
def sit_as_guest(request: HttpRequest, table_id: int) -> HttpResponse:
    """Sit down at a friend's table under a name, without an account."""
    invite, form = invite_in(request.POST), GuestForm(request.POST)
    back = build_page_address(table_id, invite)
    if request.user.pk is not None:
        return redirect(back)
    if not form.is_valid():
        sentences = [str(sentence) for errors in form.errors.values() for sentence in errors]
        remember_wish(request.session, form.data.get("player_name", ""), " ".join(sentences))
        return redirect(back)
    chair = request.POST.get("seat", "")
    try:
        seat_guest(
            request,
            table_id=table_id,
            wish=GuestWish(
                name=form.cleaned_data["player_name"],
                press=form.cleaned_data["press"],
                terms=form.cleaned_data.get("terms_version"),
            ),
            number=int(chair) if chair in map(str, range(MOST_SEATS)) else None,
            invite=invite,
        )
    except (InvitationNeeded, TableNotFound) as refusal:
        raise Http404 from refusal  # as if there were no such table
    except Refusal as refusal:
        remember_wish(request.session, form.cleaned_data["player_name"], str(refusal))
    return redirect(back)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: PlayerRequest, template_id: int) -> HttpResponse:
    """Sit down at the best table of a kind, or return to the one at which the player already waits.

    A player who had to sign in first comes back with a GET request, which must change nothing. The lobby then lets them
    choose again.
    """
    if request.method != "POST":
        return redirect("lobby")
    form = BotStrengthForm(request.POST)
    try:
        table_id = play_at_once(
            template_id=template_id,
            user_id=request.user.pk,
            strength=form.cleaned_data["strength"] if form.is_valid() else None,
            origin=read_origin(request),
        )
    except Refusal as refusal:
        messages.error(request, format_refusal(refusal))
        return redirect("lobby")
    return redirect("table", table_id)


@require_POST
def bots(request: HttpRequest, table_id: int) -> HttpResponse:
    """Set the strength of the bots from now on. A guest can do so in their first deal, too."""
    player, form = player_at(request, table_id), BotStrengthForm(request.POST)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if not form.is_valid():
        messages.error(request, _("Choose how well the bots should play."))
        return redirect("table", table_id)
    try:
        strength = choose_bot_strength(
            table_id=table_id, user_id=player, strength=form.cleaned_data["strength"]
        )
    except TableNotFound as refusal:
        raise Http404 from refusal
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        words = _("From now on the strength of the bots is: %(strength)s.")
        messages.success(request, words % {"strength": strength.label})
    return redirect("table", table_id)


@login_required
@require_POST
def queue(request: PlayerRequest, table_id: int) -> HttpResponse:
    """Wait for a seat at a full table, or stop waiting."""
    invite = invite_in(request.POST)
    try:
        if request.POST.get("wait") == "no":
            leave_queue(table_id=table_id, user_id=request.user.pk)
            messages.info(request, _("You have left the waiting list."))
        else:
            place = join_queue(
                table_id=table_id,
                user_id=request.user.pk,
                invite=invite,
                origin=read_origin(request),
            )
            text = _(
                "You are number %(place)s on the waiting list; keep any page of this site open."
            )
            messages.success(request, text % {"place": place})
    except InvitationNeeded as refusal:
        raise Http404 from refusal  # as if there were no such table
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect(build_page_address(table_id, invite))


@require_POST
def leave(request: HttpRequest, table_id: int) -> HttpResponse:
    """Leave the table. A guest leaves the first deal like any player."""
    player = player_at(request, table_id)
    if player is None:
        return redirect_to_login(request.get_full_path())
    try:
        left = leave_table(table_id=table_id, user_id=player)
    except NotSeated:
        return redirect("lobby")
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("table", table_id)
    if any(event["kind"] == "bot_took_over" for event in left.events):
        messages.info(
            request, _("A bot plays on for you. You can take your seat back until the match ends.")
        )
    return redirect("lobby")
