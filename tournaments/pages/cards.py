"""Tournaments as cards: game and format, entry fee, prizes, and what the reader can do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from tables.catalog import list_art_templates
from tables.play.lock import milliseconds
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.models.tournament import TournamentStatus
from tournaments.rules.lifecycle import (
    STATUSES_OF,
    LifecycleStatus,
    TournamentPhase,
    may_register,
    may_withdraw,
)
from tournaments.store import reading
from tournaments.store.reading import PoolStanding
from tournaments.store.rows import read_situation

NOT_BEGUN = STATUSES_OF[TournamentPhase.UPCOMING]


@dataclass(slots=True, kw_only=True)
class Card:
    """A tournament on a list. `entrant` is the reader's entry, `later` are further starts of the same template."""

    tournament: Tournament
    standing: PoolStanding
    now: datetime
    entrant: Entrant | None = None
    has_ticket: bool = False
    table_id: int | None = None
    later: list[Tournament] = field(default_factory=list)

    @property
    def status(self) -> TournamentStatus:
        return TournamentStatus(self.tournament.status)

    @property
    def is_coming(self) -> bool:
        return LifecycleStatus(self.tournament.status) in NOT_BEGUN

    @property
    def starts_ms(self) -> int | None:
        """Return the start in milliseconds, for a countdown, or None once the tournament has begun."""
        return milliseconds(self.tournament.starts_at) if self.is_coming else None

    @property
    def art(self) -> Sequence[str]:
        return list_art_templates(self.tournament.game)

    @property
    def facts(self) -> list[str]:
        """Return short descriptions of the game, the match and the number of players at a table."""
        row = self.tournament
        company = str(row.format_rules.company) or _("%(seats)s at a table") % {"seats": row.seats}
        return [fact for fact in (row.game_title, row.match_title, company) if fact]

    @property
    def prizes(self) -> int:
        return self.standing.pool.prizes

    @property
    def to_pool(self) -> int:
        """Return the part of an entry fee that goes to the prizes."""
        return self.tournament.entry_fee - self.tournament.fee_rake

    @property
    def is_full(self) -> bool:
        return self.tournament.seats_taken >= self.tournament.max_entrants

    @property
    def is_open(self) -> bool:
        """Return whether a reader who has not entered can now register or join the waiting list."""
        if self.entrant is not None or not self.is_coming:
            return False
        return may_register(read_situation(self.tournament, now=self.now))

    @property
    def needs_page(self) -> bool:
        """Return whether entering needs the tournament's own page: to pay cash, or to choose the ticket."""
        return self.has_ticket or self.tournament.is_for_cash

    @property
    def may_withdraw(self) -> bool:
        if self.entrant is None:
            return False
        if self.entrant.state == EntrantState.WAITING:
            return True
        return (
            self.is_coming
            and self.entrant.state == EntrantState.REGISTERED
            and may_withdraw(read_situation(self.tournament, now=self.now))
        )


def build_cards(
    tournaments: Sequence[Tournament], *, user_id: int | None, now: datetime
) -> list[Card]:
    """Return a card for each tournament, with the reader's entry in it."""
    entrants = reading.find_entrants(user_id, tournaments)
    pools = reading.get_standing_pools(tournaments)
    tickets = _find_ticket_templates(user_id)
    tables = _find_tables(user_id)
    return [
        Card(
            tournament=row,
            standing=pools[row.pk],
            now=now,
            entrant=entrants.get(row.pk),
            has_ticket=row.template_id in tickets,
            table_id=tables.get(row.pk),
        )
        for row in tournaments
    ]


def _find_ticket_templates(user_id: int | None) -> set[int]:
    tickets = [] if user_id is None else reading.list_unused_tickets(user_id)
    return {ticket.template_id for ticket in tickets}


def _find_tables(user_id: int | None) -> Mapping[int, int]:
    """Return a mapping from tournament id to the id of the table that is ready for the reader."""
    ready = [] if user_id is None else reading.list_invitations(user_id)
    return {one.tournament_id: one.table_id for one in ready}


def fold(cards: Sequence[Card]) -> list[Card]:
    """Fold the tournaments of each template into one card, for its next start.

    Later starts are listed in `later` of that card. A start that the reader has entered keeps a card of its own.
    """
    first: dict[int, Card] = {}
    shown: list[Card] = []
    for card in cards:
        template = card.tournament.template_id
        if template in first and card.entrant is None:
            first[template].later.append(card.tournament)
            continue
        shown.append(card)
        if template is not None:
            first.setdefault(template, card)
    return shown
