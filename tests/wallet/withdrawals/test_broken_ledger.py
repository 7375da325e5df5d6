"""A failed ledger check, which fails /ledgerz and stops all withdrawals until a check passes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.wallet.rawsql import run, without_guards
from tests.wallet.withdrawals.asking import approve_for, ask
from wallet.models import LedgerCheck, Withdrawal
from wallet.refusals import WithdrawalsFrozen
from wallet.tasks import check_ledger, send_payouts
from wallet.withdrawals.requesting import cancel_withdrawal
from wallet.withdrawals.steps import approve_withdrawal

pytestmark = pytest.mark.django_db

FROZEN = "Withdrawals are paused while our books are being checked."


OFF = "is off: manage.py check_ledger says where"


def tamper(by):
    """Change every player's winnings, as only the tables' owner could."""
    with without_guards("wallet_account"):
        run("UPDATE wallet_account SET balance = balance + %s WHERE kind = 'WINNINGS'", by)


def health(client):
    answer = client.get("/ledgerz")
    return answer.status_code, answer.json()["ledger"]


def test_a_broken_ledger_stops_withdrawals_until_it_is_mended(client, asha, boss):
    asked = ask(asha, 20_000, "w1")
    approve_for(asha, boss, amount=20_000, reference="w2")
    assert check_ledger() == 0
    assert health(client) == (200, "ok")

    tamper(1)
    assert health(client) == (200, "ok")  # nobody has looked yet
    assert check_ledger() == 2
    assert health(client) == (503, OFF)
    before = list(Withdrawal.objects.order_by("pk").values_list())
    with pytest.raises(WithdrawalsFrozen, match=FROZEN):
        ask(asha, 20_000, "w3")
    with pytest.raises(WithdrawalsFrozen):
        approve_withdrawal(withdrawal_id=asked.pk, staff_id=boss.pk)
    assert send_payouts() == 0
    assert list(Withdrawal.objects.order_by("pk").values_list()) == before

    tamper(-1)
    assert health(client) == (503, OFF)  # mended, and nobody has looked yet
    assert check_ledger() == 0
    assert health(client) == (200, "ok")
    ask(asha, 20_000, "w3")
    approve_withdrawal(withdrawal_id=asked.pk, staff_id=boss.pk)
    assert [check.found for check in LedgerCheck.objects.order_by("pk")] == [0, 2, 0]


def test_an_earlier_request_is_still_answered_and_cancelled(asha):
    """A repeated request gets its first answer, and can be cancelled. Only new requests are refused."""
    withdrawal = ask(asha, 20_000, "w1")
    tamper(1)
    check_ledger()
    assert ask(asha, 20_000, "w1", net=withdrawal.net) == withdrawal
    assert cancel_withdrawal(user_id=asha.pk, reference="w1").state == "CANCELLED"


def test_player_and_staff_read_why_withdrawals_rest(client, asha, boss):
    ask(asha, 20_000, "w1")
    tamper(1)
    check_ledger()
    client.force_login(asha)
    page = client.get("/wallet/withdrawals/").text
    assert FROZEN in page
    assert 'name="amount"' not in page
    client.force_login(boss)
    page = client.get("/admin/wallet/withdrawal/").text
    assert "Withdrawals are frozen" in page
    assert "currency does not sum to zero: INR: 1" in page
    check = LedgerCheck.objects.get()
    page = client.get(f"/admin/wallet/ledgercheck/{check.pk}/change/").text
    assert "account differs from its entries" in page
    assert client.post(f"/admin/wallet/ledgercheck/{check.pk}/delete/").status_code == 403
    assert LedgerCheck.objects.count() == 1


def test_ledger_health_takes_one_query(client, asha):
    check_ledger()
    with CaptureQueriesContext(connection) as queries:
        assert health(client) == (200, "ok")
    assert len(queries) == 1


@pytest.mark.django_db(transaction=True)
def test_health_fails_without_a_database(client, monkeypatch):
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "NAME", "there_is_no_such_database")
    try:
        for path in ("/healthz", "/ledgerz"):
            assert client.get(path).status_code == 503
        assert client.get("/healthz").content == b"database"
    finally:
        connection.close()
