-- Findings in everything after the transfer :after, up to :until, as (finding, subject). Everything up to
-- :after was checked before, and an entry that follows a sound one is sound.

WITH entry AS MATERIALIZED (
  SELECT account_id, seq, amount, balance_after, transfer_id
  FROM wallet_entry WHERE transfer_id > :after AND transfer_id <= :until
), transfer AS MATERIALIZED (
  SELECT * FROM wallet_transfer WHERE id > :after AND id <= :until
)
SELECT 'account differs from its entries',
       format('%s %s %s: %s, entries %s', a.kind, a.owner_id, a.currency, a.balance, e.balance_after)
FROM (
  SELECT DISTINCT ON (account_id) account_id, seq, balance_after
  FROM entry ORDER BY account_id, seq DESC
) AS e JOIN wallet_account a ON a.id = e.account_id
WHERE (a.balance, a.seq) <> (e.balance_after, e.seq)
  -- Later entries exist, and the next check covers them.
  AND NOT EXISTS (
    SELECT FROM wallet_entry newest
    WHERE newest.account_id = a.id AND newest.seq = a.seq AND newest.balance_after = a.balance
      AND newest.transfer_id > :until)

UNION ALL
SELECT 'account has a gap in its entries', format('account %s, before entry %s', account_id, seq)
FROM (
  SELECT account_id, seq, lag(seq) OVER (PARTITION BY account_id ORDER BY seq) AS before FROM entry
) AS numbered
WHERE seq <> before + 1

UNION ALL
SELECT 'entry does not follow from the one before',
       format('account %s, entry %s: %s', e.account_id, e.seq, e.balance_after)
FROM entry e
LEFT JOIN LATERAL (
  SELECT balance_after FROM wallet_entry b
  WHERE b.account_id = e.account_id AND b.seq = e.seq - 1
) AS before ON true
WHERE coalesce(before.balance_after, 0) + e.amount <> e.balance_after
   OR (e.seq > 1) <> (before.balance_after IS NOT NULL)

UNION ALL
SELECT 'transfer and its two entries differ', format('transfer %s: %s', t.id, t.amount)
FROM transfer t
LEFT JOIN entry s ON s.transfer_id = t.id AND s.account_id = t.source_id AND s.amount = -t.amount
LEFT JOIN entry d ON d.transfer_id = t.id AND d.account_id = t.destination_id AND d.amount = t.amount
WHERE s.transfer_id IS NULL OR d.transfer_id IS NULL

UNION ALL
SELECT 'entries are not two for each transfer',
       format('%s entries of %s transfers', entries, transfers)
FROM (SELECT count(*) AS entries FROM entry) AS e,
     (SELECT count(*) AS transfers FROM transfer) AS t
WHERE entries <> 2 * transfers

UNION ALL
SELECT 'transfer is not in its accounts'' currency', format('transfer %s: %s', t.id, t.currency)
FROM transfer t
JOIN wallet_account s ON s.id = t.source_id
JOIN wallet_account d ON d.id = t.destination_id
WHERE s.currency <> t.currency OR d.currency <> t.currency

UNION ALL
SELECT 'transfer has one account on both sides', format('transfer %s: %s', id, amount)
FROM transfer WHERE source_id = destination_id

UNION ALL
SELECT 'transfer has no event', format('transfer %s: %s', t.id, t.amount)
FROM transfer t LEFT JOIN wallet_journal j ON j.id = t.journal_id WHERE j.id IS NULL

UNION ALL
SELECT 'event reverses one that is not there', format('%s: %s', j.key, j.reverses_id)
FROM wallet_journal j
WHERE j.id > coalesce((SELECT journal_id FROM wallet_transfer WHERE id = :after), 0)
  AND j.id <= coalesce((SELECT journal_id FROM wallet_transfer WHERE id = :until), 9223372036854775807)
  AND j.reverses_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM wallet_journal o WHERE o.id = j.reverses_id)

UNION ALL
-- Movements under a payment's reason belong to a payment marked as paid. checks.sql also checks the reverse.
SELECT 'payment differs from the ledger',
       format('%s: %s, moved %s', moved.key, coalesce(said.amount, 0), moved.amount)
FROM (
  -- Read the whole event, although the checked range may end inside it.
  SELECT j.key::text, t.reason::text, sum(t.amount) AS amount
  FROM (
    SELECT DISTINCT journal_id, reason FROM transfer
    WHERE reason IN ('DEPOSIT', 'WITHDRAWAL', 'TAX')
  ) AS seen
  JOIN wallet_transfer t ON t.journal_id = seen.journal_id AND t.reason = seen.reason
  JOIN wallet_journal j ON j.id = t.journal_id
  GROUP BY j.key, t.reason
) AS moved
LEFT JOIN (
  SELECT format('deposit:%s:%s', provider, reference) AS key, 'DEPOSIT' AS reason, amount
  FROM wallet_deposit WHERE state = 'PAID'
  UNION ALL
  SELECT format('withdrawal:%s:paid', reference), 'WITHDRAWAL', net
  FROM wallet_withdrawal WHERE state = 'PAID'
  UNION ALL
  SELECT format('withdrawal:%s:paid', reference), 'TAX', tax
  FROM wallet_withdrawal WHERE state = 'PAID' AND tax > 0
  UNION ALL
  SELECT format('tax:%s:%s', year, user_id), 'TAX', tax
  FROM wallet_year_end_tax WHERE state = 'DEDUCTED'
) AS said ON said.key = moved.key AND said.reason = moved.reason
WHERE said.amount IS DISTINCT FROM moved.amount
