-- Creates or finds the journal of a key. A found one must be for the same request.
CREATE OR REPLACE FUNCTION wallet_open_journal(
  p_key text, p_request text, p_actor_id bigint, p_subject text, p_reverses_id bigint,
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql AS $$
DECLARE
  v_hash bytea := sha256(convert_to(p_request, 'UTF8'));
  v_found bytea;
BEGIN
  INSERT INTO wallet_journal (key, request_hash, actor_id, subject, reverses_id, recorded_at)
  VALUES (p_key, v_hash, p_actor_id, p_subject, p_reverses_id, clock_timestamp())
  ON CONFLICT (key) DO NOTHING
  RETURNING id INTO journal_id;
  replayed := journal_id IS NULL;
  IF replayed THEN
    SELECT id, request_hash INTO journal_id, v_found FROM wallet_journal WHERE key = p_key;
    IF v_found IS DISTINCT FROM v_hash THEN
      RAISE EXCEPTION 'key % was used for something else', p_key USING ERRCODE = 'LG001';
    END IF;
  END IF;
END $$;
REVOKE ALL ON FUNCTION wallet_open_journal FROM PUBLIC;
