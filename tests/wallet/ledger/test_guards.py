"""Invariants of the ledger, each attacked with raw SQL as the application and as the tables' owner."""

import re

import pytest

from tests.wallet.rawsql import expect_refused_post, line, lines, post, refusal, run
from wallet.ledger.chart import MAY_BE_NEGATIVE, AccountRef
from wallet.ledger.roles import LEDGER_TABLES
from wallet.models import AccountKind, LedgerAccount, Reason
from wallet.money import Currency

pytestmark = pytest.mark.django_db

# A column of each table that has no id.
COLUMNS = {"wallet_hold_resolution": "hold_id", "wallet_entry": "seq", "wallet_seal": "number"}
WELCOME = "MINT,0,PLAYER,1,CHIPS,1000,WELCOME"


@pytest.fixture(autouse=True)
def _welcomed(db):
    assert run("SELECT current_user") == [("openrummy_app",)]
    assert post("welcome:1", WELCOME)[1] is False


class TestTheApplication:
    @pytest.mark.parametrize("table", LEDGER_TABLES)
    @pytest.mark.parametrize(
        "statement",
        [
            "INSERT INTO {} DEFAULT VALUES",
            "UPDATE {} SET {column} = {column}",
            "DELETE FROM {}",
            "TRUNCATE {} CASCADE",
            "ALTER TABLE {} DISABLE TRIGGER ALL",
            "DROP TABLE {} CASCADE",
            "SELECT * FROM {} FOR UPDATE",
        ],
    )
    def test_the_application_writes_no_ledger_table(self, table, statement):
        column = COLUMNS.get(table, "id")
        state = refusal(statement.format(table, column=column))
        assert state == "42501"  # insufficient privilege

    @pytest.mark.parametrize(
        "call",
        [
            "wallet_write_lines(array[1]::bigint[], NULL, NULL)",
            "wallet_open_journal('any:key', '', NULL, '', NULL)",
            "wallet_end_hold(1, 'VOIDED', 1, NULL)",
        ],
    )
    def test_the_application_calls_no_inner_function(self, call):
        assert refusal(f"SELECT {call}") == "42501"

    def test_a_search_path_cannot_mislead_the_ledger_functions(self):
        run("CREATE TEMPORARY TABLE wallet_account (LIKE wallet_account)")
        run("SET LOCAL search_path = pg_temp, public")
        post("buy:1", "PLAYER,1,SEAT,1,CHIPS,400,BUY_IN")
        assert run("SELECT count(*) FROM pg_temp.wallet_account") == [(0,)]
        assert run("SELECT balance FROM public.wallet_account WHERE kind = 'SEAT'") == [(400,)]


