-- Ends the hold or raises the reason why not, locks the accounts, and releases the held amounts.
CREATE OR REPLACE FUNCTION wallet_end_hold(
  p_hold_id bigint, p_outcome text, p_journal_id bigint, p_other_accounts bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_expires_at timestamptz;
  v_sources bigint[];
BEGIN
  SELECT expires_at INTO v_expires_at FROM wallet_hold WHERE id = p_hold_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no hold %', p_hold_id USING ERRCODE = 'LG004';
  END IF;
  INSERT INTO wallet_hold_resolution (hold_id, outcome, journal_id, resolved_at)
  VALUES (p_hold_id, p_outcome, p_journal_id, clock_timestamp())
  ON CONFLICT (hold_id) DO NOTHING;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'hold % has ended', p_hold_id USING ERRCODE = 'LG005';
  END IF;
  SELECT array_agg(source_id) INTO v_sources FROM wallet_hold_line WHERE hold_id = p_hold_id;
  PERFORM wallet_lock_accounts(v_sources || p_other_accounts);
  IF p_outcome = 'POSTED' AND v_expires_at <= clock_timestamp() THEN
    RAISE EXCEPTION 'hold % has expired', p_hold_id USING ERRCODE = 'LG006';
  ELSIF p_outcome = 'EXPIRED' AND v_expires_at > clock_timestamp() THEN
    RAISE EXCEPTION 'hold % has not expired', p_hold_id USING ERRCODE = 'LG011';
  END IF;
  UPDATE wallet_account a SET held = a.held - h.amount
  FROM (SELECT source_id, sum(amount)::bigint AS amount
        FROM wallet_hold_line WHERE hold_id = p_hold_id GROUP BY source_id) AS h
  WHERE a.id = h.source_id;
END $$;
REVOKE ALL ON FUNCTION wallet_end_hold FROM PUBLIC;
