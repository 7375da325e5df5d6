-- At most one fee for a stake at a time. A range of one word stands in for "equal", which GiST
-- could otherwise compare only with an extension.
CREATE TYPE wallet_word_range AS RANGE (subtype = text, collation = "C");

ALTER TABLE wallet_fee_schedule
  ADD CONSTRAINT wallet_fee_schedule_rows_do_not_overlap EXCLUDE USING gist (
    wallet_word_range(variant, variant, '[]') WITH &&,
    wallet_word_range(currency, currency, '[]') WITH &&,
    int8range(stake_from, stake_to, '[]') WITH &&,
    tstzrange(valid_from, valid_until) WITH &&
  );
