"""The form of a host who opens a tournament for friends: its game and format, its start and its entry fee."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.refusals import Refusal
from core.values.local_days import compute_moment
from games.engine.base import Format, InvalidRules
from games.engine.game import Game
from games.engine.paces import is_slow
from games.registry import get_format, get_game
from tables.catalog import (
    amount_text,
    list_offered_games,
    title_of_format,
    title_of_game,
    title_of_preset,
)
from tables.house_rules.forms import RulesForm
from tables.models.house_rules import fields_for_hosts, read_rules
from tournaments.refusals import START_OUT_OF_RANGE
from tournaments.rules.bracket import SEATS
from tournaments.rules.formats import FORMATS, HEADS_UP, format_choices
from tournaments.running.private import (
    MOST_AHEAD,
    MOST_FRIENDS,
    PrivateTerms,
    count_qualifiers,
    spell_name,
)
from wallet.money import Currency

Data = Mapping[str, Any]

FEES = (0, 50, 200, 1_000)
MINUTES = (5, 10, 15, 30, 60)
ON_A_DAY: Final = 0
MOST_DEALS = 3
# The year 9999: a later number is no date.
LAST_MOMENT: Final = 253_370_764_800_000


def list_game_choices() -> list[tuple[str, str]]:
    """Return the code ("indian:deals2") and title of each format that tournaments can have, and of each pool.

    The pools are the rule sets of the pool format, such as "Pool 101".
    """
    return [
        choice
        for code, game in list_offered_games().items()
        for format in game.formats
        if format.is_for_events
        for choice in _list_choices(code, game, format)
    ]


def _list_choices(code: str, game: Game, format: Format) -> list[tuple[str, str]]:
    """Return the choices of a format: in pool rummy one for each pool, otherwise one for the format itself.

    The number of deals is a separate field. The score limit of a pool belongs to its rule set.
    """
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
    """Return the choices for the minutes until the start. 0 stands for a day and time that the host enters."""
    return [
        *(
            (minutes, ngettext("in %(n)s minute", "in %(n)s minutes", minutes) % {"n": minutes})
            for minutes in MINUTES
        ),
        (ON_A_DAY, _("on a day and at a time")),
    ]


class PrivateForm(forms.Form):
    """The host's choices. The fields of the rules are in a form of their own, `own_rules`."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=20,
        help_text=gettext_lazy("If empty, it is called “Tournament of friends”."),
    )
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=list_game_choices)
    format = forms.ChoiceField(label=gettext_lazy("Kind"), choices=format_choices)
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Seats at a table"),
        coerce=int,
        choices=[(number, str(number)) for number in SEATS],
        initial=3,
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
    day = forms.DateField(
        label=gettext_lazy("Day"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    time = forms.TimeField(
        label=gettext_lazy("Time"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    # Day and time as converted by the browser, which knows the host's time zone, in milliseconds since 1970.
    moment = forms.IntegerField(
        required=False, widget=forms.HiddenInput, min_value=0, max_value=LAST_MOMENT
    )
    with_bots = forms.BooleanField(
        label=gettext_lazy("Fill one table with practice bots"), required=False
    )

    def __init__(self, data: Data | None, *, now: datetime, is_draft: bool = False) -> None:
        """Read the choices as a browser sends them. A draft is shown again without validation."""
        self.now = now
        self.sent: Data = data or {}
        super().__init__(None if is_draft else data, initial=dict(self.sent) if is_draft else None)
        today = timezone.localdate(now)
        self.fields["day"].widget.attrs.update(
            {"min": today.isoformat(), "max": (today + MOST_AHEAD).isoformat()}
        )

    def _get_choice(self, name: str, offered: Sequence[str]) -> str:
        """Return the chosen value of a field that others depend on, or the first one offered."""
        chosen = str(self.sent.get(name, ""))
        return chosen if chosen in offered else offered[0]

    @cached_property
    def _rules(self) -> tuple[str, str]:
        """Return the codes of the chosen game and rule set."""
        chosen = self._get_choice("game", [code for code, _title in list_game_choices()])
        code, _colon, preset = chosen.partition(":")
        return code, preset

    @property
    def is_heads_up(self) -> bool:
        return self._get_choice("format", list(FORMATS)) == HEADS_UP.code

    @property
    def is_on_a_day(self) -> bool:
        return str(self.sent.get("minutes", "")) == str(ON_A_DAY)

    @property
    def has_deals(self) -> bool:
        """Return whether the host chooses the number of deals. A pool tournament takes as many as it needs."""
        code, preset = self._rules
        game = get_game(code)
        return game.money.find_exit_score(game.rules.preset(preset)) is None

    @cached_property
    def own_rules(self) -> RulesForm:
        code, preset = self._rules
        return RulesForm(
            self.sent, game=code, preset=preset, names=list_changeable_rules(code, preset)
        )

    @property
    def has_own_rules(self) -> bool:
        """Return whether a rule differs from the preset or is invalid."""
        return not self.own_rules.is_valid() or bool(self.own_rules.changes)

    def groups(self) -> list[tuple[str, list[BoundField]]]:
        """Return the groups of the rules, each with its fields."""
        return self.own_rules.groups()

    def is_valid(self) -> bool:
        """Return whether both this form and that of the rules are valid."""
        return super().is_valid() and self.own_rules.is_valid()

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        try:
            return spell_name(name) if name else ""
        except Refusal as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self._check_start(cleaned)
        needed = ("game", "format", "seats", "deals")
        if any(name not in cleaned for name in needed) or not self.own_rules.is_valid():
            return cleaned
        code, preset = self._rules
        game = get_game(code)
        seats = self._count_seats(cleaned)
        try:
            chosen = read_rules(code, preset, self.own_rules.changes)
            rules = game.money.adapt_to_event(
                chosen, deals=cleaned["deals"], qualifiers=count_qualifiers(seats)
            )
            game.money.adapt_to_event(chosen, deals=cleaned["deals"], qualifiers=1)
            if FORMATS[cleaned["format"]].keeps_chips:
                game.money.adapt_to_stakes(rules, point_chips=1, stacks=())
        except InvalidRules as invalid:
            self.add_error("game", str(invalid))
            return cleaned
        if is_slow(rules):
            self.add_error(None, _("A tournament is played in one sitting: choose a faster pace."))
        if seats not in get_format(code, game.money.get_format_code(rules)).seats:
            self.add_error("seats", _("This game cannot be played by that many players."))
        return cleaned

    def _count_seats(self, cleaned: Data) -> int:
        return 2 if cleaned["format"] == HEADS_UP.code else int(cleaned["seats"])

    def _check_start(self, cleaned: Data) -> None:
        if "minutes" not in cleaned or {"day", "time", "moment"} & self.errors.keys():
            return
        if self._find_start(cleaned) is None:
            self.add_error("day", _("Choose a day and a time."))
        elif not self.now < self._start(cleaned) <= self.now + MOST_AHEAD:
            self.add_error("day", str(Refusal(START_OUT_OF_RANGE)))

    def _find_start(self, cleaned: Data) -> datetime | None:
        """Return the start, or None if day or time is missing.

        Without the browser's own conversion (`moment`), day and time are in the site's time zone.
        """
        if cleaned["minutes"] != ON_A_DAY:
            return self.now + timedelta(minutes=cleaned["minutes"])
        if cleaned["day"] is None or cleaned["time"] is None:
            return None
        if cleaned["moment"] is not None:
            return datetime.fromtimestamp(cleaned["moment"] / 1000, tz=UTC)
        return compute_moment(cleaned["day"], cleaned["time"])

    def _start(self, cleaned: Data) -> datetime:
        start = self._find_start(cleaned)
        assert start is not None  # noqa: S101 - checked before
        return start

    def terms(self) -> PrivateTerms:
        """Return the chosen terms. Call it only on a valid form."""
        cleaned = self.cleaned_data
        code, preset = self._rules
        return PrivateTerms(
            game=code,
            preset=preset,
            format=cleaned["format"],
            seats=cleaned["seats"],
            deals=cleaned["deals"],
            entry_fee=cleaned["entry_fee"],
            most=cleaned["most"],
            starts_at=self._start(cleaned),
            with_bots=cleaned["with_bots"],
            name=cleaned["name"],
            changes=self.own_rules.changes,
        )


def list_changeable_rules(code: str, preset: str) -> list[str]:
    """Return the names of the rules of a preset that a tournament's host may change.

    Rules that a tournament sets itself, such as the number of deals, are left out.
    """
    game = get_game(code)
    format = get_format(code, game.money.get_format_code(game.rules.preset(preset)))
    decided = {name for one in (*format.presets, preset) for name in _list_decided(game, one)}
    allowed = fields_for_hosts(code)
    return [
        fact.name
        for fact in game.words.rule_facts
        if not {fact.name, fact.needs} & decided and (allowed is None or fact.name in allowed)
    ]


def _list_decided(game: Game, preset: str) -> set[str]:
    """Return the names of a preset's rules that a tournament sets itself, whether it has one deal or several."""
    usual = game.rules.preset(preset)
    plain = game.rules.json(usual)
    try:
        adapted = [
            game.rules.json(game.money.adapt_to_event(usual, deals=deals, qualifiers=1))
            for deals in (1, MOST_DEALS)
        ]
    except InvalidRules:
        return set()
    return {name for one in adapted for name in plain if one[name] != plain[name]}
