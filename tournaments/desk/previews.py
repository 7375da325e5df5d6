"""The preview of a template: its next starts, and its prizes for several numbers of players."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from tournaments.desk.forms import rules_in_words
from tournaments.models import TournamentTemplate
from tournaments.models.terms import pool_rules
from tournaments.rules.payouts import compute_prizes, pool_for
from tournaments.rules.plain_schedule import schedule_in_words
from tournaments.rules.schedule import list_next_starts
from tournaments.store.fees import FEE_FORMAT
from wallet import money
from wallet.api import get_fee
from wallet.money import Currency
from wallet.refusals import NoFeeSchedule

STARTS_SHOWN = 5
PRIZES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FieldPreview:
    """The prizes if `players` take part, in the smallest unit. `best` lists the prizes of the first places."""

    players: int
    rounds: int
    prizes: int
    rake: int
    overlay: int
    best: Sequence[int]


def render_preview(template: TournamentTemplate) -> SafeString | str:
    """Render the next starts and the prizes of a template with its current values, saved or not."""
    now = timezone.now()
    try:
        fields = preview_prizes(template, now=now)
    except NoFeeSchedule as missing:
        return str(missing)
    context = {
        "schedule": schedule_in_words(template.schedule),
        "starts": list_starts(template, now=now),
        "fields": fields,
        "currency": template.currency,
        "rules": rules_in_words(template),
        "pool": pool_rules(template),
        "round_seconds": template.round_seconds,
    }
    return render_to_string("admin/tournaments/_preview.html", context)


def list_starts(template: TournamentTemplate, *, now: datetime) -> tuple[datetime, ...]:
    if not template.schedule:
        return ()
    zone = timezone.get_default_timezone()
    return list_next_starts(template.schedule, after=now, zone=zone, number=STARTS_SHOWN)


def preview_prizes(template: TournamentTemplate, *, now: datetime) -> list[FieldPreview]:
    """Return the prizes for the fewest players, the most players, and a number between them.

    Raises NoFeeSchedule if no schedule sets the house's share.
    """
    least, most = template.min_entrants, template.max_entrants
    return [
        _preview_field(template, players, _fee_rake(template, now))
        for players in sorted({least, (least + most) // 2, most})
    ]


def _preview_field(template: TournamentTemplate, players: int, fee_rake: int) -> FieldPreview:
    payout_table = template.payout_table_of_terms
    rake = players * fee_rake
    pool = pool_for(
        paid_in=players * template.entry_fee,
        rake=rake,
        guarantee=template.guarantee,
        payout_table=payout_table,
        field=players,
    )
    return FieldPreview(
        players=players,
        rounds=len(template.format_rules.rounds(players, template.structure)),
        prizes=pool.prizes,
        rake=rake,
        overlay=pool.overlay,
        best=compute_prizes(pool.prizes, payout_table=payout_table, field=players)[:PRIZES_SHOWN],
    )


def _fee_rake(template: TournamentTemplate, now: datetime) -> int:
    bps, cap = template.rake_bps, None
    if bps is None and template.entry_fee:
        terms = get_fee(
            game=template.game,
            format=FEE_FORMAT,
            currency=Currency(template.currency),
            stake=template.entry_fee,
            at=now,
        )
        bps, cap = terms.rake_bps, terms.rake_cap
    return money.rake(template.entry_fee, bps=bps or 0, cap=cap)
