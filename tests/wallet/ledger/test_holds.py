"""Two-phase transfers, by their SQL functions as the application."""

import pytest

from tests.wallet.rawsql import lines, post, refusal, refused_post, run
from wallet.models import LedgerAccount

pytestmark = pytest.mark.django_db

HOLD = """SELECT hold_id, replayed FROM ledger_hold(
            %s, %s::wallet_line[], clock_timestamp() + %s::interval)"""
POST_WHOLE = "SELECT journal_id, replayed FROM ledger_post_hold(%s, %s)"
POST_LINES = "SELECT journal_id, replayed FROM ledger_post_hold(%s, %s, %s::wallet_line[])"
VOID = "SELECT journal_id, replayed FROM ledger_void_hold(%s, %s)"
EXPIRE = "SELECT journal_id, replayed FROM ledger_void_hold(%s, %s, true)"


def buy_in(amount):
    return f"PLAYER,1,SEAT,7,CHIPS,{amount},BUY_IN"


def account(kind):
    return LedgerAccount.objects.values_list("balance", "held").get(kind=kind)


@pytest.fixture(autouse=True)
def _funded(db):
    post("welcome:1", "MINT,0,PLAYER,1,CHIPS,1000,WELCOME")


@pytest.fixture
def held():
    ((hold_id, replayed),) = run(HOLD, "hold:1", lines(buy_in(600)), "1 minute")
    assert replayed is False
    return hold_id


@pytest.fixture
def time_passes(as_owner):
    """Moves a hold's end into the past."""

    def pass_time(hold_id):
        run("SET CONSTRAINTS ALL IMMEDIATE")
        with as_owner():
            run("ALTER TABLE wallet_hold DISABLE TRIGGER USER")
            run("UPDATE wallet_hold SET expires_at = clock_timestamp() WHERE id = %s", hold_id)
            run("ALTER TABLE wallet_hold ENABLE TRIGGER USER")

    return pass_time


def test_what_is_held_cannot_be_spent_or_held_again(held, ledger):
    assert account("PLAYER") == (1000, 600)
    before = ledger()
    overdrawn = "wallet_account_is_never_overdrawn"
    assert refused_post("buy:1", buy_in(401)) == overdrawn
    assert refusal(HOLD, "hold:2", lines(buy_in(401)), "1 minute") == overdrawn
    assert ledger() == before
    post("buy:1", buy_in(400))
    assert account("PLAYER") == (600, 600)


def test_a_repeated_hold_is_the_first_one(held, ledger):
    before = ledger()
    assert run(HOLD, "hold:1", lines(buy_in(600)), "2 minutes") == [(held, True)]
    assert refusal(HOLD, "hold:1", lines(buy_in(601)), "1 minute") == "LG001"
    assert ledger() == before


def test_a_hold_is_posted_whole(held):
    ((journal_id, replayed),) = run(POST_WHOLE, held, "post:1")
    assert replayed is False
    assert (account("PLAYER"), account("SEAT")) == ((400, 0), (600, 0))
    assert run(POST_WHOLE, held, "post:1") == [(journal_id, True)]
    assert account("SEAT") == (600, 0)


def test_the_rest_of_a_hold_posted_in_part_goes_back(held):
    run(POST_LINES, held, "post:1", lines(buy_in(250)))
    assert (account("PLAYER"), account("SEAT")) == ((750, 0), (250, 0))


@pytest.mark.parametrize(
    "text", [buy_in(601), "SEAT,7,PLAYER,1,CHIPS,1,REFUND", "MINT,0,SEAT,7,CHIPS,1,BUY_IN"]
)
def test_no_more_is_posted_than_was_held_where_it_was_held(held, text, ledger):
    before = ledger()
    assert refusal(POST_LINES, held, "post:1", lines(text)) == "LG007"
    assert ledger() == before


def test_a_voided_hold_gives_everything_back(held):
    run(VOID, held, "void:1")
    assert account("PLAYER") == (1000, 0)


@pytest.mark.parametrize("end", [POST_WHOLE, VOID])
def test_a_hold_ends_once(held, end, ledger):
    run(end, held, "end:1")
    before = ledger()
    assert refusal(POST_WHOLE, held, "again:1") == "LG005"
    assert refusal(VOID, held, "again:1") == "LG005"
    assert ledger() == before


def test_an_expired_hold_is_given_back_and_not_posted(held, ledger, time_passes):
    before = ledger()
    assert refusal(EXPIRE, held, "expire:1") == "LG011"
    time_passes(held)
    assert refusal(POST_WHOLE, held, "post:1") == "LG006"
    assert ledger() == before
    run(EXPIRE, held, "expire:1")
    assert account("PLAYER") == (1000, 0)
    assert run("SELECT outcome FROM wallet_hold_resolution") == [("EXPIRED",)]


def test_nothing_is_held_for_the_past(ledger):
    before = ledger()
    assert refusal(HOLD, "hold:1", lines(buy_in(5)), "-1 second") == "LG006"
    assert ledger() == before


@pytest.mark.parametrize("end", [POST_WHOLE, VOID])
def test_an_unknown_hold(end, ledger):
    before = ledger()
    assert refusal(end, 4711, "end:1") == "LG004"
    assert ledger() == before
