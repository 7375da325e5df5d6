-- Posts one event, all its lines or none. The same key with the same lines returns the first result.
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
REVOKE ALL ON FUNCTION ledger_post FROM PUBLIC;
