"""Opening a tournament for friends, starting it, and cancelling it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from games.engine.base import Format, InvalidRules
from games.engine.game import Game
from games.registry import get_format, get_game
from tables.catalog import (
    amount_text,
    list_offered_games,
    title_of_format,
    title_of_game,
    title_of_preset,
)
from tournaments.refusals import NotYourTournament, TournamentNotFound
from tournaments.rules.bracket import SEATS
from tournaments.rules.formats import FORMATS, HEADS_UP, format_choices
from tournaments.running.private import (
    MOST_FRIENDS,
    PrivateTerms,
    call_off_own,
    count_qualifiers,
    open_private,
    start_now,
)
from wallet.money import Currency

FEES = (0, 50, 200, 1_000)
MINUTES = (5, 10, 15, 30, 60)
MOST_DEALS = 3


def list_game_choices() -> list[tuple[str, str]]:
    """Return code ("indian:deals2") and title of each tournament format, and of each pool."""
    return [
        choice
        for code, game in list_offered_games().items()
        for format in game.formats
        if format.is_for_events
        for choice in _list_choices(code, game, format)
    ]


def _list_choices(code: str, game: Game, format: Format) -> list[tuple[str, str]]:
    """Return the choices of a format. Deals are chosen separately; the limit of a pool belongs to its rule set."""
    title = title_of_format(code, format.code)
    pools = [
        name
        for name in format.presets
        if game.money.find_exit_score(game.rules.preset(name)) is not None
    ]
    if not pools:
        return [(f"{code}:{format.preset_for_events}", title)]
    game_title = f"{title_of_game(code)} · " if len(list_offered_games()) > 1 else ""
    return [(f"{code}:{name}", f"{game_title}{title_of_preset(code, name)}") for name in pools]


def list_fee_choices() -> list[tuple[int, str]]:
    return [(fee, amount_text(fee, Currency.CHIPS) if fee else _("free")) for fee in FEES]


def list_minute_choices() -> list[tuple[int, str]]:
    return [
        (minutes, ngettext("in %(n)s minute", "in %(n)s minutes", minutes) % {"n": minutes})
        for minutes in MINUTES
    ]


class PrivateForm(forms.Form):
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=list_game_choices)
    format = forms.ChoiceField(label=gettext_lazy("Kind"), choices=format_choices)
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Seats at a table"),
        coerce=int,
        choices=[(number, str(number)) for number in SEATS],
        initial=3,
        help_text=gettext_lazy("A heads-up bracket has two."),
    )
    deals = forms.TypedChoiceField(
        label=gettext_lazy("Deals in a round"),
        coerce=int,
        choices=[(number, str(number)) for number in range(1, MOST_DEALS + 1)],
        help_text=gettext_lazy("A pool takes as many deals as it needs."),
    )
    entry_fee = forms.TypedChoiceField(
        label=gettext_lazy("Entry fee"), coerce=int, choices=list_fee_choices
    )
    most = forms.IntegerField(
        label=gettext_lazy("Players at most"), min_value=2, max_value=MOST_FRIENDS, initial=12
    )
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Start"), coerce=int, choices=list_minute_choices, initial=10
    )
    with_bots = forms.BooleanField(
        label=gettext_lazy("Fill up one table with practice bots"), required=False
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if any(name not in cleaned for name in ("game", "format", "seats", "deals")):
            return cleaned
        code, _colon, preset = cleaned["game"].partition(":")
        game = get_game(code)
        seats = 2 if cleaned["format"] == HEADS_UP.code else cleaned["seats"]
        try:
            rules = game.money.adapt_to_event(
                game.rules.preset(preset),
                deals=cleaned["deals"],
                qualifiers=count_qualifiers(seats),
            )
            if FORMATS[cleaned["format"]].keeps_chips:
                game.money.adapt_to_stakes(rules, point_chips=1, stacks=())
        except InvalidRules as invalid:
            self.add_error("game", str(invalid))
            return cleaned
        if seats not in get_format(code, game.money.get_format_code(rules)).seats:
            self.add_error("seats", _("This game is not played by that many."))
        return cleaned

    def terms(self) -> PrivateTerms:
        cleaned = self.cleaned_data
        code, _colon, preset = cleaned["game"].partition(":")
        return PrivateTerms(
            game=code,
            preset=preset,
            format=cleaned["format"],
            seats=cleaned["seats"],
            deals=cleaned["deals"],
            entry_fee=cleaned["entry_fee"],
            most=cleaned["most"],
            starts_in=timedelta(minutes=cleaned["minutes"]),
            with_bots=cleaned["with_bots"],
        )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_for_friends(request: PlayerRequest) -> HttpResponse:
    form = PrivateForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            opened = open_private(user_id=request.user.pk, terms=form.terms(), now=timezone.now())
        except Refusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("Send your friends the link: anyone with it may enter."))
            return redirect(opened.invite_url)
    return render(request, "tournaments/new.html", {"form": form})


@login_required
@require_POST
def begin(request: PlayerRequest, tournament_id: int) -> HttpResponse:
    return _call_service(request, tournament_id, start_now, _("It begins now."))


@login_required
@require_POST
def call_off(request: PlayerRequest, tournament_id: int) -> HttpResponse:
    return _call_service(
        request, tournament_id, call_off_own, _("Called off: everybody is refunded in full.")
    )


def _call_service(
    request: PlayerRequest,
    tournament_id: int,
    service: Callable[..., None],
    words: str,
) -> HttpResponse:
    """Call a host's service. Answers 404 to anybody else."""
    try:
        service(tournament_id=tournament_id, user_id=request.user.pk, now=timezone.now())
    except (NotYourTournament, TournamentNotFound) as refusal:
        raise Http404 from refusal
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, words)
    return redirect("tournaments:tournament", tournament_id)
