"""Pages of live play; the table page is rendered with its first state and goes on over a socket."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from tables import selectors
from tables.broadcast import announce_from_thread
from tables.delayed_view import snapshot_for
from tables.forms import AmountForm, SitForm
from tables.models import TableStatus
from tables.refusals import NotSeated, Refusal
from tables.selectors import LobbyTable
from tables.services.seating import leave_table, take_seat, top_up
from tables.services.supply import play_now
from tables.texts import table_texts
from tables.titles import title_of
from wallet import services as wallet


class SignedIn(HttpRequest):
    """What `login_required` lets through."""

    user: User


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """All open tables; htmx asks for the list alone every few seconds."""
    template = "lobby/_tables.html" if request.headers.get("HX-Request") else "lobby/index.html"
    tables = [_lobby_entry(entry) for entry in selectors.lobby_tables()]
    return render(request, template, {"tables": tables})


def _lobby_entry(entry: LobbyTable) -> dict[str, Any]:
    table = entry.table
    return {
        "id": table.pk,
        "template": table.template_id,
        "name": table.name,
        "variant_label": title_of(table),
        "currency": table.currency,
        "point_value": table.point_value,
        "entry_fee": table.entry_fee,
        "min_buy_in": table.min_buy_in,
        "max_seats": table.max_seats,
        "seated": entry.seated,
        "bots": entry.bots,
        "practice": table.is_practice,
        "status_label": TableStatus(table.status).label,
        "url": reverse("tables:table", args=[table.pk]),
    }


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/rules.html")


@never_cache
@require_GET
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    found = snapshot_for(table_id=table_id, user_id=request.user.pk)
    if found is None:
        raise Http404
    first = {
        "epoch": found.epoch,
        "v": found.version,
        "now": found.now,
        "state": found.state,
    }
    context = {"table": found.state["table"], "snapshot": first, "texts": table_texts()}
    return render(request, "tables/table.html", context)


@login_required
@require_POST
def sit(request: SignedIn, table_id: int) -> HttpResponse:
    form = SitForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a seat and a whole amount to bring to the table."))
        return redirect("tables:table", table_id)
    try:
        step = take_seat(
            table_id=table_id,
            user_id=request.user.pk,
            number=form.cleaned_data["seat"],
            amount=form.cleaned_data["amount"],
        )
    except (Refusal, wallet.WalletRefusal) as refusal:
        messages.error(request, str(refusal))
    else:
        announce_from_thread([step])
    return redirect("tables:table", table_id)


@login_required
@require_POST
def play(request: SignedIn, template_id: int) -> HttpResponse:
    """Sit down at the best table of a kind at once."""
    try:
        step = play_now(template_id=template_id, user_id=request.user.pk)
    except (Refusal, wallet.WalletRefusal) as refusal:
        messages.error(request, str(refusal))
        return redirect("lobby")
    announce_from_thread([step])
    return redirect("tables:table", step.table_id)


@login_required
@require_POST
def bring_more(request: SignedIn, table_id: int) -> HttpResponse:
    """Top up the stack, or bring the entry fee of the next match."""
    form = AmountForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a whole amount to bring to the table."))
        return redirect("tables:table", table_id)
    amount = form.cleaned_data["amount"]
    try:
        step = top_up(table_id=table_id, user_id=request.user.pk, amount=amount)
    except (Refusal, wallet.WalletRefusal) as refusal:
        messages.error(request, str(refusal))
    else:
        announce_from_thread([step])
    return redirect("tables:table", table_id)


@login_required
@require_POST
def leave(request: SignedIn, table_id: int) -> HttpResponse:
    try:
        step = leave_table(table_id=table_id, user_id=request.user.pk)
    except NotSeated:
        return redirect("lobby")
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("tables:table", table_id)
    announce_from_thread([step])
    return redirect("lobby")
