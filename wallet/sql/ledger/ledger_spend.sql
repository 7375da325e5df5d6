-- Pays cash from three buckets in this order: the bonus, up to p_bonus_bps of the amount, then deposits, then
-- winnings. It is decided here because the balances are locked here. p_line holds the whole amount, with the
-- player's PLAYER account as its source; the stored transfers record the buckets, for a refund in the same
-- proportion. A repeated call returns the first result, even if the bonus share has changed since.
CREATE OR REPLACE FUNCTION ledger_spend(
  p_key text, p_line wallet_line, p_bonus_bps integer,
  p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  c_buckets CONSTANT text[] := ARRAY['BONUS', 'PLAYER', 'WINNINGS'];
  v_lines wallet_line[];
  v_sources bigint[];
  v_destinations bigint[];
  v_free bigint[];
  v_bonus bigint;
  v_deposit bigint;
BEGIN
  PERFORM wallet_check_lines(ARRAY[p_line]);
  IF (p_line.source_kind = 'PLAYER' AND p_line.source_shard = 0 AND p_line.currency = 'INR'
      AND p_line.destination_kind <> ALL (c_buckets)
      AND p_bonus_bps BETWEEN 0 AND 10000) IS NOT TRUE THEN
    RAISE EXCEPTION 'only a player''s cash has buckets' USING ERRCODE = 'LG003';
  END IF;
  SELECT j.journal_id, j.replayed INTO journal_id, replayed
  FROM wallet_open_journal(p_key, 'spend ' || p_line::text, p_actor_id, p_subject, NULL) AS j;
  IF replayed THEN
    RETURN;
  END IF;
  SELECT array_agg(ROW(bucket, p_line.source_owner, 0,
                       p_line.destination_kind, p_line.destination_owner, p_line.destination_shard,
                       p_line.currency, p_line.amount, p_line.reason)::wallet_line ORDER BY place)
  INTO v_lines
  FROM unnest(c_buckets) WITH ORDINALITY AS b (bucket, place);
  SELECT f.sources, f.destinations INTO v_sources, v_destinations
  FROM wallet_find_accounts(v_lines) AS f;
  PERFORM wallet_lock_accounts(v_sources || v_destinations);
  SELECT array_agg(a.balance - a.held ORDER BY array_position(v_sources, a.id)) INTO v_free
  FROM wallet_account a WHERE a.id = ANY (v_sources);
  v_bonus := least(v_free[1], trunc(p_line.amount::numeric * p_bonus_bps / 10000));
  v_deposit := least(v_free[2], p_line.amount - v_bonus);
  v_lines[1].amount := v_bonus;
  v_lines[2].amount := v_deposit;
  -- The winnings account's floor refuses an amount beyond its balance.
  v_lines[3].amount := p_line.amount - v_bonus - v_deposit;
  SELECT array_agg(ROW(source_kind, source_owner, source_shard,
                       destination_kind, destination_owner, destination_shard,
                       currency, amount, reason)::wallet_line ORDER BY place)
  INTO v_lines
  FROM unnest(v_lines) WITH ORDINALITY AS l (
    source_kind, source_owner, source_shard,
    destination_kind, destination_owner, destination_shard, currency, amount, reason, place)
  WHERE amount > 0;
  PERFORM wallet_write_lines(ARRAY[journal_id], NULL, v_lines);
END $$;
REVOKE ALL ON FUNCTION ledger_spend FROM PUBLIC;
