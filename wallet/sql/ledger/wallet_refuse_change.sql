-- History is append-only: this also refuses the owner.
CREATE OR REPLACE FUNCTION wallet_refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is only added to: % of % refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'LG008';
END $$;
REVOKE ALL ON FUNCTION wallet_refuse_change FROM PUBLIC;
