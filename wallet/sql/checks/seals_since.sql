-- Findings in the chain of seals after the seal :seal, whose last transfer is :after, up to the seal :last, as
-- (finding, subject). The bytes of a transfer are computed here again and not by ledger_seal, so that a changed
-- function cannot vouch for itself.

WITH later AS MATERIALIZED (
  SELECT number, last_transfer_id FROM wallet_seal WHERE number > :seal AND number <= :last
), seal AS (
  SELECT number, first_transfer_id, last_transfer_id, transfers, previous_hash, hash,
         lag(number, 1, 0::bigint) OVER chain AS before,
         lag(hash, 1, decode(repeat('00', 32), 'hex')) OVER chain AS hash_before
  FROM wallet_seal WHERE number BETWEEN :seal AND :last WINDOW chain AS (ORDER BY number)
), pair AS (
  SELECT transfer_id, string_agg(
    record_send(ROW(account_id, seq, amount, balance_after, happened_at)), ''::bytea
    ORDER BY account_id, seq) AS entries
  FROM wallet_entry
  WHERE transfer_id > :after AND transfer_id <= (SELECT max(last_transfer_id) FROM later)
  GROUP BY transfer_id
), line AS (
  -- The seal of a transfer is found by counting the seals that end before it. Subqueries on plain tables let
  -- the server run this in parallel.
  SELECT t.id, (SELECT array_agg(number ORDER BY number) FROM later)[1 + width_bucket(
           t.id - 1, (SELECT array_agg(last_transfer_id ORDER BY number) FROM later))] AS number,
         record_send(ROW(
           t.id, t.journal_id, t.line, t.source_id, t.destination_id, t.currency::text,
           t.amount::bigint, t.reason::text, t.happened_at, e.entries, j.key::text,
           j.request_hash, j.actor_id, j.reverses_id, j.recorded_at, j.subject)) AS bytes
  FROM wallet_transfer t
  LEFT JOIN wallet_journal j ON j.id = t.journal_id
  LEFT JOIN pair e ON e.transfer_id = t.id
  WHERE t.id > :after AND t.id <= (SELECT max(last_transfer_id) FROM later)
), found AS (
  SELECT number, count(*) AS transfers, string_agg(bytes, ''::bytea ORDER BY id) AS bytes
  FROM line GROUP BY number
)
SELECT 'seal differs from its transfers',
       format('seal %s: transfers %s to %s, %s sealed and %s found', s.number, s.first_transfer_id,
              s.last_transfer_id, s.transfers, coalesce(f.transfers, 0))
FROM seal s LEFT JOIN found f USING (number)
WHERE s.number > :seal AND (s.transfers IS DISTINCT FROM f.transfers
   OR s.hash <> sha256(s.previous_hash || f.bytes))

UNION ALL
SELECT 'seal does not follow from the one before', format('seal %s after seal %s', number, before)
FROM seal
WHERE number > :seal AND (number <> before + 1 OR previous_hash <> hash_before)

UNION ALL
-- The last check stored the end of the chain; from then on that seal must exist.
SELECT 'seal that was seen before is gone or another', format('%s on %s', c.head, c.checked_at)
FROM (
  SELECT head, checked_at FROM wallet_ledger_check WHERE head <> ''
  ORDER BY checked_at DESC, id DESC LIMIT 1
) AS c
WHERE NOT EXISTS (
  SELECT FROM wallet_seal s
  WHERE s.number = split_part(c.head, ':', 1)::bigint
    AND encode(s.hash, 'hex') = split_part(c.head, ':', 2))
