"""Pages of live play; the table page is rendered with its first state and goes on over a socket."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from tables import selectors
from tables.addresses import invite_in, page_of
from tables.broadcast import announce_from_thread
from tables.delayed_view import snapshot_for
from tables.forms import AmountForm, SitForm
from tables.lesson_selectors import is_learning
from tables.lesson_texts import lesson_texts
from tables.models import ReportReason
from tables.refusals import InvitationNeeded, NotSeated, Refusal
from tables.rule_facts import columns_of, facts_of
from tables.services.chat import EMOTES, PHRASES
from tables.services.queue import join_queue, leave_queue
from tables.services.seating import leave_table, take_seat, top_up
from tables.services.supply import open_private, play_now
from tables.texts import phrases, table_texts
from wallet import services as wallet
from wallet.money import Currency


class SignedIn(HttpRequest):
    """What `login_required` lets through."""

    user: User


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/rules.html")


@require_GET
def rules_of(request: HttpRequest, variant: str) -> HttpResponse:
    """One variant on one page, with its numbers."""
    titles = {"points": _("Points rummy"), "pool": _("Pool rummy"), "deals": _("Deals rummy")}
    if variant not in titles:
        raise Http404
    context = {
        "variant": variant,
        "title": titles[variant],
        "columns": columns_of(variant),
        "facts": facts_of(variant),
    }
    return render(request, "pages/rules_of.html", context)


@never_cache
@require_GET
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    invite = invite_in(request.GET)
    if not selectors.may_see(table_id=table_id, user_id=request.user.pk, invite=invite):
        raise Http404
    found = snapshot_for(table_id=table_id, user_id=request.user.pk)
    if found is None:
        raise Http404
    first = {
        "epoch": found.epoch,
        "v": found.version,
        "now": found.now,
        "state": found.state,
    }
    learns = is_learning(table_id=table_id, user_id=request.user.pk)
    context = {
        "table": found.state["table"],
        "snapshot": first,
        "texts": table_texts() | lesson_texts() if learns else table_texts(),
        "learns": learns,
        **_entrance(request, table_id, Currency(found.state["table"]["currency"])),
        "chat": _chat(request),
    }
    return render(request, "tables/table.html", context)


def _chat(request: HttpRequest) -> dict[str, Any] | None:
    """What the drawer offers to say, and whom this player does not hear; None without a chat."""
    if settings.TABLE_CHAT == "off" or request.user.pk is None:
        return None
    known = PHRASES | EMOTES if settings.TABLE_EMOTES else PHRASES
    return {
        "phrases": [(code, words) for code, words in phrases() if code in known],
        "allows_words": settings.TABLE_CHAT == "all",
        "reasons": ReportReason.choices,
        "ignored": selectors.ignored_players(request.user.pk),
    }


def _entrance(request: HttpRequest, table_id: int, currency: Currency) -> dict[str, Any]:
    """How to come to this table: the link of a private one, the list of those who wait, and what
    can be brought, None for who is not signed in."""
    user_id = request.user.pk
    waiting = selectors.waiting_for(table_id=table_id, user_id=user_id)
    code = selectors.invite_code(table_id=table_id, user_id=user_id) or invite_in(request.GET)
    link = request.build_absolute_uri(page_of(table_id, code)) if code else ""
    return {
        "invite": code,
        "invite_link": link,
        "waiting": waiting,
        "purse": None if user_id is None else selectors.purse_of(user_id, currency, waiting),
    }


@login_required
@require_POST
def sit(request: SignedIn, table_id: int) -> HttpResponse:
    form, back = SitForm(request.POST), page_of(table_id, invite_in(request.POST))
    if not form.is_valid():
        messages.error(request, _("Choose a seat and a whole amount to bring to the table."))
        return redirect(back)
    try:
        step = take_seat(
            table_id=table_id,
            user_id=request.user.pk,
            number=form.cleaned_data["seat"],
            amount=form.cleaned_data["amount"],
            invite=form.cleaned_data["invite"],
        )
    except InvitationNeeded as refusal:
        raise Http404 from refusal  # as if there were no such table
    except (Refusal, wallet.WalletRefusal) as refusal:
        messages.error(request, str(refusal))
    else:
        announce_from_thread([step])
    return redirect(back)


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
def open_private_table(request: SignedIn, template_id: int) -> HttpResponse:
    """Open a table for one's friends; its page shows the link to send them."""
    try:
        opened = open_private(template_id=template_id, user_id=request.user.pk)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("lobby")
    return redirect(page_of(opened.pk, opened.invite_code))


@login_required
@require_POST
def queue(request: SignedIn, table_id: int) -> HttpResponse:
    """Wait for a seat at a full table, or wait no longer."""
    invite = invite_in(request.POST)
    try:
        if request.POST.get("wait") == "no":
            leave_queue(table_id=table_id, user_id=request.user.pk)
            messages.info(request, _("You wait no longer."))
        else:
            place = join_queue(table_id=table_id, user_id=request.user.pk, invite=invite)
            text = _("You are number %(place)s on the waiting list; stay on any page here.")
            messages.success(request, text % {"place": place})
    except InvitationNeeded as refusal:
        raise Http404 from refusal  # as if there were no such table
    except (Refusal, wallet.WalletRefusal) as refusal:
        messages.error(request, str(refusal))
    return redirect(page_of(table_id, invite))


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
