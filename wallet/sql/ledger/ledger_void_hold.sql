-- Releases a hold completely, on request or after its expiry.
CREATE OR REPLACE FUNCTION ledger_void_hold(
  p_hold_id bigint, p_key text, p_expired boolean DEFAULT false,
  p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  SELECT j.journal_id, j.replayed INTO journal_id, replayed
  FROM wallet_open_journal(p_key, concat_ws(' ', 'void_hold', p_hold_id), p_actor_id, p_subject, NULL) AS j;
  IF NOT replayed THEN
    PERFORM wallet_end_hold(
      p_hold_id, CASE WHEN p_expired THEN 'EXPIRED' ELSE 'VOIDED' END, journal_id, '{}');
  END IF;
END $$;
REVOKE ALL ON FUNCTION ledger_void_hold FROM PUBLIC;
