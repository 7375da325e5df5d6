"""The ranking of a tournament, during play and at its end (R10.6, R10.11)."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Case, F, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from tournaments.models import Entrant, EntrantState, RoundSeat, Tournament
from tournaments.models.entrant import TAKING_PART


def rank_entrants(tournament: Tournament) -> QuerySet[Entrant]:
    """Return the entrants in the order of their ranks (R10.6).

    Final places come first. Without them, entrants who are still in come first, then those who went out, latest first.
    In a pool tournament the rank at the table and the score decide within a round (R10.13). If players keep their chips
    from round to round (R10.11), remaining entrants are ordered by their chips, in the attribute `stack`; otherwise it
    is None.
    """
    return (
        tournament.entrants.filter(state__in=TAKING_PART)
        .select_related("user")
        .annotate(stack=_build_stack(tournament), is_barred=_is_disqualified())
        .order_by(
            F("place").asc(nulls_last=True),
            "is_barred",
            F("round_out").desc(nulls_first=True),
            F("final_rank").asc(nulls_last=True),
            F("table_rank").asc(nulls_last=True),
            F("points").asc(nulls_last=True),
            F("stack").desc(nulls_last=True),
            F("chips").desc(nulls_last=True),
            "entered_at",
            "pk",
        )
    )


def _is_disqualified() -> Case:
    disqualified = When(state=EntrantState.DISQUALIFIED, then=1)
    return Case(disqualified, default=0, output_field=IntegerField())


def _build_stack(tournament: Tournament) -> Case | Value:
    """Return an expression for an entrant's chips. They are known when the table ends, before the round ends."""
    if not tournament.format_rules.keeps_chips or tournament.started_at is None:
        return Value(None, output_field=IntegerField())
    at_table = RoundSeat.objects.filter(
        entrant=OuterRef("pk"), round__ended_at=None, chips__isnull=False
    )
    stack = Coalesce(Subquery(at_table.values("chips")[:1]), "chips", tournament.starting_stack)
    playing = When(state__in=[EntrantState.PLAYING, EntrantState.REGISTERED], then=stack)
    return Case(playing, default=None, output_field=IntegerField())


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entrant with the current rank, or None while it is undecided.

    `score` is the number of chips with which the entrant went out, or has now (R10.11). In a pool tournament it is the
    points (R10.13).
    """

    entrant: Entrant
    rank: int | None
    score: int | None


def live_ranks(entrants: Iterable[Entrant], *, after: int) -> list[Ranked]:
    """Return the current ranks of a page of entrants. `after` is the number of entrants on earlier pages.

    `entrants` are in the order of `rank_entrants`. Before the end, entrants who are out have a rank. If players keep
    their chips from round to round, entrants who are still in have one, too. Equal entrants share a rank.
    """
    ranks: list[Ranked] = []
    last: tuple[int | None, ...] | None = None
    for place, entrant in enumerate(entrants, start=after + 1):
        stack: int | None = entrant.stack  # type: ignore[attr-defined] # annotated above
        at_table = (entrant.table_rank, entrant.points)
        merit = (entrant.round_out, entrant.final_rank, *at_table, entrant.chips, stack)
        if entrant.rank is not None or not (entrant.state == EntrantState.OUT or stack is not None):
            rank = entrant.rank
        elif ranks and merit == last:
            rank = ranks[-1].rank
        else:
            rank = place
        score = entrant.chips if stack is None else stack
        ranks.append(Ranked(entrant, rank, score if entrant.points is None else entrant.points))
        last = merit
    return ranks
