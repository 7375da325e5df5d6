"""A host's pages: the form that opens a private table, and the forms at the table."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models.users import PlayerRequest
from accounts.origins import read_origin
from core.refusals import SWITCHED_OFF, Refusal
from core.site.features import PRIVATE_TABLES, is_on
from core.values.numbers import LARGEST_ID
from games.engine.base import InvalidRules
from tables.catalog import WHOLE_NUMBER, game_switch, has_page, list_offered_games, title_of_game
from tables.models import clubs_led_by
from tables.refusals import NotSeated, TableNotFound
from tables.seating.hosting import services
from tables.seating.hosting.form import HostForm, read_choices
from tables.seating.hosting.invitations import build_page_address, player_at
from tables.seating.hosting.private_tables import get_last_choices, open_hosted_table
from tables.seating.views import format_refusal
from wallet.api import compute_spendable
from wallet.money import Currency


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def host(request: PlayerRequest, game: str) -> HttpResponse:
    """Show the form for a private table, filled in with the player's last choices, and open the table.

    A form that is submitted with `look` is only shown again, with a summary of the choices.
    """
    if game not in list_offered_games() or not has_page(game):
        raise Http404
    if not (is_on(PRIVATE_TABLES) and is_on(game_switch(game))):
        messages.error(request, str(SWITCHED_OFF.message))
        return redirect("lobby")
    is_draft = request.method != "POST" or "look" in request.POST
    form = HostForm(
        game, _data(request, game), is_draft=is_draft, clubs=clubs_led_by(request.user.pk)
    )
    if not is_draft and form.is_valid():
        try:
            opened = open_hosted_table(
                form.terms(),
                user_id=request.user.pk,
                choices=form.list_sent(),
                origin=read_origin(request),
            )
        except InvalidRules as invalid:
            form.add_error("pace", str(invalid))
        except Refusal as refusal:
            form.add_error(None, format_refusal(refusal))
        else:
            return redirect(build_page_address(opened.pk, opened.invite_code))
    context = {
        "form": form,
        "game": game,
        "title": title_of_game(game),
        "price": form.price(compute_spendable(request.user.pk, Currency.CHIPS)),
    }
    only_form = request.headers.get("HX-Request")
    return render(request, "tables/_host_form.html" if only_form else "tables/host.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_rules(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the host of a table the form for its rules, and change them. Players who are not its host get 404."""
    player = player_at(request, table_id)
    if player is None:
        return redirect_to_login(request.get_full_path())
    table = services.get_hosted_table(table_id=min(table_id, LARGEST_ID), user_id=player)
    if table is None:
        raise Http404
    is_draft = request.method != "POST" or "look" in request.POST
    data = request.POST.dict() if request.method == "POST" else read_choices(table)
    clubs = clubs_led_by(player)
    form = HostForm(table.game, data, is_draft=is_draft, clubs=clubs, table=table)
    if not is_draft and form.is_valid():
        try:
            services.change_rules(table_id=table.pk, user_id=player, terms=form.terms())
        except InvalidRules as invalid:
            form.add_error("pace", str(invalid))
        except Refusal as refusal:
            form.add_error(None, format_refusal(refusal))
        else:
            return redirect("table", table.pk)
    context = {"form": form, "game": table.game, "title": title_of_game(table.game), "table": table}
    only_form = request.headers.get("HX-Request")
    return render(request, "tables/_host_form.html" if only_form else "tables/host.html", context)


@require_POST
def take_back_ready(request: HttpRequest, table_id: int) -> HttpResponse:
    """Withdraw the player's agreement to the next match."""
    return _act(request, table_id, services.take_back_ready)


@require_POST
def rename(request: HttpRequest, table_id: int) -> HttpResponse:
    """Rename the table."""
    name = request.POST.get("name", "")
    return _act(request, table_id, partial(services.rename_table, name=name))


def _data(request: PlayerRequest, game: str) -> dict[str, Any]:
    """Return the submitted choices.

    If no form was submitted, return the choices of the player's previous private table. Choices in the query string
    then replace those.
    """
    if request.method == "POST":
        return request.POST.dict()
    named = {
        name: value
        for name, value in request.GET.dict().items()
        if name in ("rules", "seats", "admission")
    }
    return {**get_last_choices(user_id=request.user.pk, game=game), **named}


class OtherForm(forms.Form):
    """A form that names another player of the table."""

    player = forms.RegexField(rf"^{WHOLE_NUMBER}$")


@require_POST
def pass_on(request: HttpRequest, table_id: int) -> HttpResponse:
    """Make another player the host."""
    return _act(
        request, table_id, partial(services.pass_on, to_user_id=_read_other_player(request))
    )


@require_POST
def send_away(request: HttpRequest, table_id: int) -> HttpResponse:
    """Stand up another player and bar them from the table."""
    return _act(
        request, table_id, partial(services.send_away, other_id=_read_other_player(request))
    )


@require_POST
def renew_link(request: HttpRequest, table_id: int) -> HttpResponse:
    """Replace the table's link."""
    done = _("The old link no longer works. Send your friends the new one.")
    return _act(request, table_id, services.renew_link, done=done)


@require_POST
def close(request: HttpRequest, table_id: int) -> HttpResponse:
    """Close the table."""
    done = _("The table is closed; everybody has their chips back.")
    return _act(request, table_id, services.close_own_table, done=done, back="lobby")


def _read_other_player(request: HttpRequest) -> int:
    form = OtherForm(request.POST)
    if not form.is_valid():
        raise Http404
    return int(form.cleaned_data["player"])


def _act(
    request: HttpRequest,
    table_id: int,
    service: Callable[..., object],
    *,
    done: str = "",
    back: str = "",
) -> HttpResponse:
    """Call a host's service and redirect to the table, or to `back`. Guests may be hosts, too.

    People who do not sit at the table get 404, as if there were no table.
    """
    player = player_at(request, table_id)
    if player is None:
        return redirect_to_login(request.get_full_path())
    try:
        service(table_id=table_id, user_id=player)
    except (TableNotFound, NotSeated) as refusal:
        raise Http404 from refusal
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        if done:
            messages.success(request, done)
        if back:
            return redirect(back)
    return redirect("table", table_id)
