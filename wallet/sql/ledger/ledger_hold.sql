-- The request's hash leaves out the expiry, because a repeated call computes another one.
CREATE OR REPLACE FUNCTION ledger_hold(
  p_key text, p_lines wallet_line[], p_expires_at timestamptz,
  p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT hold_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_journal_id bigint;
  v_sources bigint[];
  v_destinations bigint[];
BEGIN
  PERFORM wallet_check_lines(p_lines);
  SELECT j.journal_id, j.replayed INTO v_journal_id, replayed
  FROM wallet_open_journal(p_key, 'hold ' || p_lines::text, p_actor_id, p_subject, NULL) AS j;
  IF replayed THEN
    SELECT h.id INTO hold_id FROM wallet_hold h WHERE h.journal_id = v_journal_id;
    RETURN;
  END IF;
  SELECT f.sources, f.destinations INTO v_sources, v_destinations
  FROM wallet_find_accounts(p_lines) AS f;
  PERFORM wallet_lock_accounts(v_sources);
  IF p_expires_at > clock_timestamp() IS NOT TRUE THEN
    RAISE EXCEPTION 'a hold ends in the future' USING ERRCODE = 'LG006';
  END IF;
  UPDATE wallet_account a SET held = a.held + h.amount
  FROM (SELECT l.source_id, sum(l.amount)::bigint AS amount
        FROM unnest(v_sources, p_lines) AS l (
          source_id, source_kind, source_owner, source_shard,
          destination_kind, destination_owner, destination_shard, currency, amount, reason)
        GROUP BY l.source_id) AS h
  WHERE a.id = h.source_id;
  INSERT INTO wallet_hold (journal_id, expires_at) VALUES (v_journal_id, p_expires_at)
  RETURNING id INTO hold_id;
  INSERT INTO wallet_hold_line
    (hold_id, line, source_id, destination_id, currency, amount, reason)
  SELECT ledger_hold.hold_id, l.place, l.source_id, l.destination_id, l.currency, l.amount, l.reason
  FROM unnest(v_sources, v_destinations, p_lines) WITH ORDINALITY AS l (
    source_id, destination_id, source_kind, source_owner, source_shard,
    destination_kind, destination_owner, destination_shard, currency, amount, reason, place);
END $$;
REVOKE ALL ON FUNCTION ledger_hold FROM PUBLIC;
