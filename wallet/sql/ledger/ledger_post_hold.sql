-- Posts a hold. Other lines may be given that take no more from any source than was held there; the rest is
-- released.
CREATE OR REPLACE FUNCTION ledger_post_hold(
  p_hold_id bigint, p_key text, p_lines wallet_line[] DEFAULT NULL,
  p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_lines wallet_line[] := p_lines;
  v_sources bigint[];
  v_destinations bigint[];
BEGIN
  SELECT j.journal_id, j.replayed INTO journal_id, replayed
  FROM wallet_open_journal(p_key, concat_ws(' ', 'post_hold', p_hold_id, p_lines::text),
                           p_actor_id, p_subject, NULL) AS j;
  IF replayed THEN
    RETURN;
  END IF;
  IF v_lines IS NULL THEN
    SELECT array_agg(ROW(s.kind, s.owner_id, s.shard, d.kind, d.owner_id, d.shard,
                         l.currency, l.amount, l.reason)::wallet_line ORDER BY l.line)
    INTO v_lines
    FROM wallet_hold_line l
    JOIN wallet_account s ON s.id = l.source_id
    JOIN wallet_account d ON d.id = l.destination_id
    WHERE l.hold_id = p_hold_id;
    IF v_lines IS NULL THEN
      RAISE EXCEPTION 'no hold %', p_hold_id USING ERRCODE = 'LG004';
    END IF;
  END IF;
  PERFORM wallet_check_lines(v_lines);
  SELECT f.sources, f.destinations INTO v_sources, v_destinations
  FROM wallet_find_accounts(v_lines) AS f;
  IF EXISTS (
    SELECT FROM (
      SELECT l.source_id, sum(l.amount) AS amount
      FROM unnest(v_sources, v_lines) AS l (
        source_id, source_kind, source_owner, source_shard,
        destination_kind, destination_owner, destination_shard, currency, amount, reason)
      GROUP BY l.source_id
    ) AS wanted
    WHERE wanted.amount > coalesce((
      SELECT sum(h.amount) FROM wallet_hold_line h
      WHERE h.hold_id = p_hold_id AND h.source_id = wanted.source_id), 0)
  ) THEN
    RAISE EXCEPTION 'more than hold % holds', p_hold_id USING ERRCODE = 'LG007';
  END IF;
  PERFORM wallet_end_hold(p_hold_id, 'POSTED', journal_id, v_sources || v_destinations);
  PERFORM wallet_write_lines(ARRAY[journal_id], NULL, v_lines);
END $$;
REVOKE ALL ON FUNCTION ledger_post_hold FROM PUBLIC;
