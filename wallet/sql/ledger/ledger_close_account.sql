-- No posting touches a closed account. A table's or match's accounts close only when they are empty.
CREATE OR REPLACE FUNCTION ledger_close_account(p_kind text, p_owner_id bigint, p_currency text)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE wallet_account SET closed_at = clock_timestamp()
  WHERE kind = p_kind AND owner_id = p_owner_id AND currency = p_currency AND closed_at IS NULL;
$$;
REVOKE ALL ON FUNCTION ledger_close_account FROM PUBLIC;
