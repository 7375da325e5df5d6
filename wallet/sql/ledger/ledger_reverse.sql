-- Posts the opposite of an event, once. If the money has been spent since, it fails like any posting.
CREATE OR REPLACE FUNCTION ledger_reverse(
  p_key text, p_journal_id bigint, p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_lines wallet_line[];
BEGIN
  SELECT j.journal_id, j.replayed INTO journal_id, replayed
  FROM wallet_open_journal(
    p_key, 'reverse ' || p_journal_id, p_actor_id, p_subject, p_journal_id) AS j;
  IF replayed THEN
    RETURN;
  END IF;
  SELECT array_agg(ROW(d.kind, d.owner_id, d.shard, s.kind, s.owner_id, s.shard,
                       t.currency, t.amount, 'REVERSAL')::wallet_line ORDER BY t.line DESC)
  INTO v_lines
  FROM wallet_transfer t
  JOIN wallet_account s ON s.id = t.source_id
  JOIN wallet_account d ON d.id = t.destination_id
  WHERE t.journal_id = p_journal_id;
  IF v_lines IS NULL THEN
    RAISE EXCEPTION 'journal % moved nothing', p_journal_id USING ERRCODE = 'LG009';
  END IF;
  PERFORM wallet_write_lines(ARRAY[journal_id], NULL, v_lines);
END $$;
REVOKE ALL ON FUNCTION ledger_reverse FROM PUBLIC;
