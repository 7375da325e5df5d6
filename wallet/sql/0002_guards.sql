-- What Django's models cannot say about the ledger's tables.

-- Room on each page for the new version of a row, so that a changed balance touches no index.
ALTER TABLE wallet_account SET (fillfactor = 70);

-- The words of the chart of accounts (wallet/chart.py). Domains and not CHECKs of the tables, because
-- a table's CHECK is parsed anew by every statement and a domain's is not.
CREATE DOMAIN wallet_kind AS text CONSTRAINT wallet_kind_is_known CHECK (VALUE IN (
  'PLAYER', 'WINNINGS', 'BONUS', 'SEAT', 'POT', 'PRIZE_POOL', 'RAKE', 'HOUSE', 'BONUS_EXPENSE',
  'OVERLAY', 'TDS_PAYABLE', 'GST_PAYABLE', 'DEPOSITS', 'WITHDRAWALS', 'SUSPENSE', 'MINT'));
CREATE DOMAIN wallet_currency AS text CONSTRAINT wallet_currency_is_known CHECK (VALUE IN (
  'CHIPS', 'INR'));
CREATE DOMAIN wallet_reason AS text CONSTRAINT wallet_reason_is_known CHECK (VALUE IN (
  'WELCOME', 'PRACTICE_CHIPS', 'DEPOSIT', 'WITHDRAWAL', 'BUY_IN', 'TOP_UP', 'CASH_OUT', 'ENTRY_FEE',
  'REFUND', 'STAKE', 'WINNINGS', 'PRIZE', 'RAKE', 'SWEEP', 'BONUS', 'BONUS_RELEASE', 'BONUS_EXPIRY',
  'OVERLAY', 'TAX', 'REVERSAL', 'ADJUSTMENT'));
CREATE DOMAIN wallet_key AS text CONSTRAINT wallet_key_is_plain_text CHECK (
  length(VALUE) BETWEEN 3 AND 200 AND VALUE ~ '^[!-~]+$');

ALTER TABLE wallet_account
  ALTER COLUMN kind TYPE wallet_kind, ALTER COLUMN currency TYPE wallet_currency;
ALTER TABLE wallet_journal ALTER COLUMN key TYPE wallet_key;
ALTER TABLE wallet_transfer
  ALTER COLUMN currency TYPE wallet_currency, ALTER COLUMN reason TYPE wallet_reason;
ALTER TABLE wallet_hold_line
  ALTER COLUMN currency TYPE wallet_currency, ALTER COLUMN reason TYPE wallet_reason;

-- What an account is for is checked once, when it is made, because it never changes afterwards.
CREATE FUNCTION wallet_check_account() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- The world outside, and what the house gave away; all others never go below zero.
  NEW.may_be_negative := NEW.kind IN ('MINT', 'DEPOSITS', 'BONUS_EXPENSE', 'OVERLAY', 'SUSPENSE');
  IF (NEW.owner_id > 0) = (NEW.kind IN (
       'HOUSE', 'BONUS_EXPENSE', 'OVERLAY', 'TDS_PAYABLE', 'GST_PAYABLE', 'DEPOSITS',
       'WITHDRAWALS', 'SUSPENSE', 'MINT')) OR NEW.owner_id < 0 THEN
    RAISE EXCEPTION '% cannot belong to owner %', NEW.kind, NEW.owner_id
      USING ERRCODE = '23514', CONSTRAINT = 'wallet_account_owner_fits_its_kind';
  END IF;
  IF NEW.currency = 'INR' AND NEW.kind = 'MINT' OR NEW.currency = 'CHIPS' AND NEW.kind IN (
       'WINNINGS', 'BONUS', 'BONUS_EXPENSE', 'TDS_PAYABLE', 'GST_PAYABLE', 'DEPOSITS',
       'WITHDRAWALS') THEN
    RAISE EXCEPTION '% holds no %', NEW.kind, NEW.currency
      USING ERRCODE = '23514', CONSTRAINT = 'wallet_account_kind_fits_its_currency';
  END IF;
  IF NEW.shard < 0 OR (NEW.balance, NEW.held, NEW.seq) <> (0, 0, 0) OR NEW.closed_at IS NOT NULL THEN
    RAISE EXCEPTION 'an account begins empty'
      USING ERRCODE = '23514', CONSTRAINT = 'wallet_account_begins_empty';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER wallet_account_makes_sense
  BEFORE INSERT ON wallet_account FOR EACH ROW EXECUTE FUNCTION wallet_check_account();

