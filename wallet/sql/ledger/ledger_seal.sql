-- Seals at most p_most transfers and returns their number; 0 means that nothing more can be sealed now.
--
-- A smaller id than the largest visible one may still appear, from a running transaction. So sealing takes
-- two steps. First, store the largest visible id and the next transaction's number. A transaction with a
-- smaller id received its number before that (its event is written first), so once all of those have
-- ended, no smaller id can appear any more.
CREATE OR REPLACE FUNCTION ledger_seal(p_most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  v_horizon wallet_seal_horizon;
  v_before wallet_seal;
  v_seal wallet_seal;
  v_bytes bytea;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('ledger_seal', 0)) THEN
    RETURN 0;
  END IF;
  SELECT * INTO v_before FROM wallet_seal ORDER BY number DESC LIMIT 1;
  v_before.number := coalesce(v_before.number, 0);
  v_before.last_transfer_id := coalesce(v_before.last_transfer_id, 0);
  v_before.hash := coalesce(v_before.hash, decode(repeat('00', 32), 'hex'));
  SELECT * INTO v_horizon FROM wallet_seal_horizon;
  -- A database that was restored elsewhere restarts its transaction numbers.
  IF v_horizon.id IS NULL OR v_horizon.transfer_id <= v_before.last_transfer_id
     OR v_horizon.transaction_id > pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN
    INSERT INTO wallet_seal_horizon (id, transfer_id, transaction_id)
    SELECT 1, max(id), pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    FROM wallet_transfer HAVING max(id) > v_before.last_transfer_id
    ON CONFLICT (id) DO UPDATE
    SET transfer_id = excluded.transfer_id, transaction_id = excluded.transaction_id;
    RETURN 0;
  END IF;
  IF pg_snapshot_xmin(pg_current_snapshot())::text::bigint < v_horizon.transaction_id THEN
    RETURN 0;
  END IF;
  SELECT count(*), min(id), max(id)
  INTO v_seal.transfers, v_seal.first_transfer_id, v_seal.last_transfer_id
  FROM (
    SELECT id FROM wallet_transfer
    WHERE id > v_before.last_transfer_id AND id <= v_horizon.transfer_id ORDER BY id LIMIT p_most
  ) AS next;
  -- The same bytes as in seals.sql.
  SELECT string_agg(record_send(ROW(
    t.id, t.journal_id, t.line, t.source_id, t.destination_id, t.currency::text,
    t.amount::bigint, t.reason::text, t.happened_at, e.entries, j.key::text,
    j.request_hash, j.actor_id, j.reverses_id, j.recorded_at, j.subject)), ''::bytea ORDER BY t.id)
  INTO v_bytes
  FROM wallet_transfer t
  LEFT JOIN wallet_journal j ON j.id = t.journal_id
  LEFT JOIN (
    SELECT transfer_id, string_agg(
      record_send(ROW(account_id, seq, amount, balance_after, happened_at)), ''::bytea
      ORDER BY account_id, seq) AS entries
    FROM wallet_entry
    WHERE transfer_id > v_before.last_transfer_id AND transfer_id <= v_seal.last_transfer_id
    GROUP BY transfer_id
  ) AS e ON e.transfer_id = t.id
  WHERE t.id > v_before.last_transfer_id AND t.id <= v_seal.last_transfer_id;
  INSERT INTO wallet_seal (number, first_transfer_id, last_transfer_id, transfers,
                           previous_hash, hash, sealed_at)
  VALUES (v_before.number + 1, v_seal.first_transfer_id, v_seal.last_transfer_id, v_seal.transfers,
          v_before.hash, sha256(v_before.hash || v_bytes), clock_timestamp());
  RETURN v_seal.transfers;
END $$;
REVOKE ALL ON FUNCTION ledger_seal FROM PUBLIC;
