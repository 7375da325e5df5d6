"""A host's form for a private table: its rules, pace, stake, bots and admission."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.values.numbers import parse_number
from games.engine.base import Format
from games.engine.paces import PACE_TITLES, PACES, Pace, find_pace, pace_fields
from games.registry import get_format, get_game
from tables.catalog import (
    amount_text,
    fit_bot_strength,
    list_bot_strengths,
    list_presets,
    title_of_preset,
    translate,
)
from tables.house_rules.forms import PREFIX, RulesForm
from tables.models import Admission, BotStrength, Club, HouseRules, Table
from tables.models.house_rules import fields_for_hosts, get_changes, read_rules
from tables.seating.hosting.private_tables import (
    HOUSE,
    MOST_SLOW_SEATS,
    HostTerms,
    list_offered_house_rules,
    list_offered_stakes,
)
from tables.seating.opening import BUY_INS
from tables.seating.supply import compute_usual_stack
from wallet.api import FeeTerms, get_fee
from wallet.money import Currency, rake
from wallet.refusals import NoFeeSchedule

Data = Mapping[str, Any]

# Defaults of a player's first private table of a game.
FIRST_CHOICES: Final[Data] = {
    "seats": "4",
    "pace": "usual",
    "stake": "0",
    "admission": Admission.LINK.value,
    "watchers": "on",
    "chat": "on",
    "strength": BotStrength.MEDIUM.value,
}
# Fields of the rules that come first: the length of a match.
_LENGTHS: Final = (PREFIX + "deals", PREFIX + "target")


class HostForm(forms.Form):
    """All choices of a host. The fields of the rules are in a form of their own, `own_rules`."""

    rules = forms.ChoiceField(label=gettext_lazy("Kind"))
    # The kind whose default values were filled in last; after that the host's own values stay.
    filled = forms.CharField(widget=forms.HiddenInput, required=False)
    seats = forms.TypedChoiceField(label=gettext_lazy("Seats"), coerce=int)
    pace = forms.ChoiceField(label=gettext_lazy("Pace"))
    stake = forms.TypedChoiceField(label=gettext_lazy("Played for"), coerce=int)
    admission = forms.ChoiceField(label=gettext_lazy("Who may come"))
    watchers = forms.BooleanField(label=gettext_lazy("Others may watch"), required=False)
    chat = forms.BooleanField(label=gettext_lazy("Chat"), required=False)
    help = forms.BooleanField(
        label=gettext_lazy("Help with your hand"),
        help_text=gettext_lazy(
            "With one press, a hand is arranged and the cost of a declaration is shown."
        ),
        required=False,
    )
    bots = forms.BooleanField(
        label=gettext_lazy("Bots fill empty seats when you press Start"), required=False
    )
    stand_in = forms.BooleanField(
        label=gettext_lazy("A bot plays on for a player who leaves"), required=False
    )
    programs = forms.BooleanField(
        label=gettext_lazy("Players' programs and BOT accounts may sit here"), required=False
    )
    strength = forms.ChoiceField(label=gettext_lazy("How well the bots play"))

    def __init__(
        self,
        game: str,
        data: Data,
        *,
        is_draft: bool = False,
        clubs: Sequence[Club] = (),
        table: Table | None = None,
    ) -> None:
        """Read choices as a browser sends them.

        In a draft, choices that are not available are replaced by the nearest available ones. With `table`, the form is
        for a table that is already open, and offers only the choices that are possible there.
        """
        self.table = table
        self.game = get_game(game)
        self.changeable = fields_for_hosts(game)
        self.houses = list_offered_house_rules(game, self.changeable)
        super().__init__(self._fill_in(data))
        self._offer("rules", self._kinds())
        self._offer("admission", _list_admissions(clubs))
        self._offer("seats", [(str(number), str(number)) for number in self._seats()])
        self._offer("pace", [(pace, translate(PACE_TITLES[pace])) for pace in self._paces()])
        self._offer("strength", list_bot_strengths(game))
        stakes = self._stakes()
        self._offer("stake", stakes)
        if is_draft:
            self.data = self._settle(self.data, [int(stake) for stake, _words in stakes])

    def _offer(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - as declared above
        field.choices = choices

    def _fill_in(self, data: Data) -> Data:
        """Fill in the values of newly chosen house rules, and remove the values of the rules chosen before."""
        chosen, before = str(data.get("rules", "")), str(data.get("filled", ""))
        if chosen == before:
            return data
        house = self.houses.get(chosen)
        if house is None and not before.startswith(HOUSE):
            return {**data, "filled": chosen}
        kept = {name: value for name, value in data.items() if not name.startswith(PREFIX)}
        fields: dict[str, Any] = {}
        if house is not None:
            form = RulesForm(game=self.game.code, preset=house.preset, changes=get_changes(house))
            fields = {PREFIX + name: form[PREFIX + name].value() for name in get_changes(house)}
        return {**kept, **fields, "filled": chosen}

    def _settle(self, data: Data, stakes: Sequence[int]) -> Data:
        # Without a pace the form is new; a browser does not send an unchecked box.
        settled = {**({} if "pace" in data else FIRST_CHOICES), **data, "rules": self.kind}
        seats, wanted = self._seats(), _number(settled.get("stake"))
        lower = [stake for stake in stakes if stake <= wanted] or [*stakes[:1]]
        settled["seats"] = str(min(max(_number(settled.get("seats")), seats[0]), seats[-1]))
        settled["stake"] = str(lower[-1])
        for name in ("pace", "admission", "strength"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101 - as declared above
            if not field.valid_value(settled.get(name)):
                settled[name] = "slow" if name == "pace" and self.is_slow else FIRST_CHOICES[name]
        if lower[-1]:
            settled.pop("bots", None)
            settled.pop("stand_in", None)
            settled.pop("programs", None)
        return settled

    def _paces(self) -> list[Pace]:
        table = self.table
        return [pace for pace in PACES if table is None or (pace == "slow") == table.is_slow]

    def _kinds(self) -> list[tuple[str, list[tuple[str, str]]]]:
        table = self.table
        stake = "" if table is None or table.is_free else get_format(table.game, table.format).stake
        return [
            (
                translate(format.title),
                [
                    *(
                        (preset, title_of_preset(self.game.code, preset))
                        for preset in list_presets(self.game.code, format.code)
                    ),
                    *(
                        (code, house.shown_name)
                        for code, house in self.houses.items()
                        if house.format == format.code
                    ),
                ],
            )
            for format in self.game.formats
            if stake in ("", format.stake)
        ]

    @cached_property
    def kind(self) -> str:
        """Return the chosen preset or house rules, or the game's default preset for an unknown one."""
        chosen: str = self.data.get("rules", "")
        offered = [kind for _title, kinds in self._kinds() for kind, _name in kinds]
        return chosen if chosen in offered else offered[0]

    @cached_property
    def preset(self) -> str:
        house = self.houses.get(self.kind)
        return self.kind if house is None else house.preset

    @cached_property
    def format(self) -> Format:
        return get_format(
            self.game.code, self.game.money.get_format_code(self.game.rules.preset(self.preset))
        )

    @cached_property
    def is_for_points(self) -> bool:
        return self.format.stake == "per_point"

    @cached_property
    def is_slow(self) -> bool:
        return bool(self.data.get("pace") == "slow") if self.table is None else self.table.is_slow

    def _seats(self) -> range:
        """Return the possible numbers of players. Slow games have few, because each turn may take a day."""
        seats = self.format.seats
        if self.table is not None:
            here = self.table.sittings.filter(left_at__isnull=True).count()
            seats = range(max(seats[0], min(here, seats[-1])), seats[-1] + 1)
        return range(seats[0], min(seats[-1], MOST_SLOW_SEATS) + 1) if self.is_slow else seats

    def _stakes(self) -> list[tuple[str, str]]:
        free = ("0", _("Nothing: free"))
        if self.table is not None and self.table.stake:
            return [(str(self.table.stake), self._stake_in_words(self.table.stake))]
        if self.is_slow or self.table is not None:
            return [free]
        stakes = list_offered_stakes(self.game.code, self.format.stake)
        return [free, *((str(stake), self._stake_in_words(stake)) for stake in stakes)]

    def _stake_in_words(self, stake: int) -> str:
        amount = amount_text(stake, Currency.CHIPS)
        if self.is_for_points:
            return _("%(value)s a point") % {"value": amount}
        return _("Entry %(fee)s") % {"fee": amount}

    @cached_property
    def own_rules(self) -> RulesForm:
        return RulesForm(self.data, game=self.game.code, preset=self.preset, names=self.changeable)

    def is_valid(self) -> bool:
        """Return whether this form and the form of the rules are both valid."""
        return super().is_valid() and self.own_rules.is_valid()

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name in ("bots", "stand_in", "programs"):
            if cleaned.get(name) and cleaned.get("stake"):
                self.add_error(
                    name, _("Bots play only when nothing is at stake: choose a free table.")
                )
        return cleaned

    @property
    def house_rules(self) -> HouseRules | None:
        """Return the chosen house rules, or None if the host has changed them. The form must be valid."""
        house = self.houses.get(self.kind)
        return house if house is not None and get_changes(house) == self.own_rules.changes else None

    def terms(self) -> HostTerms:
        """Return the chosen terms. The form must be valid."""
        cleaned = self.cleaned_data
        admission, _dash, club = cleaned["admission"].partition("-")
        return HostTerms(
            game=self.game.code,
            preset=self.preset,
            house_rules=self.house_rules,
            seats=cleaned["seats"],
            stake=cleaned["stake"],
            pace=cleaned["pace"],
            changes=self.own_rules.changes,
            admission=Admission(admission),
            club_id=int(club) if club else None,
            allows_watchers=cleaned["watchers"],
            allows_chat=cleaned["chat"],
            fills_with_bots=cleaned["bots"],
            bots_take_over=cleaned["stand_in"],
            bot_strength=cleaned["strength"],
            allows_programs=cleaned["programs"],
            gives_help=cleaned["help"],
        )

    def list_sent(self) -> dict[str, str]:
        """Return the submitted choices, to be remembered."""
        names = (*self.fields, *self.own_rules.fields)
        values = {name: self.data.get(name, "") for name in names}
        return {name: str(value) for name, value in values.items() if value}

    def lengths(self) -> list[BoundField]:
        """Return the form fields of the rules that determine how long a match lasts."""
        return [self.own_rules[name] for name in _LENGTHS if name in self.own_rules.fields]

    def more_rules(self) -> list[tuple[str, list[BoundField]]]:
        """Return the titles and form fields of all other groups of rules."""
        groups = [
            (title, [field for field in fields if field.name not in _LENGTHS])
            for title, fields in self.own_rules.groups()
        ]
        return [(title, fields) for title, fields in groups if fields]

    @property
    def has_help(self) -> bool:
        """Return whether the game answers questions about a hand."""
        return self.game.hand_help is not None

    @property
    def has_own_rules(self) -> bool:
        """Return whether a rule differs from the chosen rule set, or is invalid."""
        form = self.own_rules
        return not form.is_valid() or (bool(form.changes) and self.house_rules is None)

    def price(self, purse: int) -> str:
        """Return the host's buy-in as text for the button. It is empty at a free table, or if a choice is invalid."""
        terms = self._draft()
        if terms is None or terms.stake == 0:
            return ""
        least = self._compute_least(terms) if self.is_for_points else terms.stake
        most = least * BUY_INS if self.is_for_points else terms.stake
        return amount_text(compute_usual_stack(least, most, purse), Currency.CHIPS)

    def summary(self) -> list[str]:
        """Return sentences about the entry, the fee and the winnings, as far as the choices are valid."""
        terms = self._draft()
        if terms is None:
            return []
        if terms.stake == 0:
            return [
                _(
                    "Nothing is at stake: nobody brings chips, and points are only "
                    "counted, not paid for."
                )
            ]
        try:
            fee = get_fee(
                game=terms.game,
                format=self.format.code,
                currency=Currency.CHIPS,
                stake=terms.stake,
                at=timezone.now(),
            )
        except NoFeeSchedule as refusal:
            return [str(refusal)]
        return (
            _points_in_words(self._compute_least(terms), fee)
            if self.is_for_points
            else _pot_in_words(terms, fee)
        )

    def _draft(self) -> HostTerms | None:
        return self.terms() if self.is_valid() else None

    def _compute_least(self, terms: HostTerms) -> int:
        rules = read_rules(terms.game, terms.preset, terms.changes)
        return self.game.money.largest_loss(rules) * terms.stake


