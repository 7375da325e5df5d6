"""The standings of a league (R10.12), computed as a whole from the stored matches.

Nothing is accumulated: each computation counts every stored match once. Repeated computations and crashes
therefore do no harm.
"""

from datetime import date, datetime
from typing import Final

from django.db import connection
from django.utils import timezone

from tournaments.models import League

# Points for each opponent whom a player ranks ahead of, and for each of equal rank.
FOR_BEATING: Final = 2
FOR_EQUAL: Final = 1

# A match counts if it began and ended in time at an open table without practice bots. It brings no
# points between two players whom staff watch or keep apart, or who shared a browser or address on a day of the
# league. In a club's league, which has no prizes, the matches at the club's own tables count instead,
# between its current members.
_DRAW: Final = """
WITH counted AS (
  SELECT m.id, m.ended_at, m.players, m.result -> 'ranks' AS ranks
    FROM tables_match m JOIN tables_table t ON t.id = m.table_id
   WHERE m.status = 'FINISHED' AND m.started_at >= %(starts)s AND m.started_at < %(ends)s
     AND m.ended_at < %(settles)s
     AND t.game = %(game)s AND t.format = %(format)s AND t.currency = %(currency)s
     AND greatest(t.point_value, t.entry_fee) >= %(least)s
     AND (%(rules)s::bigint IS NULL OR t.house_rules_id = %(rules)s)
     AND t.event_url = '' AND NOT t.is_lesson
     AND CASE WHEN %(club)s::bigint IS NULL THEN t.invite_code = '' AND t.bots_wanted = 0
              ELSE t.club_id = %(club)s END
), seated AS (
  SELECT c.id, c.ended_at, (p.value ->> 'user')::bigint AS user_id, (c.ranks ->> p.key)::int AS rank
    FROM counted c CROSS JOIN LATERAL jsonb_each(c.players) p
   WHERE NOT (p.value ->> 'bot')::boolean AND c.ranks ? p.key
     AND (%(club)s::bigint IS NULL OR EXISTS (
       SELECT FROM tables_clubmember cm
        WHERE cm.club_id = %(club)s AND cm.user_id = (p.value ->> 'user')::bigint
          AND cm.role IN ('owner', 'officer', 'member')))
), pairs AS (
  SELECT a.id, a.ended_at, a.user_id, b.user_id AS other, a.rank AS rank, b.rank AS other_rank,
         row_number() OVER (PARTITION BY a.user_id, b.user_id ORDER BY a.ended_at, a.id) AS meeting
    FROM seated a JOIN seated b ON b.id = a.id AND b.user_id <> a.user_id
), fair AS (
  SELECT p.* FROM pairs p
   WHERE p.meeting <= %(meetings)s AND p.rank <= p.other_rank
     AND (%(club)s::bigint IS NOT NULL OR NOT EXISTS (
       SELECT FROM tables_pairevidence e
        WHERE e.low_id = least(p.user_id, p.other) AND e.high_id = greatest(p.user_id, p.other)
          AND (e.state = 'WATCHED' OR e.kept_apart_since IS NOT NULL)))
     AND (%(club)s::bigint IS NOT NULL OR NOT EXISTS (
       SELECT FROM tables_chipspassed s
        WHERE s.low_id = least(p.user_id, p.other) AND s.high_id = greatest(p.user_id, p.other)
          AND s.one_origin AND s.day BETWEEN %(first_day)s AND %(last_day)s))
), by_match AS (
  SELECT user_id, id, ended_at,
         sum(CASE WHEN rank < other_rank THEN %(beating)s ELSE %(equal)s END) AS points
    FROM fair GROUP BY user_id, id, ended_at
), best AS (
  SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY points DESC, ended_at, id) AS number
    FROM by_match
), drawn AS (
  SELECT user_id, sum(points) AS points, count(*) AS matches, max(ended_at) AS last_at
    FROM best WHERE number <= %(counted)s GROUP BY user_id
), kept AS (
  INSERT INTO tournaments_leagueplace
    (league_id, user_id, points, matches, last_at, prize)
  SELECT %(league)s, user_id, points, matches, last_at, 0 FROM drawn ORDER BY user_id
  ON CONFLICT (league_id, user_id) DO UPDATE
    SET points = excluded.points, matches = excluded.matches, last_at = excluded.last_at
)
DELETE FROM tournaments_leagueplace l
 WHERE l.league_id = %(league)s AND l.disqualified_at IS NULL
   AND NOT EXISTS (SELECT FROM drawn d WHERE d.user_id = l.user_id)"""

# Disqualified, frozen and closed accounts have no rank; the next ones move up.
_RANK: Final = """
UPDATE tournaments_leagueplace l SET place = r.place, rank = r.rank
  FROM (
    SELECT p.id,
           CASE WHEN ok THEN row_number() OVER by_merit END AS place,
           CASE WHEN ok THEN rank() OVER by_merit END AS rank
      FROM (
        SELECT l.*, l.disqualified_at IS NULL AND u.is_active AND NOT u.is_bot AND l.points > 0
                 AS ok
          FROM tournaments_leagueplace l JOIN accounts_user u ON u.id = l.user_id
         WHERE l.league_id = %(league)s
      ) p
    WINDOW by_merit AS (PARTITION BY ok ORDER BY p.points DESC, p.matches, p.last_at)
  ) r
 WHERE r.id = l.id AND (l.place, l.rank) IS DISTINCT FROM (r.place, r.rank)"""


def draw_standings(league: League, *, now: datetime) -> None:
    """Store every player's points, matches and rank. The caller holds the league's lock."""
    values: dict[str, str | int | datetime | date | None] = {
        "league": league.pk,
        "starts": league.starts_at,
        "ends": league.ends_at,
        "settles": league.settles_at,
        "first_day": timezone.localdate(league.starts_at),
        "last_day": timezone.localdate(league.settles_at),
        "game": league.game,
        "format": league.format,
        "rules": league.house_rules_id,
        "currency": league.currency,
        "club": league.club_id,
        "least": league.least_stake,
        "meetings": league.meetings,
        "counted": league.counted,
        "beating": FOR_BEATING,
        "equal": FOR_EQUAL,
    }
    with connection.cursor() as cursor:
        cursor.execute(_DRAW, values)
        cursor.execute(_RANK, values)
    league.drawn_at = now
    league.save(update_fields=["drawn_at", "settles_at"])
