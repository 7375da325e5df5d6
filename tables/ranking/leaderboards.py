"""The leaderboards, drawn into rows from time to time, so that a page only reads them."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.db import connection, transaction
from django.utils import timezone

from accounts.models.advisory_locks import AdvisoryLock
from tables.models import Board, LeaderboardPlace, Period
from tables.play.titles import played

# So many rated matches in the period make a place among the ratings.
LEAST_MATCHES: Final = {Period.DAY: 2, Period.WEEK: 5, Period.ALL: 10}
_FIRST_DAY: Final = date(2000, 1, 1)

_CHIPS: Final = """
INSERT INTO tables_leaderboardplace
  (board, game, format, period, place, user_id, value, matches, drawn_at)
SELECT %(board)s, %(game)s, %(format)s, %(period)s, rank() OVER (ORDER BY sum(t.chips) DESC),
       t.user_id, sum(t.chips), sum(t.matches), now()
  FROM tables_daytotal t JOIN accounts_user u ON u.id = t.user_id
 WHERE t.game = %(game)s AND t.format = %(format)s AND t.day BETWEEN %(first)s AND %(last)s
   AND u.is_active AND NOT u.is_bot
 GROUP BY t.user_id"""

_RATINGS: Final = """
INSERT INTO tables_leaderboardplace
  (board, game, format, period, place, user_id, value, matches, drawn_at)
SELECT %(board)s, %(game)s, %(format)s, %(period)s, rank() OVER (ORDER BY round(r.value) DESC),
       t.user_id, round(r.value), sum(t.rated_matches), now()
  FROM tables_daytotal t JOIN accounts_user u ON u.id = t.user_id
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
    """Draw all of them anew; the number of places. `today` in the site's time zone."""
    day = today or timezone.localdate()
    spans = (
        _Span(Period.DAY, day, day),
        _Span(Period.WEEK, day - timedelta(days=day.weekday()), day),
        _Span(Period.ALL, _FIRST_DAY, day),
    )
    with transaction.atomic():
        if not _may_draw():
            return 0
        LeaderboardPlace.objects.all().delete()
        return sum(
            _draw(board, game, format, span)
            for board in Board
            for game, format in played()
            for span in spans
        )


def _may_draw() -> bool:
    # Whoever comes second would draw the same again.
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
