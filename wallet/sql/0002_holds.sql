-- Two-phase transfers. A hold sets its amounts aside at their sources until it is posted, in whole
-- or in part, or released. It is never edited: what became of it is wallet_hold_resolution, whose
-- primary key is the hold, so it ends once whoever races.

-- Requests compare without the time of expiry: a repeated call computes another one.
CREATE FUNCTION ledger_hold(
  p_key text, p_lines wallet_line[], p_expires_at timestamptz,
  p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT hold_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_journal_id bigint;
  v_sources bigint[];
  v_destinations bigint[];
BEGIN
  PERFORM wallet_check_lines(p_lines);
  SELECT j.journal_id, j.replayed INTO v_journal_id, replayed
  FROM wallet_open_journal(p_key, 'hold ' || p_lines::text, p_actor_id, p_subject, NULL) AS j;
  IF replayed THEN
    SELECT h.id INTO hold_id FROM wallet_hold h WHERE h.journal_id = v_journal_id;
    RETURN;
  END IF;
  SELECT f.sources, f.destinations INTO v_sources, v_destinations
  FROM wallet_find_accounts(p_lines) AS f;
  PERFORM wallet_lock_accounts(v_sources);
  IF p_expires_at > clock_timestamp() IS NOT TRUE THEN
    RAISE EXCEPTION 'a hold ends in the future' USING ERRCODE = 'LG006';
  END IF;
  UPDATE wallet_account a SET held = a.held + h.amount
  FROM (SELECT l.source_id, sum(l.amount)::bigint AS amount
        FROM unnest(v_sources, p_lines) AS l (
          source_id, source_kind, source_owner, source_shard,
          destination_kind, destination_owner, destination_shard, currency, amount, reason)
        GROUP BY l.source_id) AS h
  WHERE a.id = h.source_id;
  INSERT INTO wallet_hold (journal_id, expires_at) VALUES (v_journal_id, p_expires_at)
  RETURNING id INTO hold_id;
  INSERT INTO wallet_hold_line
    (hold_id, line, source_id, destination_id, currency, amount, reason)
  SELECT ledger_hold.hold_id, l.place, l.source_id, l.destination_id, l.currency, l.amount, l.reason
  FROM unnest(v_sources, v_destinations, p_lines) WITH ORDINALITY AS l (
    source_id, destination_id, source_kind, source_owner, source_shard,
    destination_kind, destination_owner, destination_shard, currency, amount, reason, place);
END $$;

-- Ends the hold or says why not, locks the accounts, and gives back what was held.
CREATE FUNCTION wallet_end_hold(
  p_hold_id bigint, p_outcome text, p_journal_id bigint, p_other_accounts bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_expires_at timestamptz;
  v_sources bigint[];
BEGIN
  SELECT expires_at INTO v_expires_at FROM wallet_hold WHERE id = p_hold_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no hold %', p_hold_id USING ERRCODE = 'LG004';
  END IF;
  INSERT INTO wallet_hold_resolution (hold_id, outcome, journal_id, resolved_at)
  VALUES (p_hold_id, p_outcome, p_journal_id, clock_timestamp())
  ON CONFLICT (hold_id) DO NOTHING;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'hold % has ended', p_hold_id USING ERRCODE = 'LG005';
  END IF;
  SELECT array_agg(source_id) INTO v_sources FROM wallet_hold_line WHERE hold_id = p_hold_id;
  PERFORM wallet_lock_accounts(v_sources || p_other_accounts);
  IF p_outcome = 'POSTED' AND v_expires_at <= clock_timestamp() THEN
    RAISE EXCEPTION 'hold % has expired', p_hold_id USING ERRCODE = 'LG006';
  ELSIF p_outcome = 'EXPIRED' AND v_expires_at > clock_timestamp() THEN
    RAISE EXCEPTION 'hold % has not expired', p_hold_id USING ERRCODE = 'LG011';
  END IF;
  UPDATE wallet_account a SET held = a.held - h.amount
  FROM (SELECT source_id, sum(amount)::bigint AS amount
        FROM wallet_hold_line WHERE hold_id = p_hold_id GROUP BY source_id) AS h
  WHERE a.id = h.source_id;
END $$;

-- Posts what was held; other lines may be given that take no more from any source than was held
-- there. What they leave goes back.
CREATE FUNCTION ledger_post_hold(
  p_hold_id bigint, p_key text, p_lines wallet_line[] DEFAULT NULL,
  p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_lines wallet_line[] := p_lines;
  v_sources bigint[];
  v_destinations bigint[];
BEGIN
  SELECT j.journal_id, j.replayed INTO journal_id, replayed
  FROM wallet_open_journal(p_key, concat_ws(' ', 'post_hold', p_hold_id, p_lines::text),
                           p_actor_id, p_subject, NULL) AS j;
  IF replayed THEN
    RETURN;
  END IF;
  IF v_lines IS NULL THEN
    SELECT array_agg(ROW(s.kind, s.owner_id, s.shard, d.kind, d.owner_id, d.shard,
                         l.currency, l.amount, l.reason)::wallet_line ORDER BY l.line)
    INTO v_lines
    FROM wallet_hold_line l
    JOIN wallet_account s ON s.id = l.source_id
    JOIN wallet_account d ON d.id = l.destination_id
    WHERE l.hold_id = p_hold_id;
    IF v_lines IS NULL THEN
      RAISE EXCEPTION 'no hold %', p_hold_id USING ERRCODE = 'LG004';
    END IF;
  END IF;
  PERFORM wallet_check_lines(v_lines);
  SELECT f.sources, f.destinations INTO v_sources, v_destinations
  FROM wallet_find_accounts(v_lines) AS f;
  IF EXISTS (
    SELECT FROM (
      SELECT l.source_id, sum(l.amount) AS amount
      FROM unnest(v_sources, v_lines) AS l (
        source_id, source_kind, source_owner, source_shard,
        destination_kind, destination_owner, destination_shard, currency, amount, reason)
      GROUP BY l.source_id
    ) AS wanted
    WHERE wanted.amount > coalesce((
      SELECT sum(h.amount) FROM wallet_hold_line h
      WHERE h.hold_id = p_hold_id AND h.source_id = wanted.source_id), 0)
  ) THEN
    RAISE EXCEPTION 'more than hold % holds', p_hold_id USING ERRCODE = 'LG007';
  END IF;
  PERFORM wallet_end_hold(p_hold_id, 'POSTED', journal_id, v_sources || v_destinations);
  PERFORM wallet_write_lines(ARRAY[journal_id], NULL, v_lines);
END $$;

-- Gives everything back: on purpose, or because the time is over.
CREATE FUNCTION ledger_void_hold(
  p_hold_id bigint, p_key text, p_expired boolean DEFAULT false,
  p_actor_id bigint DEFAULT NULL, p_subject text DEFAULT '',
  OUT journal_id bigint, OUT replayed boolean
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  SELECT j.journal_id, j.replayed INTO journal_id, replayed
  FROM wallet_open_journal(p_key, concat_ws(' ', 'void_hold', p_hold_id), p_actor_id, p_subject, NULL) AS j;
  IF NOT replayed THEN
    PERFORM wallet_end_hold(
      p_hold_id, CASE WHEN p_expired THEN 'EXPIRED' ELSE 'VOIDED' END, journal_id, '{}');
  END IF;
END $$;

-- Nobody may call anything by default; wallet/roles.py grants ledger_* to the application.
DO $$
DECLARE
  v_function regprocedure;
BEGIN
  FOR v_function IN
    SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      AND (proname LIKE 'ledger\_%' OR proname LIKE 'wallet\_%')
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', v_function);
  END LOOP;
END $$;
