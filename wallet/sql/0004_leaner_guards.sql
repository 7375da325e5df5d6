-- What a posting no longer pays for (docs/adr/0007-what-guards-a-posting.md).
--
-- Nobody but the posting functions can write these tables, and they insert ids of rows that they
-- have just written or locked; no ledger row can be deleted. So these guards could only stop the
-- owner's own slips, and checks.sql finds each of them:
--   * entries against their transfer: the trigger took a tenth of a posting;
--   * references of entries, and of transfers to their journal: each writes a lock into a row that
--     the same statement has made, together another tenth.
-- References of transfers to accounts stay: they keep currencies apart.
DROP TRIGGER wallet_entry_mirrors_its_transfer ON wallet_entry;
DROP FUNCTION wallet_entries_mirror_transfers;
ALTER TABLE wallet_entry
  DROP CONSTRAINT wallet_entry_belongs_to_an_account,
  DROP CONSTRAINT wallet_entry_belongs_to_a_transfer;
ALTER TABLE wallet_transfer DROP CONSTRAINT wallet_transfer_belongs_to_a_journal;

-- Indexes that no query uses: keys are looked up whole, and hardly any event reverses another one.
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
