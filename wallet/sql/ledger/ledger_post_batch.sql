-- Posts many events in one statement, all or none. p_events refers to each line's key by its position in
-- p_keys. Keys that were posted before are skipped and returned as replayed.
CREATE OR REPLACE FUNCTION ledger_post_batch(
  p_keys text[], p_events integer[], p_lines wallet_line[],
  p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT ''
) RETURNS TABLE (posted_key text, journal_id bigint, replayed boolean)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_hashes bytea[];
  v_opened bigint[];
  v_journals bigint[];
  v_replayed boolean[];
  v_conflict text;
  v_line_journals bigint[];
  v_line_numbers integer[];
  v_lines wallet_line[];
BEGIN
  PERFORM wallet_check_lines(p_lines);
  IF cardinality(p_events) IS DISTINCT FROM cardinality(p_lines)
     OR (SELECT count(DISTINCT k) FROM unnest(p_keys) AS k) <> cardinality(p_keys)
     OR (SELECT array_agg(DISTINCT e ORDER BY e) FROM unnest(p_events) AS e)
        IS DISTINCT FROM ARRAY(SELECT generate_series(1, cardinality(p_keys)))
  THEN
    RAISE EXCEPTION 'every line needs one key and every key a line' USING ERRCODE = 'LG003';
  END IF;

  -- The hash of an event's lines equals that of ledger_post.
  SELECT array_agg(e.hash ORDER BY e.event) INTO v_hashes
  FROM (
    SELECT l.event, sha256(convert_to(array_agg(
        ROW(l.source_kind, l.source_owner, l.source_shard,
            l.destination_kind, l.destination_owner, l.destination_shard,
            l.currency, l.amount, l.reason)::wallet_line ORDER BY l.place)::text, 'UTF8')) AS hash
    FROM unnest(p_events, p_lines) WITH ORDINALITY AS l (
      event, source_kind, source_owner, source_shard,
      destination_kind, destination_owner, destination_shard, currency, amount, reason, place)
    GROUP BY l.event
  ) AS e;

  -- Sorted, so that two batches with the same keys wait for each other instead of deadlocking.
  WITH opened AS (
    INSERT INTO wallet_journal (key, request_hash, actor_id, subject, recorded_at)
    SELECT e.key, e.hash, p_actor_id, p_subject, clock_timestamp()
    FROM unnest(p_keys, v_hashes) AS e (key, hash) ORDER BY e.key
    ON CONFLICT (key) DO NOTHING
    RETURNING id
  )
  SELECT coalesce(array_agg(id), '{}') INTO v_opened FROM opened;
  -- A separate statement: it sees what others committed while the insert waited.
  SELECT array_agg(j.id ORDER BY e.place),
         string_agg(e.key, ', ') FILTER (WHERE j.request_hash <> e.hash)
  INTO v_journals, v_conflict
  FROM unnest(p_keys, v_hashes) WITH ORDINALITY AS e (key, hash, place)
  JOIN wallet_journal j ON j.key = e.key;
  IF v_conflict IS NOT NULL THEN
    RAISE EXCEPTION 'key % was used for something else', v_conflict USING ERRCODE = 'LG001';
  END IF;
  IF cardinality(v_opened) = cardinality(p_keys) THEN
    v_replayed := array_fill(false, ARRAY[cardinality(p_keys)]);
  ELSE
    -- Planned for its actual size, because a wrong join without an index takes quadratic time.
    EXECUTE 'SELECT array_agg(o.id IS NULL ORDER BY j.place)
             FROM unnest($1) WITH ORDINALITY AS j (id, place) LEFT JOIN unnest($2) AS o (id) ON o.id = j.id'
    INTO v_replayed USING v_journals, v_opened;
  END IF;

  SELECT array_agg(l.journal_id ORDER BY l.place), array_agg(l.number ORDER BY l.place),
         array_agg(l.line ORDER BY l.place)
  INTO v_line_journals, v_line_numbers, v_lines
  FROM (
    SELECT e.place, v_journals[e.event] AS journal_id, v_replayed[e.event] AS replayed,
           (row_number() OVER (PARTITION BY e.event ORDER BY e.place))::integer AS number,
           ROW(e.source_kind, e.source_owner, e.source_shard,
               e.destination_kind, e.destination_owner, e.destination_shard,
               e.currency, e.amount, e.reason)::wallet_line AS line
    FROM unnest(p_events, p_lines) WITH ORDINALITY AS e (
      event, source_kind, source_owner, source_shard,
      destination_kind, destination_owner, destination_shard, currency, amount, reason, place)
  ) AS l
  WHERE NOT l.replayed;
  IF v_lines IS NOT NULL THEN
    PERFORM wallet_write_lines(v_line_journals, v_line_numbers, v_lines);
  END IF;
  RETURN QUERY
    SELECT e.key, e.id, e.replayed FROM unnest(p_keys, v_journals, v_replayed) AS e (key, id, replayed);
END $$;
REVOKE ALL ON FUNCTION ledger_post_batch FROM PUBLIC;
