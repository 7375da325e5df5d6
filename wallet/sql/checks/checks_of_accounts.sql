-- Findings in the accounts' current state, as (finding, subject), and each currency's totals under the finding
-- 'total'. The time depends on the number of accounts, not on their history.

SELECT 'total', format('%s|%s|%s', currency, count(*), sum(balance) FILTER (WHERE balance > 0))
FROM wallet_account GROUP BY currency

UNION ALL
SELECT 'currency does not sum to zero', format('%s: %s', currency, sum(balance))
FROM wallet_account GROUP BY currency HAVING sum(balance) <> 0

UNION ALL
SELECT 'account is overdrawn',
       format('%s %s %s: %s with %s held', kind, owner_id, currency, balance, held)
FROM wallet_account
WHERE balance < held AND kind NOT IN ('MINT', 'DEPOSITS', 'BONUS_EXPENSE', 'OVERLAY', 'SUSPENSE',
                                         'DISPUTED')

UNION ALL
SELECT 'closed account is not empty', format('%s %s %s: %s', kind, owner_id, currency, balance)
FROM wallet_account WHERE closed_at IS NOT NULL AND (balance <> 0 OR held <> 0)

UNION ALL
SELECT 'held differs from the open holds',
       format('%s %s %s: %s, holds %s', a.kind, a.owner_id, a.currency, a.held,
              coalesce(h.amount, 0))
FROM wallet_account a
LEFT JOIN (
  SELECT l.source_id, sum(l.amount) AS amount
  FROM wallet_hold_line l LEFT JOIN wallet_hold_resolution r ON r.hold_id = l.hold_id
  WHERE r.hold_id IS NULL GROUP BY l.source_id
) AS h ON h.source_id = a.id
WHERE a.held <> coalesce(h.amount, 0)

UNION ALL
-- Money is held exactly as long as a withdrawal may still be paid.
SELECT 'withdrawal and its hold disagree', format('%s: %s', w.reference, w.state)
FROM wallet_withdrawal w LEFT JOIN wallet_hold_resolution r ON r.hold_id = w.hold_id
WHERE CASE
  WHEN w.state IN ('REQUESTED', 'NEEDS_SECOND', 'APPROVED', 'SENT') THEN r.hold_id IS NOT NULL
  WHEN w.state IN ('REFUSED', 'CANCELLED', 'FAILED') THEN r.outcome IS DISTINCT FROM 'VOIDED'
  WHEN w.state = 'PAID' THEN r.hold_id IS NULL
  ELSE false END

UNION ALL
-- What is held back for a case, less what the provider has taken, is the balance of the case's account.
SELECT 'case and its account disagree',
       format('%s: holds %s, taken %s, balance %s', coalesce(c.id, a.owner_id), c.held, c.taken,
              coalesce(a.balance, 0))
FROM wallet_payment_case c
FULL JOIN (SELECT * FROM wallet_account WHERE kind = 'DISPUTED') AS a ON a.owner_id = c.id
WHERE coalesce(c.held - c.taken, 0) <> coalesce(a.balance, 0)
