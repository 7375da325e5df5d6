"""The starting schedule: templates of several games, free or for chips, closed until staff open them.

A template of the schedule is identified by its code, even after staff rename or change it. The demo data contain some
of these templates. There they are open, and some of them have more frequent starts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from core.administration.audit import Staff, read_values, record_act, write_entry
from tables.catalog import list_offered_games
from tournaments.models import TournamentTemplate
from wallet import api as wallet


@dataclass(frozen=True, slots=True)
class _Start:
    """A template of the schedule. `demo` holds its differences in the demo data, or None if it is not part of them."""

    code: str
    terms: Mapping[str, Any]
    demo: Mapping[str, Any] | None = None
    # The code of the template that its tickets pay for. That one is listed after it.
    pays_for: str = ""
    rules: Mapping[str, Any] = field(default_factory=lambda: {"game": "indian", "preset": "deals2"})


_DAY: Final = 86_400
# Announced the day before; registration opens an hour before the start.
_DAILY: Final = {"announce_seconds": _DAY, "registration_seconds": 3_600}
# Announced a week ahead; registration opens the day before.
_WEEKLY: Final = {"announce_seconds": 7 * _DAY, "registration_seconds": _DAY}

# Local times. One begins in each hour of the evening; the large ones come at the weekend.
SCHEDULE: Final[Sequence[_Start]] = (
    _Start(
        "freeroll",
        {
            "name": "Freeroll", "words": {"hi": {"name": "मुफ़्त टूर्नामेंट"}},
            "schedule": "0 12,17,21 * * *", "entry_fee": 0, "guarantee": 1_000,
            "seats": 6, "deals": 1, "qualifiers": 2, "min_entrants": 2, "max_entrants": 120,
            "bots_to": 12, "break_seconds": 30, "late_seconds": 120, **_DAILY,
        },
        {
            "schedule": "*/15 * * * *", "registration_seconds": 3_600, "announce_seconds": 7_200,
        },
    ),
    _Start(
        "chai-break",
        {
            "name": "Chai Break", "words": {"hi": {"name": "चाय ब्रेक"}},
            "schedule": "30 10,13,16 * * *", "entry_fee": 50, "seats": 3, "deals": 1,
            "qualifiers": 1, "min_entrants": 3, "max_entrants": 60, "bots_to": 9,
            "bot_strength": "easy", "break_seconds": 15, "round_seconds": 600, **_DAILY,
        },
        # Filled up with bots, so that there is always one to join.
        {
            "schedule": "*/5 * * * *", "registration_seconds": 1_800, "announce_seconds": 1_800,
        },
    ),
    _Start(
        "banyan-duel",
        {
            "name": "Banyan Duel", "words": {"hi": {"name": "बरगद द्वंद्व"}},
            "format": "heads-up", "schedule": "30 19 * * mon,wed,fri",
            "entry_fee": 50, "seats": 2, "deals": 1, "qualifiers": 1, "min_entrants": 2,
            "max_entrants": 64, "bots_to": 8, "break_seconds": 15, "round_seconds": 600, **_DAILY,
        },
        {
            "schedule": "10,25,40,55 * * * *",
            "registration_seconds": 3_600, "announce_seconds": 3_600,
        },
    ),
    _Start(
        "peacock-shoot-out",
        {
            "name": "Peacock Shoot-out", "words": {"hi": {"name": "मयूर शूट-आउट"}},
            "format": "shoot-out", "schedule": "30 19 * * tue,thu",
            "entry_fee": 100, "seats": 4, "deals": 1, "stakes": "1, 2, 4", "min_entrants": 2,
            "max_entrants": 120, "bots_to": 8, "break_seconds": 15, "round_seconds": 600, **_DAILY,
        },
        {
            "schedule": "5,20,35,50 * * * *",
            "registration_seconds": 3_600, "announce_seconds": 3_600,
        },
    ),
    _Start(
        "lotus-pool",
        {
            "name": "Lotus Pool", "words": {"hi": {"name": "कमल पूल"}},
            "schedule": "0 19 * * tue,thu", "entry_fee": 100, "seats": 6, "qualifiers": 2,
            "min_entrants": 3, "max_entrants": 120, "bots_to": 6, "break_seconds": 30,
            "round_seconds": 1_800, **_DAILY,
        },
        rules={"game": "indian", "preset": "pool101"},
    ),
    _Start(
        "monsoon-cup",
        {
            "name": "Monsoon Cup", "words": {"hi": {"name": "मानसून कप"}},
            "schedule": "0 20 * * sat,sun", "entry_fee": 200, "guarantee": 2_000,
            "seats": 6, "deals": 2, "qualifiers": 2, "min_entrants": 6, "max_entrants": 600,
            "bots_to": 18, "bot_strength": "hard", "rebuys": 1,
            "payout_table": [[1, 4_000], [1, 2_500], [1, 1_500], [4, 500]], **_WEEKLY,
        },
        {
            "schedule": "0,30 * * * *", "registration_seconds": 7_200, "announce_seconds": 14_400,
        },
    ),
    _Start(
        "monsoon-satellite",
        {
            "name": "Monsoon Satellite", "words": {"hi": {"name": "मानसून सैटेलाइट"}},
            "schedule": "0 18 * * sat,sun", "entry_fee": 40, "seats": 6,
            "deals": 1, "qualifiers": 2, "min_entrants": 6, "max_entrants": 120, "bots_to": 12,
            **_DAILY,
        },
        {
            "schedule": "10,40 * * * *", "registration_seconds": 3_600, "announce_seconds": 7_200,
        },
        pays_for="monsoon-cup",
    ),
    _Start(
        "juniper-duel",
        {
            "name": "Juniper Duel", "words": {"hi": {"name": "जुनिपर द्वंद्व"}},
            "format": "heads-up", "schedule": "30 20 * * mon,thu",
            "entry_fee": 50, "seats": 2, "deals": 3, "qualifiers": 1, "min_entrants": 2,
            "max_entrants": 64, "bots_to": 8, **_DAILY,
        },
        rules={"game": "gin", "preset": "game100"},
    ),
    _Start(
        "willow-race",
        {
            "name": "Willow Race", "words": {"hi": {"name": "विलो दौड़"}},
            "schedule": "30 20 * * tue", "entry_fee": 50, "seats": 4, "deals": 3, "qualifiers": 2,
            "min_entrants": 2, "max_entrants": 64, "bots_to": 8, **_DAILY,
        },
        rules={"game": "basic", "preset": "race100"},
    ),
    _Start(
        "laurel-cup",
        {
            "name": "Laurel Cup", "words": {"hi": {"name": "लॉरेल कप"}},
            "schedule": "0 18 * * fri", "entry_fee": 100, "seats": 4, "deals": 3, "qualifiers": 2,
            "min_entrants": 2, "max_entrants": 64, "bots_to": 8, "round_seconds": 2_400, **_DAILY,
        },
        rules={"game": "contract", "preset": "contract"},
    ),
    _Start(
        "tamarind-cup",
        {
            "name": "Tamarind Cup", "words": {"hi": {"name": "इमली कप"}},
            "schedule": "0 16 * * sat", "entry_fee": 100, "seats": 4, "deals": 2, "qualifiers": 2,
            "min_entrants": 2, "max_entrants": 64, "bots_to": 8, "round_seconds": 3_600, **_WEEKLY,
        },
        rules={"game": "rummikub", "preset": "tournament"},
    ),
    _Start(
        "poplar-race",
        {
            "name": "Poplar Race", "words": {"hi": {"name": "पॉपलर दौड़"}},
            "schedule": "30 20 * * wed", "entry_fee": 50, "seats": 4, "deals": 2, "qualifiers": 2,
            "min_entrants": 2, "max_entrants": 64, "bots_to": 8, **_DAILY,
        },
        rules={"game": "five_hundred", "preset": "race250"},
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScheduleState:
    """The number of the schedule's templates that exist, that are possible, and that are open."""

    made: int
    possible: int
    open: int

    @property
    def is_on(self) -> bool:
        return self.open == self.possible > 0


