-- The only way money moves. The application's role may call ledger_* and may write nothing itself.
--
-- Order of work, the same everywhere: journal key, accounts (locked ascending), transfers, entries.
-- The key comes first so that a repeated call waits for the first one and then sees its result;
-- ascending locks cannot deadlock; transfers and entries come last because their foreign keys lock
-- the accounts' rows again, which slows a hot account down if it happens before the update.
--
-- Refusals by SQLSTATE: LG001 key used for something else, LG002 account closed, LG003 malformed
-- line, LG004 no such hold, LG005 hold already resolved, LG006 hold expired, LG007 more than held,
-- LG008 change of history, LG009 nothing to reverse, LG010 entries without their transfer, LG011 hold not
-- expired yet, LG012 nothing to move (never leaves). 23514 on
-- wallet_account_is_never_overdrawn: not enough money.

CREATE TYPE wallet_line AS (
  source_kind wallet_kind, source_owner bigint, source_shard smallint,
  destination_kind wallet_kind, destination_owner bigint, destination_shard smallint,
  currency wallet_currency, amount bigint, reason wallet_reason
);

-- The journal of a key, new or found. A found one must have been asked for the same thing.
CREATE FUNCTION wallet_open_journal(
  p_key text, p_request text, p_actor_id bigint, p_subject text, p_reverses_id bigint,
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql AS $$
DECLARE
  v_hash bytea := sha256(convert_to(p_request, 'UTF8'));
  v_found bytea;
BEGIN
  INSERT INTO wallet_journal (key, request_hash, actor_id, subject, reverses_id, recorded_at)
  VALUES (p_key, v_hash, p_actor_id, p_subject, p_reverses_id, clock_timestamp())
  ON CONFLICT (key) DO NOTHING
  RETURNING id INTO journal_id;
  replayed := journal_id IS NULL;
  IF replayed THEN
    SELECT id, request_hash INTO journal_id, v_found FROM wallet_journal WHERE key = p_key;
    IF v_found IS DISTINCT FROM v_hash THEN
      RAISE EXCEPTION 'key % was used for something else', p_key USING ERRCODE = 'LG001';
    END IF;
  END IF;
END $$;

CREATE FUNCTION wallet_check_lines(p_lines wallet_line[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(cardinality(p_lines), 0) = 0 OR EXISTS (
    SELECT FROM unnest(p_lines) AS l
    WHERE (l.amount > 0
           AND (l.source_kind, l.source_owner, l.source_shard)
               <> (l.destination_kind, l.destination_owner, l.destination_shard)
           AND l.currency IS NOT NULL AND l.reason IS NOT NULL) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'a line needs two accounts and a positive amount' USING ERRCODE = 'LG003';
  END IF;
END $$;

-- The ids of each line's accounts; accounts that do not exist yet are made.
CREATE FUNCTION wallet_find_accounts(
  p_lines wallet_line[], OUT sources bigint[], OUT destinations bigint[]
) LANGUAGE plpgsql AS $$
BEGIN
  FOR attempt IN 1..2 LOOP
    SELECT array_agg(s.id ORDER BY l.place), array_agg(d.id ORDER BY l.place)
    INTO sources, destinations
    FROM unnest(p_lines) WITH ORDINALITY AS l (
      source_kind, source_owner, source_shard,
      destination_kind, destination_owner, destination_shard, currency, amount, reason, place)
    LEFT JOIN wallet_account s ON s.kind = l.source_kind AND s.owner_id = l.source_owner
      AND s.currency = l.currency AND s.shard = l.source_shard
    LEFT JOIN wallet_account d ON d.kind = l.destination_kind AND d.owner_id = l.destination_owner
      AND d.currency = l.currency AND d.shard = l.destination_shard;
    EXIT WHEN array_position(sources, NULL) IS NULL AND array_position(destinations, NULL) IS NULL;
    -- In the order of the unique index, so that two sessions that make the same accounts queue up.
    INSERT INTO wallet_account (kind, owner_id, currency, shard, opened_at)
    SELECT DISTINCT side.kind, side.owner_id, l.currency, side.shard, clock_timestamp()
    FROM unnest(p_lines) AS l
    CROSS JOIN LATERAL (VALUES
      (l.source_kind, l.source_owner, l.source_shard),
      (l.destination_kind, l.destination_owner, l.destination_shard)
    ) AS side (kind, owner_id, shard)
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (kind, owner_id, currency, shard) DO NOTHING;
  END LOOP;
END $$;

-- Its own statement: the balances that the next one reads are those after the wait.
CREATE FUNCTION wallet_lock_accounts(p_ids bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_closed text;
BEGIN
  SELECT string_agg(kind || ' ' || owner_id, ', ') FILTER (WHERE closed_at IS NOT NULL)
  INTO v_closed
  FROM (
    SELECT kind, owner_id, closed_at FROM wallet_account
    WHERE id = ANY (p_ids) ORDER BY id FOR NO KEY UPDATE
  ) AS locked;
  IF v_closed IS NOT NULL THEN
    RAISE EXCEPTION 'account closed: %', v_closed USING ERRCODE = 'LG002';
  END IF;
END $$;

-- Moves the money of all lines in one statement. p_journals and p_numbers name each line's journal
-- and its place there; one journal for all lines may be given alone.
-- In one call an account receives before it pays, so no entry shows a balance below zero.
CREATE FUNCTION wallet_write_lines(p_journals bigint[], p_numbers integer[], p_lines wallet_line[])
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
    -- One update for each account however many lines it has: many updates of one row in one
    -- transaction take quadratic time.
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

-- One event: all its lines or none. The same key with the same lines answers as the first time.
-- A single line, the commonest event, is written here in plain statements: three times as fast as
-- the general way through wallet_write_lines.
CREATE FUNCTION ledger_post(
  p_key text, p_lines wallet_line[], p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_line wallet_line := p_lines[1];
  v_source_id bigint;
  v_source_seq bigint;
  v_source_balance bigint;
  v_source_closed_at timestamptz;
  v_destination_id bigint;
  v_destination_seq bigint;
  v_destination_balance bigint;
  v_destination_closed_at timestamptz;
  v_transfer_id bigint;
  v_now timestamptz;
BEGIN
  -- The rule of wallet_check_lines, without a query where one line is all.
  IF (cardinality(p_lines) = 1 AND v_line.amount > 0
      AND (v_line.source_kind, v_line.source_owner, v_line.source_shard)
          <> (v_line.destination_kind, v_line.destination_owner, v_line.destination_shard)
      AND v_line.currency IS NOT NULL AND v_line.reason IS NOT NULL) IS NOT TRUE THEN
    PERFORM wallet_check_lines(p_lines);
  END IF;
  INSERT INTO wallet_journal (key, request_hash, actor_id, subject, recorded_at)
  VALUES (p_key, sha256(convert_to(p_lines::text, 'UTF8')), p_actor_id, p_subject, clock_timestamp())
  ON CONFLICT (key) DO NOTHING
  RETURNING id INTO journal_id;
  replayed := journal_id IS NULL;
  IF replayed THEN
    SELECT j.journal_id INTO journal_id
    FROM wallet_open_journal(p_key, p_lines::text, p_actor_id, p_subject, NULL) AS j;
    RETURN;
  ELSIF cardinality(p_lines) > 1 THEN
    PERFORM wallet_write_lines(ARRAY[journal_id], NULL, p_lines);
    RETURN;
  END IF;

  SELECT s.id, d.id INTO v_source_id, v_destination_id
  FROM wallet_account s, wallet_account d
  WHERE s.kind = v_line.source_kind AND s.owner_id = v_line.source_owner
    AND s.currency = v_line.currency AND s.shard = v_line.source_shard
    AND d.kind = v_line.destination_kind AND d.owner_id = v_line.destination_owner
    AND d.currency = v_line.currency AND d.shard = v_line.destination_shard;
  IF NOT FOUND THEN
    SELECT f.sources[1], f.destinations[1] INTO v_source_id, v_destination_id
    FROM wallet_find_accounts(p_lines) AS f;
  END IF;
  IF v_source_id < v_destination_id THEN
    UPDATE wallet_account SET balance = balance - v_line.amount, seq = seq + 1
    WHERE id = v_source_id
    RETURNING balance, seq, closed_at INTO v_source_balance, v_source_seq, v_source_closed_at;
  END IF;
  UPDATE wallet_account SET balance = balance + v_line.amount, seq = seq + 1
  WHERE id = v_destination_id
  RETURNING balance, seq, closed_at
  INTO v_destination_balance, v_destination_seq, v_destination_closed_at;
  IF v_source_id > v_destination_id THEN
    UPDATE wallet_account SET balance = balance - v_line.amount, seq = seq + 1
    WHERE id = v_source_id
    RETURNING balance, seq, closed_at INTO v_source_balance, v_source_seq, v_source_closed_at;
  END IF;
  IF v_source_closed_at IS NOT NULL OR v_destination_closed_at IS NOT NULL THEN
    RAISE EXCEPTION 'account closed' USING ERRCODE = 'LG002';
  END IF;
  v_now := clock_timestamp();
  INSERT INTO wallet_transfer
    (journal_id, line, source_id, destination_id, currency, amount, reason, happened_at)
  VALUES (journal_id, 1, v_source_id, v_destination_id, v_line.currency, v_line.amount,
          v_line.reason, v_now)
  RETURNING id INTO v_transfer_id;
  INSERT INTO wallet_entry (account_id, seq, transfer_id, amount, balance_after, happened_at)
  VALUES
    (v_source_id, v_source_seq, v_transfer_id, -v_line.amount, v_source_balance, v_now),
    (v_destination_id, v_destination_seq, v_transfer_id, v_line.amount, v_destination_balance, v_now);
END $$;
