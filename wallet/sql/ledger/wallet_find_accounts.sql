-- Returns the account ids of each line, and creates missing accounts.
CREATE OR REPLACE FUNCTION wallet_find_accounts(
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
    -- In the order of the unique index, so that two sessions that create the same accounts wait instead of
    -- deadlocking.
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
REVOKE ALL ON FUNCTION wallet_find_accounts FROM PUBLIC;