class TestPosting:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            # more than there is
            ("PLAYER,1,SEAT,1,CHIPS,1001,BUY_IN", "wallet_account_is_never_overdrawn"),
            ("POT,1,SEAT,1,CHIPS,1,WINNINGS", "wallet_account_is_never_overdrawn"),
            # amounts
            ("PLAYER,1,SEAT,1,CHIPS,0,BUY_IN", "LG003"),
            ("PLAYER,1,SEAT,1,CHIPS,-5,BUY_IN", "LG003"),
            ("PLAYER,1,SEAT,1,CHIPS,,BUY_IN", "LG003"),
            ("MINT,0,PLAYER,1,CHIPS,9223372036854775807,WELCOME", "22003"),
            # accounts
            ("PLAYER,1,PLAYER,1,CHIPS,5,REFUND", "LG003"),
            ("PLAYER,1,,1,CHIPS,5,REFUND", "LG003"),
            ("PLAYER,1,SEAT,0,CHIPS,5,BUY_IN", "wallet_account_owner_fits_its_kind"),
            ("PLAYER,1,SEAT,-1,CHIPS,5,BUY_IN", "wallet_account_owner_fits_its_kind"),
            ("PLAYER,1,HOUSE,1,CHIPS,5,RAKE", "wallet_account_owner_fits_its_kind"),
            ("PLAYER,1,POCKET,1,CHIPS,5,REFUND", "wallet_kind_is_known"),
            # currencies: a line has only one, so it can only fail where there is no cash
            ("PLAYER,1,SEAT,1,INR,5,BUY_IN", "wallet_account_is_never_overdrawn"),
            ("MINT,0,PLAYER,1,INR,5,WELCOME", "wallet_account_kind_fits_its_currency"),
            ("DEPOSITS,0,PLAYER,1,CHIPS,5,DEPOSIT", "wallet_account_kind_fits_its_currency"),
            ("PLAYER,1,WINNINGS,1,CHIPS,5,PRIZE", "wallet_account_kind_fits_its_currency"),
            ("PLAYER,1,SEAT,1,EUR,5,BUY_IN", "wallet_currency_is_known"),
            ("PLAYER,1,SEAT,1,CHIPS,5,GIFT", "wallet_reason_is_known"),
        ],
    )
    def test_a_bad_line_moves_nothing(self, text, reason):
        assert expect_refused_post("try:1", text) == reason
        good = "PLAYER,1,SEAT,2,CHIPS,1,BUY_IN"
        assert expect_refused_post("try:1", good, text) == reason

    def test_an_event_needs_lines(self):
        assert refusal("SELECT ledger_post('try:1', '{}')") == "LG003"
        assert refusal("SELECT ledger_post('try:1', NULL)") == "LG003"

    @pytest.mark.parametrize("key", ["", "ab", "with space", "ключ", "k" * 201])
    def test_a_key_is_plain_text(self, key):
        assert expect_refused_post(key, WELCOME) == ("wallet_key_is_plain_text")

    def test_a_repeated_key_with_other_content_is_refused(self):
        other = "MINT,0,PLAYER,1,CHIPS,1001,WELCOME"
        assert expect_refused_post("welcome:1", other) == "LG001"
        assert expect_refused_post("welcome:1", WELCOME, WELCOME) == "LG001"

    def test_one_line_has_a_function_of_its_own_for_the_same_keys(self, ledger):
        ask = "SELECT * FROM ledger_post_line(%s, 'MINT', 0, 0, 'PLAYER', 1, 0, 'CHIPS', %s, %s)"
        before = ledger()
        assert run(ask, "welcome:1", 1000, "WELCOME") == [post("welcome:1", WELCOME)]
        assert refusal(ask, "welcome:1", 1001, "WELCOME") == "LG001"
        assert ledger() == before
        ((journal_id, replayed),) = run(ask, "welcome:2", 500, "PRACTICE_CHIPS")
        assert replayed is False
        assert post("welcome:2", "MINT,0,PLAYER,1,CHIPS,500,PRACTICE_CHIPS") == (journal_id, True)
        other = "MINT,0,PLAYER,1,CHIPS,500,WELCOME"
        assert expect_refused_post("welcome:2", other) == "LG001"
        for key, hold in [("post:1", "DEPOSIT"), ("hold:1", "BUY_IN")]:
            ((batched,),) = run(
                "SELECT journal_id FROM ledger_post_batch(%s, '{1}', %s::wallet_line[])",
                [key],
                lines(f"MINT,0,PLAYER,2,CHIPS,7,{hold}"),
            )
            again = (
                "SELECT * FROM ledger_post_line(%s, 'MINT', 0, 0, 'PLAYER', 2, 0, 'CHIPS', 7, %s)"
            )
            assert run(again, key, hold) == [(batched, True)]

    def test_an_account_may_pay_what_it_receives_in_the_same_event(self):
        post(
            "match:1",
            "POT,1,SEAT,2,CHIPS,90,WINNINGS",
            "POT,1,RAKE,1,CHIPS,10,RAKE",
            "PLAYER,1,POT,1,CHIPS,100,STAKE",
        )
        assert run(
            """SELECT e.seq, e.amount, e.balance_after FROM wallet_entry e
               JOIN wallet_account a ON a.id = e.account_id WHERE a.kind = 'POT' ORDER BY e.seq"""
        ) == [(1, 100, 100), (2, -90, 10), (3, -10, 0)]

    def test_a_closed_account_takes_no_posting(self):
        post("buy:1", "PLAYER,1,SEAT,1,CHIPS,5,BUY_IN")
        close = "SELECT ledger_close_account('SEAT', 1, 'CHIPS')"
        assert refusal(close) == "wallet_account_closes_empty"
        run("SELECT ledger_sweep('out:1', %s)", line("SEAT,1,PLAYER,1,CHIPS,,CASH_OUT"))
        run(close)
        late = "PLAYER,1,SEAT,1,CHIPS,5,BUY_IN"
        assert expect_refused_post("buy:2", late) == "LG002"
        assert expect_refused_post("buy:2", late, late.replace("SEAT,1", "SEAT,2")) == "LG002"


