"""The leaderboards. They are computed from time to time and stored, so that pages only read rows."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.database.advisory_locks import AdvisoryLock
from players.models import Board, LeaderboardPlace, Period
from tables.catalog import list_offered_formats

# Rated matches that a player needs in the period to be ranked.
LEAST_MATCHES: Final = {Period.DAY: 2, Period.WEEK: 5, Period.ALL: 10}
# A row takes 35 µs on two shared cores; a board is not computed again for about fifty times that time.
REST_FOR_A_PLACE: Final = timedelta(milliseconds=2)
_FIRST_DAY: Final = date(2000, 1, 1)

_KINDS: Final = """
SELECT kind.game, kind.format FROM unnest(%s::text[], %s::text[]) AS kind (game, format)
 WHERE EXISTS (SELECT FROM players_daytotal t
                WHERE t.game = kind.game AND t.format = kind.format)
    OR EXISTS (SELECT FROM players_leaderboardplace p
                WHERE p.game = kind.game AND p.format = kind.format)"""

_CHIPS: Final = """
INSERT INTO players_leaderboardplace
  (board, game, format, period, place, user_id, value, matches, drawn_at)
SELECT %(board)s, %(game)s, %(format)s, %(period)s, rank() OVER (ORDER BY sum(t.chips) DESC),
       t.user_id, sum(t.chips), sum(t.matches), now()
  FROM players_daytotal t JOIN accounts_user u ON u.id = t.user_id
 WHERE t.game = %(game)s AND t.format = %(format)s AND t.day BETWEEN %(first)s AND %(last)s
   AND u.is_active AND NOT u.is_bot
 GROUP BY t.user_id"""

_RATINGS: Final = """
INSERT INTO players_leaderboardplace
  (board, game, format, period, place, user_id, value, matches, drawn_at)
SELECT %(board)s, %(game)s, %(format)s, %(period)s, rank() OVER (ORDER BY round(r.value) DESC),
       t.user_id, round(r.value), sum(t.rated_matches), now()
  FROM players_daytotal t JOIN accounts_user u ON u.id = t.user_id
  JOIN tables_playerrating r ON r.user_id = t.user_id AND r.game = t.game AND r.format = t.format
 WHERE t.game = %(game)s AND t.format = %(format)s AND t.day BETWEEN %(first)s AND %(last)s
   AND u.is_active AND NOT u.is_bot
 GROUP BY t.user_id, r.value
HAVING sum(t.rated_matches) >= %(least)s"""


@dataclass(frozen=True, slots=True)
class _Span:
    period: Period
    first: date
    last: date


def draw_leaderboards(*, today: date | None = None) -> int:
    """Compute the boards that are due. Return the number of rows written.

    `today` is in the site's time zone. A large board is computed less often, but always on a new day.
    """
    day = today or timezone.localdate()
    spans = (
        _Span(Period.DAY, day, day),
        _Span(Period.WEEK, day - timedelta(days=day.weekday()), day),
        _Span(Period.ALL, _FIRST_DAY, day),
    )
    return sum(
        _draw_alone(_Drawing(board, game, format, span))
        for game, format in _with_something_to_draw()
        for board in Board
        for span in spans
    )


def _with_something_to_draw() -> list[tuple[str, str]]:
    """Return the games and formats that have stored totals or rows on a board."""
    games, formats = zip(*list_offered_formats(), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_KINDS, [list(games), list(formats)])
        return list(cursor.fetchall())


@dataclass(frozen=True, slots=True)
class _Drawing:
    board: Board
    game: str
    format: str
    span: _Span

    def places(self) -> QuerySet[LeaderboardPlace]:
        return LeaderboardPlace.objects.filter(
            board=self.board, game=self.game, format=self.format, period=self.span.period
        )

    def is_due(self, now: datetime) -> bool:
        last = self.places().order_by("-place").values_list("place", "drawn_at").first()
        if last is None:
            return True
        place, drawn_at = last
        is_of_today = timezone.localdate(drawn_at) == self.span.last
        return not is_of_today or now - drawn_at >= place * REST_FOR_A_PLACE


@transaction.atomic
def _draw_alone(drawing: _Drawing) -> int:
    # A concurrent process would compute the same board again.
    if not _may_draw() or not drawing.is_due(timezone.now()):
        return 0
    drawing.places().delete()
    return _draw(drawing.board, drawing.game, drawing.format, drawing.span)


def _may_draw() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [AdvisoryLock.DRAWING_LEADERBOARDS])
        return bool(cursor.fetchone()[0])


def _draw(board: Board, game: str, format: str, span: _Span) -> int:
    values: dict[str, str | int | date] = {
        "board": board.value,
        "game": game,
        "format": format,
        "period": span.period.value,
        "first": span.first,
        "last": span.last,
        "least": LEAST_MATCHES[span.period],
    }
    with connection.cursor() as cursor:
        cursor.execute(_RATINGS if board is Board.RATING else _CHIPS, values)
        return int(cursor.rowcount)
