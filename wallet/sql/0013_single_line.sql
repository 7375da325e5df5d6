-- A posting of one line in half the time (docs/adr/0007-what-guards-a-posting.md).

-- A table's CHECK is read and planned anew by every statement; a domain's is not.
CREATE DOMAIN wallet_amount AS bigint
  CONSTRAINT wallet_transfer_amount_is_positive CHECK (VALUE > 0);
CREATE DOMAIN wallet_held AS bigint
  CONSTRAINT wallet_account_held_is_not_negative CHECK (VALUE >= 0);
ALTER TABLE wallet_transfer
  DROP CONSTRAINT wallet_transfer_amount_is_positive,
  -- The posting functions compare what the accounts are for; checks.sql compares the accounts.
  DROP CONSTRAINT wallet_transfer_accounts_differ,
  ALTER COLUMN amount TYPE wallet_amount;
ALTER TABLE wallet_account
  DROP CONSTRAINT wallet_account_held_is_not_negative,
  DROP CONSTRAINT wallet_account_closes_empty,
  ALTER COLUMN held TYPE wallet_held;
-- An entry is as large as its transfer, which checks.sql compares.
ALTER TABLE wallet_entry DROP CONSTRAINT wallet_entry_amount_is_not_zero;

-- Closing is seldom, so it and not every posting looks whether the account is empty. The posting
-- functions leave a closed one alone.
CREATE FUNCTION wallet_check_closing() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'only an empty account closes'
    USING ERRCODE = '23514', CONSTRAINT = 'wallet_account_closes_empty';
END $$;
REVOKE ALL ON FUNCTION wallet_check_closing FROM PUBLIC;
CREATE TRIGGER wallet_account_closes_empty
  AFTER UPDATE OF closed_at ON wallet_account FOR EACH ROW
  WHEN (NEW.closed_at IS NOT NULL AND (NEW.balance <> 0 OR NEW.held <> 0))
  EXECUTE FUNCTION wallet_check_closing();

-- Once for a statement: a trigger before each row locks the row and writes that to the log, even when
-- none of its columns is changed.
DROP TRIGGER wallet_account_keeps_its_purpose ON wallet_account;
CREATE TRIGGER wallet_account_keeps_its_purpose
  BEFORE UPDATE OF id, kind, owner_id, currency, shard, may_be_negative, opened_at ON wallet_account
  FOR EACH STATEMENT EXECUTE FUNCTION wallet_refuse_change();

-- ledger_post for one line, the commonest event: plain statements without arrays. Accounts are
-- updated in ascending order of their ids.
CREATE FUNCTION ledger_post_line(
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
  -- What is hashed is the text of wallet_line[], which ledger_post hashes.
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

-- One event: all its lines or none. The same key with the same lines answers as the first time.
CREATE OR REPLACE FUNCTION ledger_post(
  p_key text, p_lines wallet_line[], p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_line wallet_line := p_lines[1];
BEGIN
  IF cardinality(p_lines) = 1 AND array_lower(p_lines, 1) = 1 THEN
    SELECT l.journal_id, l.replayed INTO journal_id, replayed
    FROM ledger_post_line(
      p_key, v_line.source_kind, v_line.source_owner, v_line.source_shard,
      v_line.destination_kind, v_line.destination_owner, v_line.destination_shard,
      v_line.currency, v_line.amount, v_line.reason, p_actor_id, p_subject) AS l;
    RETURN;
  END IF;
  PERFORM wallet_check_lines(p_lines);
  SELECT j.journal_id, j.replayed INTO journal_id, replayed
  FROM wallet_open_journal(p_key, p_lines::text, p_actor_id, p_subject, NULL) AS j;
  IF NOT replayed THEN
    PERFORM wallet_write_lines(ARRAY[journal_id], NULL, p_lines);
  END IF;
END $$;
