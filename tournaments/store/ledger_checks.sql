-- Tournaments compared with their prize pools, as (finding, subject).

SELECT 'tournament that is over and its prize pool disagree',
       format('tournament %s: %s %s, unused tickets %s', t.id, a.balance, a.currency, tickets.price)
FROM wallet_account a
JOIN tournaments_tournament t ON t.id = a.owner_id
CROSS JOIN LATERAL (
  -- A ticket's price stays in the pool in which it was won until the ticket is used.
  SELECT coalesce(sum(k.price), 0) AS price FROM tournaments_ticket k
  WHERE k.won_in_id = t.id AND k.used_at IS NULL AND k.currency = a.currency
) AS tickets
WHERE a.kind = 'PRIZE_POOL' AND t.status IN ('FINISHED', 'CANCELLED')
  -- A cancelled tournament's fees are refunded over a while (tournaments/running/cancelling.py).
  AND NOT (t.status = 'CANCELLED' AND t.wound_up_at IS NULL
           AND t.ended_at > clock_timestamp() - interval '1 hour')
  AND a.balance <> tickets.price
