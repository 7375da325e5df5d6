"""Making tournaments of templates, by schedule or by hand."""

from collections.abc import Container
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from tournaments.models import Tournament, TournamentTemplate
from tournaments.rules.schedule import starts
from tournaments.store.fees import FEE_FORMAT
from tournaments.store.rows import note_due
from wallet.api import FeeTerms, fee_for
from wallet.money import Currency

# However often a template's tournaments begin, no more than these are announced at once.
MOST_AHEAD = 24


def announced_starts(*, now: datetime) -> set[tuple[int | None, datetime]]:
    """The tournaments to come, as template and start."""
    return set(Tournament.objects.filter(starts_at__gt=now).values_list("template", "starts_at"))


def is_behind(
    template: TournamentTemplate,
    announced: Container[tuple[int | None, datetime]],
    *,
    now: datetime,
) -> bool:
    """Return whether `make_scheduled` has anything to make, without asking the database."""
    starts_wanted = planned_starts(template, now=now)
    return any((template.pk, moment) not in announced for moment in starts_wanted)


def make_scheduled(*, template_id: int, now: datetime) -> list[Tournament]:
    """Make the tournaments that this template announces by now and that are missing.

    Raises NoFeeSchedule if it asks for a fee without setting the house's part.
    """
    with transaction.atomic():
        rows = TournamentTemplate.objects.select_for_update(skip_locked=True, no_key=True)
        template = rows.filter(pk=template_id, is_open=True).exclude(schedule="").first()
        if template is None:
            return []
        existing = set(
            template.tournaments.filter(starts_at__gt=now).values_list("starts_at", flat=True)
        )
        return [
            make_tournament(template, starts_at=moment, now=now)
            for moment in planned_starts(template, now=now)
            if moment not in existing
        ]


def planned_starts(template: TournamentTemplate, *, now: datetime) -> list[datetime]:
    """The starts that are to be announced now."""
    horizon = now + timedelta(seconds=template.announce_seconds)
    planned: list[datetime] = []
    zone = timezone.get_default_timezone()
    for moment in starts(template.schedule, after=now, zone=zone):
        if moment > horizon or len(planned) == MOST_AHEAD:
            break
        planned.append(moment)
    return planned


def make_tournament(
    template: TournamentTemplate, *, starts_at: datetime, now: datetime
) -> Tournament:
    """A tournament on the template's terms of this moment, which it keeps. Raises NoFeeSchedule."""
    fee = _fee_of(template, now=now)
    tournament = Tournament(
        template=template,
        ticket_for=template.ticket_for,
        rake_bps=fee.rake_bps,
        rake_cap=fee.rake_cap,
        opens_at=starts_at - timedelta(seconds=template.registration_seconds),
        starts_at=starts_at,
        rule_changes=template.changed_rules(),
        **template.terms(),
    )
    note_due(tournament, now=now)
    tournament.save(force_insert=True)
    return tournament


def _fee_of(template: TournamentTemplate, *, now: datetime) -> FeeTerms:
    if template.rake_bps is not None or template.entry_fee == 0:
        return FeeTerms(0, template.rake_bps or 0, None)
    return fee_for(
        game=template.game,
        format=FEE_FORMAT,
        currency=Currency(template.currency),
        stake=template.entry_fee,
        at=now,
    )


_RULES = {"game": "indian", "preset": "deals2"}
TEMPLATES = (
    # Every five minutes, filled up with bots: there is always one to join.
    {
        "name": "Chai Break", "words": {"hi": {"name": "चाय ब्रेक"}},
        "schedule": "*/5 * * * *", "entry_fee": 50, "seats": 3, "deals": 1,
        "qualifiers": 1, "min_entrants": 3, "max_entrants": 60, "bots_to": 9,
        "bot_strength": "easy", "break_seconds": 15, "round_seconds": 600,
        "registration_seconds": 1_800, "announce_seconds": 1_800,
    },
    {
        "name": "Freeroll", "words": {"hi": {"name": "मुफ़्त टूर्नामेंट"}},
        "schedule": "*/15 * * * *", "entry_fee": 0, "guarantee": 1_000,
        "seats": 6, "deals": 1, "qualifiers": 2, "min_entrants": 2, "max_entrants": 120,
        "bots_to": 12, "break_seconds": 30, "late_seconds": 120, "registration_seconds": 3_600,
        "announce_seconds": 7_200,
    },
    {
        "name": "Banyan Duel", "words": {"hi": {"name": "बरगद द्वंद्व"}},
        "format": "heads-up", "schedule": "10,25,40,55 * * * *",
        "entry_fee": 50, "seats": 2, "deals": 1, "qualifiers": 1, "min_entrants": 2,
        "max_entrants": 64, "bots_to": 8, "break_seconds": 15, "round_seconds": 600,
        "registration_seconds": 3_600, "announce_seconds": 3_600,
    },
    {
        "name": "Peacock Shoot-out", "words": {"hi": {"name": "मयूर शूट-आउट"}},
        "format": "shoot-out", "schedule": "5,20,35,50 * * * *",
        "entry_fee": 100, "seats": 4, "deals": 1, "stakes": "1, 2, 4", "min_entrants": 2,
        "max_entrants": 120, "bots_to": 8, "break_seconds": 15, "round_seconds": 600,
        "registration_seconds": 3_600, "announce_seconds": 3_600,
    },
    {
        "name": "Monsoon Cup", "words": {"hi": {"name": "मानसून कप"}},
        "schedule": "0,30 * * * *", "entry_fee": 200, "guarantee": 2_000,
        "seats": 6, "deals": 2, "qualifiers": 2, "min_entrants": 6, "max_entrants": 600,
        "bots_to": 18, "bot_strength": "hard", "rebuys": 1, "registration_seconds": 7_200,
        "announce_seconds": 14_400, "payout_table": [[1, 4_000], [1, 2_500], [1, 1_500], [4, 500]],
    },
)  # fmt: skip
# Pays seats in the last of them.
SATELLITE = {
    "name": "Monsoon Satellite", "words": {"hi": {"name": "मानसून सैटेलाइट"}},
    "schedule": "10,40 * * * *", "entry_fee": 40, "seats": 6,
    "deals": 1, "qualifiers": 2, "min_entrants": 6, "max_entrants": 120, "bots_to": 12,
    "registration_seconds": 3_600, "announce_seconds": 7_200,
}  # fmt: skip


@transaction.atomic
def make_demo_templates() -> None:
    """Only where there are no templates at all."""
    if not TournamentTemplate.objects.exists():
        made = [TournamentTemplate.objects.create(**_RULES, **terms) for terms in TEMPLATES]
        TournamentTemplate.objects.create(ticket_for=made[-1], **_RULES, **SATELLITE)
