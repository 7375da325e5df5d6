-- An account's purpose is checked once, on creation, because it never changes.
CREATE OR REPLACE FUNCTION wallet_check_account() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- Accounts of the outside world, of the house's gifts and of disputed payments; all others never go below zero.
  NEW.may_be_negative := NEW.kind IN (
    'MINT', 'DEPOSITS', 'BONUS_EXPENSE', 'OVERLAY', 'SUSPENSE', 'DISPUTED');
  IF (NEW.owner_id > 0) = (NEW.kind IN (
       'HOUSE', 'BONUS_EXPENSE', 'OVERLAY', 'TDS_PAYABLE', 'GST_PAYABLE', 'DEPOSITS',
       'WITHDRAWALS', 'SUSPENSE', 'MINT')) OR NEW.owner_id < 0 THEN
    RAISE EXCEPTION '% cannot belong to owner %', NEW.kind, NEW.owner_id
      USING ERRCODE = '23514', CONSTRAINT = 'wallet_account_owner_fits_its_kind';
  END IF;
  IF NEW.currency = 'INR' AND NEW.kind = 'MINT' OR NEW.currency = 'CHIPS' AND NEW.kind IN (
       'WINNINGS', 'BONUS', 'BONUS_EXPENSE', 'TDS_PAYABLE', 'GST_PAYABLE', 'DEPOSITS',
       'WITHDRAWALS', 'DISPUTED') THEN
    RAISE EXCEPTION '% holds no %', NEW.kind, NEW.currency
      USING ERRCODE = '23514', CONSTRAINT = 'wallet_account_kind_fits_its_currency';
  END IF;
  IF NEW.shard < 0 OR (NEW.balance, NEW.held, NEW.seq) <> (0, 0, 0) OR NEW.closed_at IS NOT NULL THEN
    RAISE EXCEPTION 'an account begins empty'
      USING ERRCODE = '23514', CONSTRAINT = 'wallet_account_begins_empty';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION wallet_check_account FROM PUBLIC;
