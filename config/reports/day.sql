-- The ledger's movements of one day. %(first)s to %(stop)s are the numbers of transfers around it.
WITH moved AS MATERIALIZED (
  SELECT t.amount, t.currency, t.reason, t.journal_id, s.kind AS source, d.kind AS destination
  FROM wallet_transfer t
  JOIN wallet_account s ON s.id = t.source_id
  JOIN wallet_account d ON d.id = t.destination_id
  WHERE t.id >= %(first)s AND t.id < %(stop)s
    AND t.happened_at >= %(since)s AND t.happened_at < %(until)s
), taken AS (
  SELECT moved.amount, moved.currency,
         coalesce(tab.game, cup.game, '') AS game,
         CASE WHEN cup.id IS NOT NULL THEN 'TOURNAMENT' ELSE coalesce(tab.format, '') END AS format,
         coalesce(greatest(tab.point_value, tab.entry_fee), cup.entry_fee, 0) AS stake,
         coalesce((match.settlement ->> 'rake_bps')::int, cup.rake_bps, 0) AS rate,
         coalesce(cup.bots_to, 0) > 0
           OR jsonb_path_exists(coalesce(match.players, '{}'), '$.*.bot ? (@ == true)') AS has_bots
  FROM moved
  JOIN wallet_journal journal ON journal.id = moved.journal_id
  LEFT JOIN tables_match match
    ON match.id = CASE WHEN journal.key ~ '^match:[0-9]+:'
                  THEN split_part(journal.key, ':', 2)::bigint END
  LEFT JOIN tables_table tab ON tab.id = match.table_id
  LEFT JOIN tournaments_tournament cup
    ON cup.id = CASE WHEN journal.key ~ '^tournament:[0-9]+:'
                THEN split_part(journal.key, ':', 2)::bigint END
  WHERE moved.reason = 'RAKE'
)
SELECT 'moved:' || reason, currency, '', '', 0::bigint, 0, sum(amount), count(*)
FROM moved GROUP BY reason, currency
UNION ALL
SELECT 'rake', currency, game, format, stake, rate, sum(amount), count(*)
FROM taken GROUP BY currency, game, format, stake, rate
UNION ALL
SELECT 'rake_with_bots', currency, '', '', 0, 0, sum(amount), count(*)
FROM taken WHERE has_bots GROUP BY currency
UNION ALL
-- Money that came to players, their tables and tournaments, less the money that left them.
SELECT 'came_to_players', currency, '', '', 0, 0,
       sum(amount * ((destination = ANY(%(of_players)s))::int - (source = ANY(%(of_players)s))::int)),
       count(*)
FROM moved GROUP BY currency
