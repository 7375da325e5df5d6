-- Sets old entries apart (docs/adr/0008-old-entries-set-apart.md): the existing table becomes a partition
-- without moving a row, and further postings write to an empty one. Readers of wallet_entry read all
-- partitions. Returns the partition's name.
--
-- The owner runs it (manage.py partition_ledger). Sessions that have planned a posting plan it again.
CREATE OR REPLACE FUNCTION wallet_partition_ledger() RETURNS text
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  v_parts regclass[];
  v_part text;
  v_other regclass;
BEGIN
  LOCK TABLE ONLY wallet_entry IN ACCESS EXCLUSIVE MODE;
  SELECT coalesce(array_agg(inhrelid::regclass), '{}') INTO v_parts
  FROM pg_inherits WHERE inhparent = 'wallet_entry'::regclass;
  v_part := 'wallet_entry_part_' || cardinality(v_parts) + 1;
  EXECUTE format('ALTER TABLE wallet_entry RENAME TO %I', v_part);
  EXECUTE format('ALTER INDEX wallet_entry_pkey RENAME TO %I', v_part || '_pkey');
  EXECUTE format('ALTER INDEX wallet_entry_by_transfer RENAME TO %I', v_part || '_by_transfer');

  EXECUTE format('CREATE TABLE wallet_entry (
    LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE,
    CONSTRAINT wallet_entry_pkey PRIMARY KEY (account_id, seq))', v_part);
  CREATE INDEX wallet_entry_by_transfer ON wallet_entry
    USING brin (transfer_id) WITH (pages_per_range = 32, autosummarize = on);
  CREATE TRIGGER wallet_entry_is_append_only BEFORE UPDATE OR DELETE ON wallet_entry
    FOR EACH ROW EXECUTE FUNCTION wallet_refuse_change();
  CREATE TRIGGER wallet_entry_is_never_emptied BEFORE TRUNCATE ON wallet_entry
    FOR EACH STATEMENT EXECUTE FUNCTION wallet_refuse_change();

  EXECUTE format('ALTER TABLE %I INHERIT wallet_entry', v_part);
  FOREACH v_other IN ARRAY v_parts LOOP
    EXECUTE format('ALTER TABLE %s NO INHERIT %I', v_other, v_part);
    EXECUTE format('ALTER TABLE %s INHERIT wallet_entry', v_other);
  END LOOP;
  RETURN v_part;
END $$;
REVOKE ALL ON FUNCTION wallet_partition_ledger FROM PUBLIC;
