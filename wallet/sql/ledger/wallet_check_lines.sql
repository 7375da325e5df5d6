CREATE OR REPLACE FUNCTION wallet_check_lines(p_lines wallet_line[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(cardinality(p_lines), 0) = 0 OR EXISTS (
    SELECT FROM unnest(p_lines) AS l
    WHERE (l.amount > 0
           AND (l.source_kind, l.source_owner, l.source_shard)
               <> (l.destination_kind, l.destination_owner, l.destination_shard)
           AND l.currency IS NOT NULL AND l.reason IS NOT NULL) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'a line needs two accounts and a positive amount' USING ERRCODE = 'LG003';
  END IF;
END $$;
REVOKE ALL ON FUNCTION wallet_check_lines FROM PUBLIC;
