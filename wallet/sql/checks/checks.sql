-- Findings in the ledger's whole history, as (finding, subject). checks_since.sql checks the same for
-- everything since the last check.

-- Entries are numbered from 1 without a gap, so a deleted one is noticed.
SELECT 'account differs from its entries',
       format('%s %s %s: %s, entries %s', a.kind, a.owner_id, a.currency, a.balance,
              coalesce(e.amount, 0))
FROM wallet_account a
LEFT JOIN (
  SELECT account_id, sum(amount) AS amount, count(*) AS number, min(seq) AS first, max(seq) AS last
  FROM wallet_entry GROUP BY account_id
) AS e ON e.account_id = a.id
WHERE (a.balance, a.seq) <> (coalesce(e.amount, 0), coalesce(e.number, 0))
   OR e.first <> 1 OR e.last <> e.number

UNION ALL
SELECT 'entry does not follow from the one before',
       format('account %s, entry %s: %s', e.account_id, e.seq, e.balance_after)
FROM wallet_entry e
LEFT JOIN wallet_entry before ON before.account_id = e.account_id AND before.seq = e.seq - 1
WHERE coalesce(before.balance_after, 0) + e.amount <> e.balance_after

UNION ALL
-- Every side of a transfer is an entry, and there are no more entries than sides. One statement for each side,
-- because a defect may affect one side only.
SELECT 'transfer and its two entries differ', format('transfer %s: %s', id, amount)
FROM wallet_transfer t
WHERE NOT EXISTS (
  SELECT FROM wallet_entry e
  WHERE e.amount < 0 AND e.transfer_id = t.id AND e.account_id = t.source_id
    AND e.amount = -t.amount)

UNION ALL
SELECT 'transfer and its two entries differ', format('transfer %s: %s', id, amount)
FROM wallet_transfer t
WHERE NOT EXISTS (
  SELECT FROM wallet_entry e
  WHERE e.amount > 0 AND e.transfer_id = t.id AND e.account_id = t.destination_id
    AND e.amount = t.amount)

UNION ALL
SELECT 'entries are not two for each transfer', format('%s entries of %s transfers', entries, transfers)
FROM (SELECT count(*) AS entries FROM wallet_entry) AS e,
     (SELECT count(*) AS transfers FROM wallet_transfer) AS t
WHERE entries <> 2 * transfers

UNION ALL
SELECT 'transfer is not in its accounts'' currency', format('transfer %s: %s', t.id, t.currency)
FROM wallet_transfer t
JOIN wallet_account s ON s.id = t.source_id
JOIN wallet_account d ON d.id = t.destination_id
WHERE s.currency <> t.currency OR d.currency <> t.currency

UNION ALL
SELECT 'transfer has one account on both sides', format('transfer %s: %s', id, amount)
FROM wallet_transfer WHERE source_id = destination_id

UNION ALL
SELECT 'event reverses one that is not there', format('%s: %s', j.key, j.reverses_id)
FROM wallet_journal j
WHERE j.reverses_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM wallet_journal o WHERE o.id = j.reverses_id)

UNION ALL
SELECT CASE WHEN j.id IS NULL THEN 'transfer has no event'
            ELSE 'event moved nothing and held nothing' END,
       coalesce(j.key, format('transfer %s: %s', t.id, t.amount))
FROM wallet_transfer t FULL JOIN wallet_journal j ON j.id = t.journal_id
WHERE j.id IS NULL OR t.id IS NULL
  AND NOT EXISTS (SELECT FROM wallet_hold h WHERE h.journal_id = j.id)
  AND NOT EXISTS (SELECT FROM wallet_hold_resolution r WHERE r.journal_id = j.id)

UNION ALL
-- Payments marked as paid have moved completely, and nothing else has moved under their reasons.
SELECT 'payment differs from the ledger', format('%s: %s, moved %s', key, said, moved)
FROM (
  SELECT coalesce(said.key, moved.key) AS key, coalesce(said.amount, 0) AS said,
         coalesce(moved.amount, 0) AS moved
  FROM (
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
  ) AS said
  FULL JOIN (
    SELECT j.key::text, t.reason::text, sum(t.amount) AS amount
    FROM wallet_transfer t JOIN wallet_journal j ON j.id = t.journal_id
    WHERE t.reason IN ('DEPOSIT', 'WITHDRAWAL', 'TAX') GROUP BY j.key, t.reason
  ) AS moved ON moved.key = said.key AND moved.reason = said.reason
) AS payment
WHERE said <> moved