class TestTheOwner:
    @pytest.fixture(autouse=True)
    def _owner(self, as_owner):
        with as_owner():
            yield

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE wallet_entry SET amount = amount + 1",
            "UPDATE wallet_transfer SET reason = 'BONUS'",
            "UPDATE wallet_journal SET subject = 'other'",
            "DELETE FROM wallet_entry",
            "DELETE FROM wallet_transfer",
            "DELETE FROM wallet_journal",
            "DELETE FROM wallet_account",
            "UPDATE wallet_account SET owner_id = 7 WHERE kind = 'PLAYER'",
            "UPDATE wallet_account SET kind = 'SEAT' WHERE kind = 'PLAYER'",
            "UPDATE wallet_account SET currency = 'INR' WHERE kind = 'PLAYER'",
            "UPDATE wallet_account SET may_be_negative = true",
            "TRUNCATE wallet_entry",
            "TRUNCATE wallet_journal CASCADE",
            "TRUNCATE wallet_account CASCADE",
        ],
    )
    def test_the_owner_cannot_change_history(self, statement):
        run("SET CONSTRAINTS ALL IMMEDIATE")  # so that no pending check fails before the guard
        assert refusal(statement) == "LG008"

    def test_the_owner_cannot_overdraw_an_account(self):
        state = refusal("UPDATE wallet_account SET balance = -1 WHERE kind = 'PLAYER'")
        assert state == ("wallet_account_is_never_overdrawn")
        state = refusal("UPDATE wallet_account SET held = 1001 WHERE kind = 'PLAYER'")
        assert state == ("wallet_account_is_never_overdrawn")
        state = refusal("UPDATE wallet_account SET held = -1 WHERE kind = 'PLAYER'")
        assert state == ("wallet_account_held_is_not_negative")

    def test_the_owner_cannot_open_an_account_with_money(self):
        assert refusal(
            """INSERT INTO wallet_account (kind, owner_id, currency, balance, opened_at)
               VALUES ('PLAYER', 2, 'CHIPS', 5, now())"""
        ) == ("wallet_account_begins_empty")

    def test_the_owner_cannot_mix_currencies(self):
        run("""INSERT INTO wallet_account (kind, owner_id, currency, opened_at)
               VALUES ('PLAYER', 1, 'INR', now())""")
        for currency, constraint in [
            ("CHIPS", "wallet_transfer_destination_has_its_currency"),
            ("INR", "wallet_transfer_source_has_its_currency"),
        ]:
            assert (
                refusal(
                    """INSERT INTO wallet_transfer (journal_id, line, source_id, destination_id,
                                                currency, amount, reason, happened_at)
                   SELECT j.id, 9, s.id, d.id, %s, 5, 'REFUND', now()
                   FROM wallet_journal j, wallet_account s, wallet_account d
                   WHERE (s.kind, s.currency) = ('PLAYER', 'CHIPS')
                     AND (d.kind, d.currency) = ('PLAYER', 'INR')""",
                    currency,
                )
                == constraint
            )

    @pytest.mark.parametrize("amount", [0, -1])
    def test_the_owner_cannot_write_a_senseless_transfer(self, amount):
        state = refusal(
            """INSERT INTO wallet_transfer (journal_id, line, source_id, destination_id,
                                            currency, amount, reason, happened_at)
               SELECT j.id, 9, s.id, d.id, 'CHIPS', %s, 'REFUND', now()
               FROM wallet_journal j, wallet_account s, wallet_account d
               WHERE s.kind = 'MINT' AND d.kind = 'PLAYER'""",
            amount,
        )
        assert state == "wallet_transfer_amount_is_positive"


@pytest.mark.parametrize(
    ("domain", "words"), [("kind", AccountKind), ("reason", Reason), ("currency", Currency)]
)
def test_the_chart_and_the_database_know_the_same_words(domain, words):
    ((definition,),) = run(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = %s",
        f"wallet_{domain}_is_known",
    )
    assert set(re.findall(r"'([A-Z_]+)'", definition)) == set(words)


@pytest.mark.parametrize("currency", Currency)
@pytest.mark.parametrize("owner_id", [0, 9])
@pytest.mark.parametrize("kind", AccountKind)
def test_the_chart_and_the_database_allow_the_same_accounts(kind, owner_id, currency, as_owner):
    insert = """INSERT INTO wallet_account (kind, owner_id, currency, opened_at)
                VALUES (%s, %s, %s, now()) ON CONFLICT DO NOTHING"""
    with as_owner():
        try:
            AccountRef(kind, owner_id, currency)
        except ValueError:
            assert refusal(insert, kind, owner_id, currency).startswith("wallet_account_")
        else:
            run(insert, kind, owner_id, currency)
            account = LedgerAccount.objects.get(kind=kind, owner_id=owner_id, currency=currency)
            assert account.may_be_negative is (kind in MAY_BE_NEGATIVE)
