-- A fee that is or was in effect stays unchanged, except that its end may move, but never into the past. Times
-- are compared with the start of the transaction, so that one statement can end a fee at the moment the next
-- one begins.
CREATE OR REPLACE FUNCTION wallet_guard_fee_schedule() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.valid_from <= transaction_timestamp() AND (
       TG_OP = 'DELETE'
       OR to_jsonb(NEW) - 'valid_until' <> to_jsonb(OLD) - 'valid_until'
       OR NEW.valid_until IS DISTINCT FROM OLD.valid_until
          AND least(NEW.valid_until, OLD.valid_until) < transaction_timestamp()) THEN
    RAISE EXCEPTION 'fee schedule % has counted', OLD.id
      USING ERRCODE = '23514', CONSTRAINT = 'wallet_fee_schedule_that_counted_stays';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
REVOKE ALL ON FUNCTION wallet_guard_fee_schedule FROM PUBLIC;
