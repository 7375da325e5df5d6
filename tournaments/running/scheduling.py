"""Creating tournaments from templates, by schedule or by hand."""

from collections.abc import Container, Mapping
from copy import copy
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments.models import Tournament, TournamentTemplate
from tournaments.rules.schedule import generate_starts
from tournaments.store.fees import FEE_FORMAT
from tournaments.store.rows import record_due
from wallet.api import FeeTerms, get_fee
from wallet.money import Currency

# Tournaments of a template announced at once, however often they begin.
MOST_AHEAD = 24


def list_announced_starts(*, now: datetime) -> set[tuple[int | None, datetime]]:
    """Return the future starts of existing tournaments, as (template id, start)."""
    return set(Tournament.objects.filter(starts_at__gt=now).values_list("template", "starts_at"))


def is_behind(
    template: TournamentTemplate,
    announced: Container[tuple[int | None, datetime]],
    *,
    now: datetime,
) -> bool:
    """Return whether `make_scheduled` has anything to create. It makes no query."""
    starts_wanted = plan_starts(template, now=now)
    return any((template.pk, moment) not in announced for moment in starts_wanted)


def make_scheduled(*, template_id: int, now: datetime) -> list[Tournament]:
    """Create the tournaments of this template that should be announced by now but do not exist yet.

    Raises NoFeeSchedule if the template has an entry fee and no schedule sets the house's share.
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
            for moment in plan_starts(template, now=now)
            if moment not in existing
        ]


def plan_starts(template: TournamentTemplate, *, now: datetime) -> list[datetime]:
    """Return the starts that should be announced by now."""
    horizon = now.astimezone(UTC) + timedelta(seconds=template.announce_seconds)
    planned: list[datetime] = []
    zone = timezone.get_default_timezone()
    for moment in generate_starts(template.schedule, after=now, zone=zone):
        if moment > horizon or len(planned) == MOST_AHEAD:
            break
        planned.append(moment)
    return planned


def make_tournament(
    template: TournamentTemplate,
    *,
    starts_at: datetime,
    now: datetime,
    changes: Mapping[str, Any] | None = None,
) -> Tournament:
    """Create a tournament with a copy of the template's current terms. `changes` replaces terms by name.

    Raises NoFeeSchedule.
    """
    own = copy(template)
    for name, value in (changes or {}).items():
        setattr(own, name, value)
    fee = _get_fee_terms(own, now=now)
    tournament = Tournament(
        template=template,
        ticket_for=template.ticket_for,
        rake_bps=fee.rake_bps,
        rake_cap=fee.rake_cap,
        opens_at=starts_at.astimezone(UTC) - timedelta(seconds=template.registration_seconds),
        starts_at=starts_at,
        rule_changes=template.get_changed_rules(),
        **own.terms(),
    )
    record_due(tournament, now=now)
    tournament.save(force_insert=True)
    return tournament


def _get_fee_terms(template: TournamentTemplate, *, now: datetime) -> FeeTerms:
    if template.rake_bps is not None or template.entry_fee == 0:
        return FeeTerms(0, template.rake_bps or 0, None)
    return get_fee(
        game=template.game,
        format=FEE_FORMAT,
        currency=Currency(template.currency),
        stake=template.entry_fee,
        at=now,
    )
