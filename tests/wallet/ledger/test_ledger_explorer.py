"""The ledger in the administration: every figure links to its entries, and nothing can be changed."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.desk.staff_roles import Role
from tests.accounts.staff import member, office
from wallet import api as wallet
from wallet.ledger import chart
from wallet.ledger.chart import PostingLine
from wallet.ledger.entries import JOURNALS, TRANSFERS, ids_between
from wallet.ledger.posting import post_transfers
from wallet.models import Journal, LedgerAccount, Reason, Transfer
from wallet.money import Currency

pytestmark = pytest.mark.django_db
CHIPS = Currency.CHIPS
ACCOUNTS = "/admin/wallet/ledgeraccount/"
TRANSFER_LIST = "/admin/wallet/transfer/"
JOURNAL_LIST = "/admin/wallet/journal/"


@pytest.fixture
def asha(asha):
    wallet.grant_welcome_chips(user_id=asha.pk)
    return asha


def pay(user, amount, key, reason=Reason.ENTRY_FEE):
    line = PostingLine(chart.player(user.pk, CHIPS), chart.pot(7, CHIPS), amount, reason)
    post_transfers(key=key, lines=[line], subject="match:7")
    return Transfer.objects.latest("pk")


def account_of(ref):
    return LedgerAccount.objects.get(kind=ref.kind, owner_id=ref.owner_id, currency=ref.currency)


def text(client, address, **query):
    answer = client.get(address, query)
    assert answer.status_code == 200
    return answer.text


def test_an_account_links_to_its_events_and_their_subjects(desk, asha):
    transfer = pay(asha, 250, "match:7:entries")
    account = account_of(chart.player(asha.pk, CHIPS))
    page = text(desk, f"{ACCOUNTS}{account.pk}/change/")
    assert "9,750" in page
    assert f'/admin/accounts/user/{asha.pk}/change/">{asha.pk}</a>' in page
    assert f'/admin/wallet/journal/{transfer.journal_id}/change/">match:7:entries</a>' in page
    entries = page.split('data-region="entries"')[1]
    assert "\N{MINUS SIGN}250" in entries
    assert "10,000" in entries  # the welcome before it
    event = text(desk, f"{JOURNAL_LIST}{transfer.journal_id}/change/")
    assert '/admin/tables/match/7/change/">match:7</a>' in event
    pot = account_of(chart.pot(7, CHIPS))
    for other in (account, pot):
        assert f"{ACCOUNTS}{other.pk}/change/" in event
    assert "POT 7 CHIPS</a>" in event
    transfer_page = text(desk, f"{TRANSFER_LIST}{transfer.pk}/change/")
    assert "match:7:entries" in transfer_page


def test_entries_are_narrowed_by_reason_and_days_and_paged(desk, asha, monkeypatch):
    monkeypatch.setattr("wallet.ledger.admin.ENTRIES_SHOWN", 3)
    for number in range(5):
        pay(asha, 10 + number, f"match:7:entry:0:{number}")
    page = f"{ACCOUNTS}{account_of(chart.player(asha.pk, CHIPS)).pk}/change/"
    newest = text(desk, page)
    assert ">\N{MINUS SIGN}14<" in newest
    assert ">\N{MINUS SIGN}11<" not in newest
    assert "?before=4" in newest
    assert ">\N{MINUS SIGN}11<" in text(desk, page, before=4)
    only = text(desk, page, reason="WELCOME").split('data-region="entries"')[1]
    assert "10,000" in only
    assert "match:7" not in only
    yesterday = timezone.localdate() - timedelta(days=1)
    assert "match:7" not in text(desk, page, until=yesterday.isoformat())
    assert "match:7" in text(desk, page, since=timezone.localdate().isoformat())
    for nonsense in ({"since": "2026-99-99"}, {"before": "x"}, {"reason": "x"}, {"until": "0001"}):
        assert ">\N{MINUS SIGN}14<" in text(desk, page, **nonsense)


def test_accounts_are_filtered_by_kind_and_owner(desk, asha):
    pay(asha, 250, "match:7:entries")
    of_asha = text(desk, ACCOUNTS, kind="players", owner_id__exact=asha.pk)
    assert f"PLAYER:{asha.pk}:CHIPS" in of_asha
    listed = text(desk, ACCOUNTS, kind="POT").split('id="result_list"')[1].split("</table>")[0]
    assert "PLAYER" not in listed
    assert "POT:7:CHIPS" in text(desk, ACCOUNTS, q="7")
    assert "0 ledger accounts" in text(desk, ACCOUNTS, q="words")
    assert "0 ledger accounts" in text(desk, ACCOUNTS, q="9" * 30)


def test_transfers_are_filtered_by_reason_currency_day_and_key(desk, asha):
    pay(asha, 250, "match:7:entries")
    listed = text(desk, TRANSFER_LIST, reason="ENTRY_FEE", when="today", currency__exact="CHIPS")
    assert "match:7:entries" in listed
    assert f"welcome:{asha.pk}" not in listed
    assert "match:7" not in text(desk, TRANSFER_LIST, currency__exact="INR")
    today = timezone.localdate()
    assert "match:7:entries" in text(desk, TRANSFER_LIST, when=today.isoformat())
    day_before = (today - timedelta(days=1)).isoformat()
    assert "match:7:entries" not in text(desk, TRANSFER_LIST, when=day_before)
    assert "match:7:entries" in text(desk, TRANSFER_LIST, q="match:7:entries")
    assert "0 transfers" in text(desk, TRANSFER_LIST, q="match:8:entries")
    assert "match:7:entries" in text(desk, JOURNAL_LIST, q="match:7:entries", when="week")


def test_rows_between_two_times_are_found_without_a_full_scan(asha):
    """This works although ids have gaps, which sequences leave when a transaction fails."""
    for number in range(40):
        pay(asha, 1, f"match:7:entry:0:{number}")
    first = Transfer.objects.earliest("pk")
    assert ids_between(TRANSFERS, since=first.happened_at).start <= first.pk
    later = timezone.now() + timedelta(days=1)
    assert len(ids_between(TRANSFERS, since=later)) == 0
    before = first.happened_at - timedelta(days=1)
    assert len(ids_between(TRANSFERS, since=before - timedelta(days=1), until=before)) == 0
    everything = ids_between(JOURNALS, since=before)
    ends = (everything.start, everything.stop - 1)
    assert Journal.objects.filter(pk__range=ends).count() == Journal.objects.count()


def test_no_list_counts_or_reads_the_whole_table(desk, asha):
    pay(asha, 250, "match:7:entries")
    desk.get(ACCOUNTS)
    for page in (ACCOUNTS, TRANSFER_LIST, JOURNAL_LIST):
        with CaptureQueriesContext(connection) as queries:
            assert desk.get(page).status_code == 200
        statements = [query["sql"] for query in queries if '"wallet_' in query["sql"]]
        counts = [statement for statement in statements if "COUNT(" in statement]
        assert (len(statements), len(counts)) == (2, 1), page
        assert "LIMIT 10000" in counts[0], page


def test_no_ledger_row_can_be_changed_in_the_administration(desk, asha):
    transfer = pay(asha, 250, "match:7:entries")
    boss = office(member(Role.SUPERUSER))
    for client in (desk, boss):
        for model, pk in (("transfer", transfer.pk), ("journal", transfer.journal_id)):
            for name in ("change", "delete"):
                page = reverse(f"admin:wallet_{model}_{name}", args=[pk])
                assert client.post(page, {"amount": 1, "post": "yes"}).status_code == 403
            assert client.get(reverse(f"admin:wallet_{model}_add")).status_code == 403
    assert Transfer.objects.get(pk=transfer.pk).amount == 250