def read_choices(table: Table) -> dict[str, Any]:
    """Return the choices of an open table in the form in which the host's form submits them."""
    game = get_game(table.game)
    rules = game.rules.load(table.rules)
    house = table.house_rules
    preset = rules.name if house is None else house.preset
    usual = read_rules(table.game, preset, {})
    adapted = game.rules.json(game.money.adapt_to_no_stake(usual) if table.is_free else usual)
    pace = find_pace(game.rules, rules)
    of_pace = () if pace is None else pace_fields(game.rules, rules, pace)
    changes = {
        name: value
        for name, value in table.rules.items()
        if name not in of_pace and name in adapted and value != adapted[name]
    }
    form = RulesForm(game=table.game, preset=preset, changes=changes)
    kind = preset if house is None else f"{HOUSE}{house.pk}"
    club = f"-{table.club_id}" if table.admission == Admission.CLUB else ""
    switches = {
        "watchers": table.allows_watchers,
        "chat": table.allows_chat,
        "help": table.offers_arrangement,
        "bots": table.fills_with_bots,
        "stand_in": table.bots_take_over,
        "programs": table.allows_api_players,
    }
    return {
        "rules": kind,
        "filled": kind,
        "seats": str(table.max_seats),
        "pace": pace or "usual",
        "stake": str(table.stake),
        "admission": f"{table.admission}{club}",
        "strength": fit_bot_strength(table.game, table.bot_strength),
        **{name: "on" for name, is_on in switches.items() if is_on},
        **{
            PREFIX + name: form[PREFIX + name].value()
            for name in changes
            if PREFIX + name in form.fields
        },
    }


