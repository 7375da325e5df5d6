-- Moves the money of all lines in one statement. p_journals and p_numbers give each line's journal and its
-- position there; a single journal may be given for all lines. Within a call an account receives before it
-- pays, so that no entry shows a balance below zero.
CREATE OR REPLACE FUNCTION wallet_write_lines(p_journals bigint[], p_numbers integer[], p_lines wallet_line[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_sources bigint[];
  v_destinations bigint[];
  v_now timestamptz;
BEGIN
  SELECT f.sources, f.destinations INTO v_sources, v_destinations
  FROM wallet_find_accounts(p_lines) AS f;
  PERFORM wallet_lock_accounts(v_sources || v_destinations);
  v_now := clock_timestamp();
  WITH line AS MATERIALIZED (
    SELECT nextval('wallet_transfer_id_seq') AS id, coalesce(l.journal_id, p_journals[1]) AS journal_id,
           coalesce(l.number, l.place::integer) AS number, l.place,
           l.source_id, l.destination_id, l.currency, l.amount, l.reason
    FROM unnest(p_journals, p_numbers, v_sources, v_destinations, p_lines) WITH ORDINALITY AS l (
      journal_id, number, source_id, destination_id,
      source_kind, source_owner, source_shard,
      destination_kind, destination_owner, destination_shard, currency, amount, reason, place)
  ), side AS (
    SELECT line.id AS transfer_id, line.place, s.account_id, s.amount
    FROM line CROSS JOIN LATERAL (VALUES
      (line.source_id, -line.amount), (line.destination_id, line.amount)) AS s (account_id, amount)
  ), net AS (
    -- One update per account, however many lines it has: repeated updates of one row in one transaction take
    -- quadratic time.
    SELECT account_id, sum(amount)::bigint AS amount, count(*) AS entries FROM side GROUP BY account_id
  ), moved AS (
    UPDATE wallet_account a SET balance = a.balance + net.amount, seq = a.seq + net.entries
    FROM net WHERE a.id = net.account_id
    RETURNING a.id, a.balance - net.amount AS balance, a.seq - net.entries AS seq
  ), written AS (
    INSERT INTO wallet_transfer
      (id, journal_id, line, source_id, destination_id, currency, amount, reason, happened_at)
    SELECT id, journal_id, number, source_id, destination_id, currency, amount, reason, v_now FROM line
  )
  INSERT INTO wallet_entry (account_id, seq, transfer_id, amount, balance_after, happened_at)
  SELECT moved.id, moved.seq + row_number() OVER sofar, side.transfer_id, side.amount,
         moved.balance + (sum(side.amount) OVER sofar)::bigint, v_now
  FROM side JOIN moved ON moved.id = side.account_id
  WINDOW sofar AS (PARTITION BY side.account_id ORDER BY side.amount < 0, side.place
                   ROWS UNBOUNDED PRECEDING);
END $$;
REVOKE ALL ON FUNCTION wallet_write_lines FROM PUBLIC;