-- Both accounts of a transfer hold its currency: chips and cash cannot mix.
ALTER TABLE wallet_transfer
  ADD CONSTRAINT wallet_transfer_belongs_to_a_journal
    FOREIGN KEY (journal_id) REFERENCES wallet_journal (id),
  ADD CONSTRAINT wallet_transfer_source_has_its_currency
    FOREIGN KEY (source_id, currency) REFERENCES wallet_account (id, currency),
  ADD CONSTRAINT wallet_transfer_destination_has_its_currency
    FOREIGN KEY (destination_id, currency) REFERENCES wallet_account (id, currency);

ALTER TABLE wallet_entry
  ADD CONSTRAINT wallet_entry_belongs_to_an_account
    FOREIGN KEY (account_id) REFERENCES wallet_account (id),
  ADD CONSTRAINT wallet_entry_belongs_to_a_transfer
    FOREIGN KEY (transfer_id) REFERENCES wallet_transfer (id);

ALTER TABLE wallet_hold_line
  ADD CONSTRAINT wallet_hold_line_source_has_its_currency
    FOREIGN KEY (source_id, currency) REFERENCES wallet_account (id, currency),
  ADD CONSTRAINT wallet_hold_line_destination_has_its_currency
    FOREIGN KEY (destination_id, currency) REFERENCES wallet_account (id, currency);

-- History is only ever added to, whoever tries.
CREATE FUNCTION wallet_refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is only added to: % of % refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'LG008';
END $$;

DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['wallet_journal', 'wallet_transfer', 'wallet_entry',
                                 'wallet_hold', 'wallet_hold_line', 'wallet_hold_resolution'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION wallet_refuse_change()',
                   v_table || '_is_append_only', v_table);
  END LOOP;
  FOREACH v_table IN ARRAY ARRAY['wallet_journal', 'wallet_transfer', 'wallet_entry',
                                 'wallet_hold', 'wallet_hold_line', 'wallet_hold_resolution',
                                 'wallet_account'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION wallet_refuse_change()',
                   v_table || '_is_never_emptied', v_table);
  END LOOP;
END $$;

-- Of an account only its balance, what is held, its count of entries and its closing ever change.
CREATE TRIGGER wallet_account_stays
  BEFORE DELETE ON wallet_account
  FOR EACH ROW EXECUTE FUNCTION wallet_refuse_change();
CREATE TRIGGER wallet_account_keeps_its_purpose
  BEFORE UPDATE OF id, kind, owner_id, currency, shard, may_be_negative, opened_at ON wallet_account
  FOR EACH ROW EXECUTE FUNCTION wallet_refuse_change();

-- Entries come in pairs, in one statement: minus the amount at the source, plus it at the
-- destination. One look at all new rows costs a hundredth of a posting. The transfer is looked up
-- by a subquery and not joined: the planner knows nothing of new rows and would join by a product.
CREATE FUNCTION wallet_entries_mirror_transfers() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT transfer_id, count(*) AS sides, sum(amount) AS total, max(amount) AS amount,
             max(account_id) FILTER (WHERE amount < 0) AS source_id,
             max(account_id) FILTER (WHERE amount > 0) AS destination_id
      FROM new_entries GROUP BY transfer_id
    ) AS pair
    WHERE pair.sides <> 2 OR pair.total <> 0 OR NOT EXISTS (
      SELECT FROM wallet_transfer t
      WHERE t.id = pair.transfer_id AND t.amount = pair.amount
        AND t.source_id = pair.source_id AND t.destination_id = pair.destination_id)
  ) THEN
    RAISE EXCEPTION 'entries must be the two sides of their transfer' USING ERRCODE = 'LG010';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER wallet_entry_mirrors_its_transfer
  AFTER INSERT ON wallet_entry REFERENCING NEW TABLE AS new_entries
  FOR EACH STATEMENT EXECUTE FUNCTION wallet_entries_mirror_transfers();
