-- Closing is seldom, so it and not every posting looks whether the account is empty. The posting
-- functions leave a closed one alone.
CREATE OR REPLACE FUNCTION wallet_check_closing() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'only an empty account closes'
    USING ERRCODE = '23514', CONSTRAINT = 'wallet_account_closes_empty';
END $$;
REVOKE ALL ON FUNCTION wallet_check_closing FROM PUBLIC;
