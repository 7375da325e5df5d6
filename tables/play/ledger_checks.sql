-- Tables and matches compared with their ledger accounts, as (finding, subject).

SELECT 'seat that was left holds money', format('seat %s: %s %s', s.id, a.balance, a.currency)
FROM wallet_account a JOIN tables_seat s ON s.id = a.owner_id
WHERE a.kind = 'SEAT' AND s.left_at IS NOT NULL AND a.balance <> 0

UNION ALL
SELECT 'match that is over holds money', format('match %s: %s %s', m.id, a.balance, a.currency)
FROM wallet_account a JOIN tables_match m ON m.id = a.owner_id
WHERE a.kind = 'POT' AND m.status <> 'RUNNING' AND a.balance <> 0

UNION ALL
-- Pots: each player has paid the entry fee once, and again for each rejoin. Other matches are settled at their
-- end.
SELECT 'match and its pot disagree',
       format('match %s: %s of %s players at %s', m.id, pot.balance, pot.players, t.entry_fee)
FROM tables_match m
JOIN tables_table t ON t.id = m.table_id
CROSS JOIN LATERAL (
  SELECT coalesce(sum(a.balance), 0) AS balance,
         (SELECT count(*) FROM jsonb_object_keys(m.players)) AS players
  FROM wallet_account a WHERE a.kind = 'POT' AND a.owner_id = m.id AND a.currency = t.currency
) AS pot
WHERE m.status = 'RUNNING' AND t.event_url = ''
  AND CASE WHEN t.entry_fee > 0
      THEN pot.balance < t.entry_fee * pot.players OR pot.balance % t.entry_fee <> 0
      ELSE pot.balance <> 0 END