def _list_admissions(clubs: Sequence[Club]) -> list[tuple[str, str]]:
    """Return the choices of who may come, including the members of each of these clubs."""
    return [
        *((code, str(words)) for code, words in Admission.choices if code != Admission.CLUB),
        *(
            (f"{Admission.CLUB}-{club.pk}", _("Members of %(club)s") % {"club": club.name})
            for club in clubs
        ),
    ]


def _points_in_words(least: int, fee: FeeTerms) -> list[str]:
    return [
        _("Everybody brings at least %(amount)s, the most that one deal can cost.")
        % {"amount": amount_text(least, Currency.CHIPS)},
        _("The winner of a deal pays a service fee of %(rate)s.") % {"rate": _rate(fee)},
    ]


def _pot_in_words(terms: HostTerms, fee: FeeTerms) -> list[str]:
    pot = terms.stake * terms.seats
    taken = rake(pot, bps=fee.rake_bps, cap=fee.rake_cap)
    amounts = {
        "seats": terms.seats,
        "pot": amount_text(pot, Currency.CHIPS),
        "fee": amount_text(taken, Currency.CHIPS),
        "won": amount_text(pot - taken, Currency.CHIPS),
    }
    return [
        ngettext(
            "With %(seats)s player the entry fees are %(pot)s; the service fee is %(fee)s, and %(won)s are won.",
            "With %(seats)s players the entry fees are %(pot)s; the service fee is %(fee)s, and %(won)s are won.",
            terms.seats,
        )
        % amounts
    ]


def _rate(fee: FeeTerms) -> str:
    return f"{fee.rake_bps / 100:g}%"


def _number(value: object) -> int:
    return parse_number(str(value or "")) or 0
