-- A separate statement, so that the next one reads the balances after the wait.
CREATE OR REPLACE FUNCTION wallet_lock_accounts(p_ids bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_closed text;
BEGIN
  SELECT string_agg(kind || ' ' || owner_id, ', ') FILTER (WHERE closed_at IS NOT NULL)
  INTO v_closed
  FROM (
    SELECT kind, owner_id, closed_at FROM wallet_account
    WHERE id = ANY (p_ids) ORDER BY id FOR NO KEY UPDATE
  ) AS locked;
  IF v_closed IS NOT NULL THEN
    RAISE EXCEPTION 'account closed: %', v_closed USING ERRCODE = 'LG002';
  END IF;
END $$;
REVOKE ALL ON FUNCTION wallet_lock_accounts FROM PUBLIC;
