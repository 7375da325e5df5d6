-- The vocabulary of the chart of accounts (wallet/ledger/chart.py), and the types of a posting.
--
-- Domains instead of CHECKs of the tables, because every statement parses a table's CHECK again, but not a
-- domain's (docs/adr/0007-what-guards-a-posting.md).
CREATE DOMAIN wallet_kind AS text CONSTRAINT wallet_kind_is_known CHECK (VALUE IN (
  'PLAYER', 'WINNINGS', 'BONUS', 'SEAT', 'POT', 'PRIZE_POOL', 'RAKE', 'HOUSE', 'BONUS_EXPENSE',
  'OVERLAY', 'TDS_PAYABLE', 'GST_PAYABLE', 'DEPOSITS', 'WITHDRAWALS', 'SUSPENSE', 'DISPUTED',
  'MINT'));
CREATE DOMAIN wallet_currency AS text CONSTRAINT wallet_currency_is_known CHECK (VALUE IN (
  'CHIPS', 'INR'));
CREATE DOMAIN wallet_reason AS text CONSTRAINT wallet_reason_is_known CHECK (VALUE IN (
  'WELCOME', 'PRACTICE_CHIPS', 'DEPOSIT', 'WITHDRAWAL', 'BUY_IN', 'TOP_UP', 'CASH_OUT', 'ENTRY_FEE',
  'REFUND', 'STAKE', 'WINNINGS', 'PRIZE', 'RAKE', 'SWEEP', 'BONUS', 'BONUS_RELEASE', 'BONUS_EXPIRY',
  'OVERLAY', 'TAX', 'REVERSAL', 'ADJUSTMENT', 'HELD_BACK', 'CHARGEBACK', 'CORRECTION'));
CREATE DOMAIN wallet_key AS text CONSTRAINT wallet_key_is_plain_text CHECK (
  length(VALUE) BETWEEN 3 AND 200 AND VALUE ~ '^[!-~]+$');
CREATE DOMAIN wallet_amount AS bigint
  CONSTRAINT wallet_transfer_amount_is_positive CHECK (VALUE > 0);
CREATE DOMAIN wallet_held AS bigint
  CONSTRAINT wallet_account_held_is_not_negative CHECK (VALUE >= 0);

-- One transfer of a posting: source, destination, amount and reason.
CREATE TYPE wallet_line AS (
  source_kind wallet_kind, source_owner bigint, source_shard smallint,
  destination_kind wallet_kind, destination_owner bigint, destination_shard smallint,
  currency wallet_currency, amount bigint, reason wallet_reason
);

-- A range of a single word replaces "equal" in an exclusion constraint, which GiST could otherwise compare only
-- with an extension.
CREATE TYPE wallet_word_range AS RANGE (subtype = text, collation = "C");
