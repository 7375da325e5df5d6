-- Moves the whole spendable balance of p_line's source to its destination; the line's amount is ignored. If
-- there is none, the key stays unused and journal_id is null.
CREATE OR REPLACE FUNCTION ledger_sweep(
  p_key text, p_line wallet_line, p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean, OUT amount bigint
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_ids bigint[];
BEGIN
  p_line.amount := NULL;
  SELECT j.journal_id, j.replayed INTO journal_id, replayed
  FROM wallet_open_journal(p_key, 'sweep ' || p_line::text, p_actor_id, p_subject, NULL) AS j;
  IF replayed THEN
    SELECT t.amount INTO amount FROM wallet_transfer t WHERE t.journal_id = ledger_sweep.journal_id;
    RETURN;
  END IF;
  SELECT f.sources || f.destinations INTO v_ids FROM wallet_find_accounts(ARRAY[p_line]) AS f;
  PERFORM wallet_lock_accounts(v_ids);
  SELECT a.balance - a.held INTO amount FROM wallet_account a WHERE a.id = v_ids[1];
  IF amount <= 0 THEN
    RAISE EXCEPTION 'nothing to move' USING ERRCODE = 'LG012';
  END IF;
  p_line.amount := amount;
  PERFORM wallet_check_lines(ARRAY[p_line]);
  PERFORM wallet_write_lines(ARRAY[journal_id], NULL, ARRAY[p_line]);
EXCEPTION WHEN SQLSTATE 'LG012' THEN
  journal_id := NULL;
  replayed := false;
  amount := 0;
END $$;
REVOKE ALL ON FUNCTION ledger_sweep FROM PUBLIC;
