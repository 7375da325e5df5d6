-- Closing is rare, so it checks that the account is empty, rather than every posting. The posting functions
-- skip closed accounts.
CREATE OR REPLACE FUNCTION wallet_check_closing() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'only an empty account closes'
    USING ERRCODE = '23514', CONSTRAINT = 'wallet_account_closes_empty';
END $$;
REVOKE ALL ON FUNCTION wallet_check_closing FROM PUBLIC;
