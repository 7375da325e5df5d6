-- An account's purpose is checked once, on creation, because it never changes.
CREATE TRIGGER wallet_account_makes_sense
  BEFORE INSERT ON wallet_account FOR EACH ROW EXECUTE FUNCTION wallet_check_account();

-- History is append-only: the triggers also refuse the owner.
DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['wallet_journal', 'wallet_transfer', 'wallet_entry', 'wallet_hold',
                                 'wallet_hold_line', 'wallet_hold_resolution', 'wallet_seal'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION wallet_refuse_change()',
                   v_table || '_is_append_only', v_table);
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION wallet_refuse_change()',
                   v_table || '_is_never_emptied', v_table);
  END LOOP;
END $$;

-- Only an account's balance, held amount, entry count and closing time ever change. Checked once per statement:
-- a trigger before each row would lock the row and log that, even if none of its columns changed.
CREATE TRIGGER wallet_account_stays
  BEFORE DELETE ON wallet_account
  FOR EACH ROW EXECUTE FUNCTION wallet_refuse_change();
CREATE TRIGGER wallet_account_is_never_emptied
  BEFORE TRUNCATE ON wallet_account
  FOR EACH STATEMENT EXECUTE FUNCTION wallet_refuse_change();
CREATE TRIGGER wallet_account_keeps_its_purpose
  BEFORE UPDATE OF id, kind, owner_id, currency, shard, may_be_negative, opened_at ON wallet_account
  FOR EACH STATEMENT EXECUTE FUNCTION wallet_refuse_change();

-- Closing is rare, so it checks that the account is empty, rather than every posting. The posting functions
-- skip closed accounts.
CREATE TRIGGER wallet_account_closes_empty
  AFTER UPDATE OF closed_at ON wallet_account FOR EACH ROW
  WHEN (NEW.closed_at IS NOT NULL AND (NEW.balance <> 0 OR NEW.held <> 0))
  EXECUTE FUNCTION wallet_check_closing();

CREATE TRIGGER wallet_fee_schedule_that_counted_stays
  BEFORE UPDATE OR DELETE ON wallet_fee_schedule
  FOR EACH ROW EXECUTE FUNCTION wallet_guard_fee_schedule();
