-- ledger_post for a single line, the most common event: plain statements without arrays. Accounts are updated
-- in ascending order of their ids.
CREATE OR REPLACE FUNCTION ledger_post_line(
  p_key text,
  p_source_kind text, p_source_owner bigint, p_source_shard integer,
  p_destination_kind text, p_destination_owner bigint, p_destination_shard integer,
  p_currency text, p_amount bigint, p_reason text,
  p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_source_id bigint;
  v_source_seq bigint;
  v_source_balance bigint;
  v_destination_id bigint;
  v_destination_seq bigint;
  v_destination_balance bigint;
  v_transfer_id bigint;
  v_now timestamptz;
BEGIN
  IF (p_amount > 0
      AND (p_source_kind, p_source_owner, p_source_shard)
          <> (p_destination_kind, p_destination_owner, p_destination_shard)
      AND p_currency IS NOT NULL AND p_reason IS NOT NULL) IS NOT TRUE THEN
    RAISE EXCEPTION 'a line needs two accounts and a positive amount' USING ERRCODE = 'LG003';
  END IF;
  -- Hash the text of wallet_line[], as ledger_post does.
  INSERT INTO wallet_journal (key, request_hash, actor_id, subject, recorded_at)
  VALUES (p_key,
          sha256(convert_to(concat(
            '{"(', p_source_kind, ',', p_source_owner, ',', p_source_shard, ',',
            p_destination_kind, ',', p_destination_owner, ',', p_destination_shard, ',',
            p_currency, ',', p_amount, ',', p_reason, ')"}'), 'UTF8')),
          p_actor_id, p_subject, clock_timestamp())
  ON CONFLICT (key) DO NOTHING
  RETURNING id, false INTO journal_id, replayed;
  IF journal_id IS NULL THEN
    SELECT j.journal_id, j.replayed INTO journal_id, replayed
    FROM wallet_open_journal(
      p_key,
      ARRAY[ROW(p_source_kind, p_source_owner, p_source_shard,
                p_destination_kind, p_destination_owner, p_destination_shard,
                p_currency, p_amount, p_reason)::wallet_line]::text,
      p_actor_id, p_subject, NULL) AS j;
    RETURN;
  END IF;

  SELECT s.id, d.id INTO v_source_id, v_destination_id
  FROM wallet_account s, wallet_account d
  WHERE s.kind = p_source_kind AND s.owner_id = p_source_owner
    AND s.currency = p_currency AND s.shard = p_source_shard
    AND d.kind = p_destination_kind AND d.owner_id = p_destination_owner
    AND d.currency = p_currency AND d.shard = p_destination_shard;
  IF v_source_id IS NULL THEN
    SELECT f.sources[1], f.destinations[1] INTO v_source_id, v_destination_id
    FROM wallet_find_accounts(ARRAY[ROW(
      p_source_kind, p_source_owner, p_source_shard,
      p_destination_kind, p_destination_owner, p_destination_shard,
      p_currency, p_amount, p_reason)::wallet_line]) AS f;
  END IF;
  IF v_source_id < v_destination_id THEN
    UPDATE wallet_account SET balance = balance - p_amount, seq = seq + 1
    WHERE id = v_source_id AND closed_at IS NULL
    RETURNING balance, seq INTO v_source_balance, v_source_seq;
    UPDATE wallet_account SET balance = balance + p_amount, seq = seq + 1
    WHERE id = v_destination_id AND closed_at IS NULL
    RETURNING balance, seq INTO v_destination_balance, v_destination_seq;
  ELSE
    UPDATE wallet_account SET balance = balance + p_amount, seq = seq + 1
    WHERE id = v_destination_id AND closed_at IS NULL
    RETURNING balance, seq INTO v_destination_balance, v_destination_seq;
    UPDATE wallet_account SET balance = balance - p_amount, seq = seq + 1
    WHERE id = v_source_id AND closed_at IS NULL
    RETURNING balance, seq INTO v_source_balance, v_source_seq;
  END IF;
  IF v_source_seq IS NULL OR v_destination_seq IS NULL THEN
    RAISE EXCEPTION 'account closed' USING ERRCODE = 'LG002';
  END IF;
  INSERT INTO wallet_transfer
    (journal_id, line, source_id, destination_id, currency, amount, reason, happened_at)
  VALUES (journal_id, 1, v_source_id, v_destination_id, p_currency, p_amount, p_reason,
          clock_timestamp())
  RETURNING id, happened_at INTO v_transfer_id, v_now;
  INSERT INTO wallet_entry (account_id, seq, transfer_id, amount, balance_after, happened_at)
  VALUES
    (v_source_id, v_source_seq, v_transfer_id, -p_amount, v_source_balance, v_now),
    (v_destination_id, v_destination_seq, v_transfer_id, p_amount, v_destination_balance, v_now);
END $$;
REVOKE ALL ON FUNCTION ledger_post_line FROM PUBLIC;
