-- Properties of the ledger's tables that Django's models cannot express.

-- Free space on each page for new row versions, so that a changed balance touches no index.
ALTER TABLE wallet_account SET (fillfactor = 70);

ALTER TABLE wallet_account
  ALTER COLUMN kind TYPE wallet_kind,
  ALTER COLUMN currency TYPE wallet_currency,
  ALTER COLUMN held TYPE wallet_held;
ALTER TABLE wallet_journal ALTER COLUMN key TYPE wallet_key;
ALTER TABLE wallet_transfer
  ALTER COLUMN currency TYPE wallet_currency,
  ALTER COLUMN reason TYPE wallet_reason,
  ALTER COLUMN amount TYPE wallet_amount;
ALTER TABLE wallet_hold_line
  ALTER COLUMN currency TYPE wallet_currency, ALTER COLUMN reason TYPE wallet_reason;

-- Both accounts of a transfer have its currency: chips and cash cannot mix. Entries have no foreign keys, each
-- of which would lock a row made by the same statement (ADR 0007); checks/checks.sql verifies them.
ALTER TABLE wallet_transfer
  ADD CONSTRAINT wallet_transfer_source_has_its_currency
    FOREIGN KEY (source_id, currency) REFERENCES wallet_account (id, currency),
  ADD CONSTRAINT wallet_transfer_destination_has_its_currency
    FOREIGN KEY (destination_id, currency) REFERENCES wallet_account (id, currency);
ALTER TABLE wallet_hold_line
  ADD CONSTRAINT wallet_hold_line_source_has_its_currency
    FOREIGN KEY (source_id, currency) REFERENCES wallet_account (id, currency),
  ADD CONSTRAINT wallet_hold_line_destination_has_its_currency
    FOREIGN KEY (destination_id, currency) REFERENCES wallet_account (id, currency);

-- Drop Django's indexes that no query uses: keys are looked up whole, and few events reverse another one.
DO $$
DECLARE
  v_index regclass;
BEGIN
  SELECT indexrelid INTO v_index FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE indrelid = 'wallet_journal'::regclass AND relname LIKE 'wallet\_journal\_key\_%\_like';
  EXECUTE format('DROP INDEX %s', v_index);
END $$;
ALTER TABLE wallet_journal DROP CONSTRAINT wallet_journal_reverses_id_key;
CREATE UNIQUE INDEX wallet_journal_reverses_id_key ON wallet_journal (reverses_id)
  WHERE reverses_id IS NOT NULL;

-- Finds the entries of a range of transfers. They are written in about this order, so that a few bytes per
-- block suffice; a full index would slow down every posting.
CREATE INDEX wallet_entry_by_transfer ON wallet_entry
  USING brin (transfer_id) WITH (pages_per_range = 32, autosummarize = on);

-- At most one fee for a stake at a time.
ALTER TABLE wallet_fee_schedule ADD CONSTRAINT wallet_fee_schedule_rows_do_not_overlap EXCLUDE USING gist (
  wallet_word_range(game, game, '[]') WITH &&,
  wallet_word_range(format, format, '[]') WITH &&,
  wallet_word_range(currency, currency, '[]') WITH &&,
  int8range(stake_from, stake_to, '[]') WITH &&,
  tstzrange(valid_from, valid_until) WITH &&
);