def schedule_state() -> ScheduleState:
    """Return the state of the starting schedule."""
    templates = TournamentTemplate.objects.exclude(starting="")
    are_open = list(templates.values_list("is_open", flat=True))
    return ScheduleState(len(are_open), len(_find_offered()), sum(are_open))


@transaction.atomic
def make_starting_schedule() -> list[TournamentTemplate]:
    """Create the missing templates, closed, for offered games, and the fee schedules that they need.

    Return the new templates. Existing ones keep the changes that staff have made.
    """
    wallet.set_starting_fees(valid_from=timezone.now())
    return _make(_find_offered(), is_open=False)


@transaction.atomic
def switch_schedule(*, is_on: bool, by: Staff, reason: str) -> int:
    """Open or close all templates of the schedule. Opening creates missing ones first.

    Return the number of changed templates. Each change is in the audit log.
    """
    if is_on:
        for template in make_starting_schedule():
            made = read_values(template)
            write_entry(by=by, obj=template, action="add", before={}, after=made, reason=reason)
    games = list_offered_games()
    templates = TournamentTemplate.objects.exclude(starting="").exclude(is_open=is_on)
    changed = [one for one in templates.order_by("pk") if not is_on or one.game in games]
    for template in changed:
        action = "open" if is_on else "close"
        with record_act(by=by, obj=template, action=action, reason=reason):
            TournamentTemplate.objects.filter(pk=template.pk).update(is_open=is_on)
    return len(changed)


@transaction.atomic
def make_demo_templates() -> None:
    """Create the open templates of a local run, unless there are templates already."""
    if not TournamentTemplate.objects.exists():
        demo = [start for start in SCHEDULE if start.demo is not None]
        _make([start for start in demo if start in _find_offered()], is_open=True, is_demo=True)


def _find_offered() -> list[_Start]:
    games = list_offered_games()
    return [start for start in SCHEDULE if start.rules["game"] in games]


def _make(
    starts: Sequence[_Start], *, is_open: bool, is_demo: bool = False
) -> list[TournamentTemplate]:
    by_code = {one.starting: one for one in TournamentTemplate.objects.exclude(starting="")}
    new = []
    for start in starts:
        if start.code in by_code:
            continue
        terms = {**start.rules, **start.terms, **((is_demo and start.demo) or {})}
        by_code[start.code] = TournamentTemplate.objects.create(
            starting=start.code,
            is_open=is_open,
            ticket_for=by_code.get(start.pays_for),
            **terms,
        )
        new.append(by_code[start.code])
    return new
