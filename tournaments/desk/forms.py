"""The administration's forms for templates and tournaments: their sections, units and validation."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.forms.widgets import Script
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from core.values.lines import Lines
from games.engine.base import InvalidRules
from games.engine.fields import ANY
from games.registry import get_format, get_game
from tables.catalog import title_of_game
from tables.desk.rules_field import AsksRules, RulesField, rules_choices, rules_title
from tables.models.house_rules import get_changes, read_rules
from tournaments.desk.schedule_fields import SCHEDULE_FIELDS, AsksSchedule
from tournaments.models import Terms, Tournament, TournamentTemplate
from tournaments.models.terms import THREE_STAKES
from tournaments.rules.formats import FORMATS, KNOCK_OUT, format_choices
from tournaments.rules.payout_tables import parse_payout_table, payout_text, sentence_for
from tournaments.rules.payouts import InvalidPayoutTable, PayoutTableKind
from tournaments.rules.shoot_out import InvalidStakes, parse_stakes, stakes_text
from wallet.desk.units import AmountField, InCurrency
from wallet.money import Currency

Labels = Mapping[str, str | Promise]

AMOUNTS: Final = ("entry_fee", "guarantee")
TIMES: Final[Labels] = {
    "break_seconds": _("break between rounds, in minutes"),
    "round_seconds": _("time limit of a round, in minutes"),
    "late_seconds": _("late registration, in minutes"),
}
TIMES_OF_TEMPLATE: Final[Labels] = {
    **TIMES,
    "announce_seconds": _("announced before the start, in minutes"),
    "registration_seconds": _("registration opens before the start, in minutes"),
}
HELPS: Final[Labels] = {
    "entry_fee": _("In rupees or chips; 0 for a free tournament."),
    "guarantee": _("In rupees or chips. The house adds the rest if the entry fees bring less."),
    "rake_bps": _("In per cent. If empty, the fee schedules apply."),
    "round_seconds": _(
        "No new deal begins in the last 30 seconds of a round. A pool of 61, 101 or 201 "
        "points takes about 20, 30 or 60 minutes; a match that is not over by the end of "
        "the round is decided by score."
    ),
    "late_seconds": _(
        "Counted from the start, while the first round runs; 0 for no late registration."
    ),
    "announce_seconds": _("1440 is a day."),
    "registration_seconds": "",
    "break_seconds": _("1:30 is a minute and a half."),
}
_NAMES = ("name", "description", "words")
_PLAY = ("preset", "format", "seats", "deals", "qualifiers", "stakes", "start_chips")
_TIMES = (
    "round_seconds",
    "overtime_turn_seconds",
    "overtime_seconds",
    "seats_early",
    "break_seconds",
    "late_seconds",
)
_MONEY = ("currency", "entry_fee", "guarantee", "payout_kind", "payout_text")
_FIELD = ("min_entrants", "max_entrants", "bots_to", "bot_strength", "allows_api_players")
_REBUYS = ("rebuys", "rebuy_rounds", "rebuy_below")


def _build_sections(*, name: Iterable[str], times: Iterable[str], money: Iterable[str]) -> Any:
    """Return the sections of a form. Terms that belong to no section come last."""
    parts = (
        (None, tuple(name)),
        (_("Play"), _PLAY),
        (_("Times"), (*times, *_TIMES)),
        (_("Entry fee and prizes"), (*_MONEY, *money)),
        (_("Players"), _FIELD),
        (_("Rebuys"), _REBUYS),
    )
    placed = {field for _title, fields in parts for field in fields}
    placed |= {"game", "house_rules", "payout_table"}  # the form has other fields for them
    others = tuple(field for field in Terms.names() if field not in placed)
    rest = ((_("More"), others),) if others else ()
    return tuple((title, {"fields": fields}) for title, fields in (*parts, *rest))


TEMPLATE_FIELDSETS: Final[Any] = (
    *_build_sections(
        name=_NAMES,
        times=(*SCHEDULE_FIELDS, "announce_seconds", "registration_seconds"),
        money=("rake_bps", "ticket_for"),
    ),
    (_("Offer"), {"fields": ("is_open", "preview")}),
)
PLANNED_FIELDSETS: Final[Any] = _build_sections(
    name=_NAMES, times=("opens_at", "starts_at"), money=()
)
_STATE = (
    "status", "seats_taken", "round_number", "late_until", "next_round_at", "due_at", "started_at",
    "ended_at", "wound_up_at", "paused_at", "broken_at", "broken_reason", "cancel_reason",
)  # fmt: skip
_STANDING = _build_sections(
    name=(*_NAMES, "template"),
    times=("opens_at", "starts_at"),
    money=("rake_bps", "rake_cap", "ticket_for", "settled"),
)
_IN_WORDS: Final = {"payout_text": "prizes", "preset": "rules_in_words"}
_STANDING_WORDS: Final = {**_IN_WORDS, "words": "words_told"}
_OF_SHOOT_OUTS: Final = frozenset({"stakes", "start_chips"})
_NOT_OF_POOLS: Final = frozenset({"deals", "rebuy_below"})


def build_standing_fieldsets(terms_of: Terms) -> Any:
    """Return the sections of an announced tournament.

    Players rely on its terms, so prizes and rules are shown as text instead of fields. Chips and stakes appear only for
    formats in which players keep their chips from round to round. Pool tournaments have no number of deals. The state
    comes first, because staff look for it.
    """
    unused = frozenset() if terms_of.format_rules.keeps_chips else _OF_SHOOT_OUTS
    if terms_of.out_at is not None:
        unused |= _NOT_OF_POOLS
    terms = (
        (
            title,
            {
                "fields": tuple(
                    _STANDING_WORDS.get(name, name)
                    for name in options["fields"]
                    if name not in unused
                )
            },
        )
        for title, options in _STANDING
    )
    return ((_("State"), {"fields": _STATE}), *terms)


def build_read_only_fieldsets() -> Any:
    """Return the sections of a template for staff who may not change it: text instead of form fields."""
    unwritten = set(SCHEDULE_FIELDS)
    return tuple(
        (
            title,
            {
                "fields": tuple(
                    "schedule_told" if name == "schedule" else _IN_WORDS.get(name, name)
                    for name in options["fields"]
                    if name == "schedule" or name not in unwritten
                )
            },
        )
        for title, options in TEMPLATE_FIELDSETS
    )


# All terms except payout_table, which is written as text, and those that the rules define.
WRITTEN_TERMS = tuple(
    name for name in Terms.names() if name not in ("payout_table", "game", "house_rules")
)
_FEWEST_DEALS = (2, 1)


def fits_a_tournament(game_code: str, rules: Any) -> bool:
    """Return whether tournaments can use this rule set."""
    game = get_game(game_code)
    for deals in _FEWEST_DEALS:
        try:
            game.money.adapt_to_event(rules, deals=deals, qualifiers=1)
        except InvalidRules:
            continue
        return True
    return False


def is_pool(game_code: str, rules: Any) -> bool:
    """Return whether a match by this rule set ends by elimination (R10.13)."""
    return get_game(game_code).money.find_exit_score(rules) is not None


def describe_payouts(terms: Terms) -> str:
    """Return the prizes as text, in the notation of the form."""
    kind, decimals = PayoutTableKind(terms.payout_kind), Currency(terms.currency).decimals
    return payout_text(terms.payout_table, kind=kind, decimals=decimals)


def rules_in_words(terms: Terms) -> str:
    return (
        f"{title_of_game(terms.game)} · {rules_title(terms.game, terms.preset, terms.house_rules)}"
    )


class TermsForm(InCurrency, AsksRules, forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    """A form for the terms. The payout table is typed as text. Only rule sets that tournaments can use are offered."""

    class Media:
        js = (
            Script("js/desk/tournament_terms.js", type="module"),
            Script("js/desk/live_preview.js", type="module"),
        )

    preset = RulesField(label=capfirst(_("rules")), fits=fits_a_tournament)
    # If omitted, the model's default applies.
    format = forms.ChoiceField(label=capfirst(_("format")), choices=format_choices, required=False)
    payout_text = forms.CharField(
        label=capfirst(_("prizes")),
        max_length=2_000,
        help_text=_(
            "By rank, from the first place down: “50, 30, 2x10” is 50, 30, 10 and 10 per "
            "cent. Fixed prizes are amounts in chips or rupees."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "payout_text" in self.fields:
            self.fields["payout_text"].initial = describe_payouts(self.instance)
        if "stakes" in self.fields:
            self.fields["stakes"].required = False
        if "preset" in self.fields:
            pools = [value for _title, group in rules_choices(is_pool) for value, _ in group]
            self.fields["preset"].widget.attrs["data-pools"] = " ".join(pools)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.split_rules(cleaned)
        self._check_rules(cleaned)
        text, kind = cleaned.get("payout_text"), cleaned.get("payout_kind")
        if text and kind:
            try:
                payout_table = parse_payout_table(
                    text, kind=PayoutTableKind(kind), decimals=self.amounts_in.decimals
                )
            except InvalidPayoutTable as invalid:
                self.add_error("payout_text", sentence_for(invalid))
            else:
                self.instance.payout_table = [
                    [step.places, step.share] for step in payout_table.steps
                ]
        return cleaned

    def clean_stakes(self) -> str:
        """Return the stakes in their stored form. The field may be empty in formats without stakes."""
        text = self.cleaned_data["stakes"]
        try:
            return stakes_text(parse_stakes(text or THREE_STAKES))
        except InvalidStakes as invalid:
            raise forms.ValidationError(str(invalid)) from invalid

    def _check_rules(self, cleaned: Mapping[str, Any]) -> None:
        """Require a rule set that tournaments of this game can use, and a number of seats that it supports."""
        names = ("game", "preset", "seats", "deals", "qualifiers")
        if any(cleaned.get(name) is None for name in names):
            return  # the fields themselves are refused already
        code, preset, seats, deals, qualifiers = (cleaned[name] for name in names)
        game = get_game(code)
        try:
            chosen = read_rules(code, preset, get_changes(self.instance.house_rules))
            rules = game.money.adapt_to_event(chosen, deals=deals, qualifiers=qualifiers)
        except InvalidRules as invalid:
            self.add_error("preset", str(invalid))
            return
        if seats not in get_format(code, game.money.get_format_code(rules)).seats:
            self.add_error("seats", _("This game cannot be played by that many players."))
        if FORMATS[cleaned.get("format") or KNOCK_OUT.code].keeps_chips:
            self._check_stakes(cleaned, rules)

    def _check_stakes(self, cleaned: Mapping[str, Any], rules: Any) -> None:
        """R10.11: require rules under which a point is a chip, and enough chips for the first round.

        The chips must also be so few that no player can ever win more chips than are counted.
        """
        game = get_game(cleaned["game"])
        try:
            game.money.adapt_to_stakes(rules, point_chips=1, stacks=())
        except InvalidRules as invalid:
            self.add_error("preset", str(invalid))
        stakes, chips = cleaned.get("stakes"), cleaned.get("start_chips")
        if stakes is None or chips is None:
            return
        worst = game.money.largest_loss(rules) * cleaned["deals"]
        costs = [worst * stake for stake in parse_stakes(stakes)]
        # In each round a player can win what it costs all others at the table.
        most = ANY.most - sum(costs) * (cleaned["seats"] - 1)
        if (chips or sum(costs)) > most:
            self.add_error("start_chips", _("Enter %(most)s or less.") % {"most": f"{most:,}"})
        least = costs[0]
        if 0 < chips < least:
            refused = _("The first round can cost %(least)s chips: enter at least that many.") % {
                "least": least
            }
            self.add_error("start_chips", refused)


_WIDGETS: Final = {"description": Lines(attrs={"rows": 3, "cols": 80})}


class TemplateForm(AsksSchedule, TermsForm):
    class Meta:
        model = TournamentTemplate
        widgets = _WIDGETS
        fields = (
            *WRITTEN_TERMS,
            "schedule",
            "announce_seconds",
            "registration_seconds",
            "rake_bps",
            "ticket_for",
            "is_open",
        )


class TournamentForm(TermsForm):
    """A form for a tournament's own terms, which can be changed until registration opens."""

    class Meta:
        model = Tournament
        widgets = _WIDGETS
        fields = (*WRITTEN_TERMS, "opens_at", "starts_at")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if "preset" in self.fields:
            self.instance.rule_changes = Terms.get_changed_rules(self.instance)
        opens_at, starts_at = cleaned.get("opens_at"), cleaned.get("starts_at")
        if opens_at and starts_at and opens_at >= starts_at:
            self.add_error("opens_at", _("Registration must open before the start."))
        return cleaned


class MakeTournamentForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    """A form that creates a tournament from a template, with its own start."""

    template = forms.ModelChoiceField(
        TournamentTemplate.objects.order_by("name"), label=_("tournament template")
    )

    own_name = forms.CharField(
        label=_("A name of its own"),
        required=False,
        max_length=Tournament._meta.get_field("name").max_length,  # noqa: SLF001 - Django's name for what everybody may read
        help_text=_(
            "The name by which players tell this tournament from those that the template makes."
        ),
    )
    own_entry_fee = forms.CharField(
        label=_("An entry fee of its own"), required=False, max_length=30
    )
    own_guarantee = forms.CharField(
        label=_("A guarantee of its own"), required=False, max_length=30
    )
    own_prizes = forms.CharField(
        label=_("Prizes of its own"),
        required=False,
        max_length=2_000,
        help_text=_("Enter them as in the template. If empty, the template's values apply."),
    )
    # The terms that differ from the template's, by name.
    changes: dict[str, Any]

    class Meta:
        model = Tournament
        fields = ("template", "starts_at")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.changes = {}
        template = cleaned.get("template")
        if template is None:
            return cleaned
        if cleaned.get("own_name"):
            self.changes["name"] = cleaned["own_name"]
        for name in ("entry_fee", "guarantee"):
            self._read_amount(cleaned, name, Currency(template.currency))
        self._read_prizes(cleaned, template)
        if not self.errors:
            self._check(template)
        return cleaned

    def _read_amount(self, cleaned: Mapping[str, Any], name: str, currency: Currency) -> None:
        field = AmountField(required=False)
        field.currency = currency
        try:
            amount = field.clean(cleaned.get(f"own_{name}"))
        except forms.ValidationError as error:
            self.add_error(f"own_{name}", error)
        else:
            if amount is not None:
                self.changes[name] = amount

    def _read_prizes(self, cleaned: Mapping[str, Any], template: TournamentTemplate) -> None:
        text, kind = cleaned.get("own_prizes"), PayoutTableKind(template.payout_kind)
        if not text:
            return
        try:
            table = parse_payout_table(
                text, kind=kind, decimals=Currency(template.currency).decimals
            )
        except InvalidPayoutTable as invalid:
            self.add_error("own_prizes", sentence_for(invalid))
        else:
            self.changes["payout_table"] = [[step.places, step.share] for step in table.steps]

    def _check(self, template: TournamentTemplate) -> None:
        """Require that the terms fit together. The database enforces the same."""
        own = Tournament(**{**template.terms(), **self.changes})
        others = {field.name for field in own._meta.fields} - set(Terms.names())  # noqa: SLF001 - likewise
        try:
            own.full_clean(exclude=others, validate_unique=False)
        except forms.ValidationError as error:
            self.add_error(None, forms.ValidationError(error.messages))
