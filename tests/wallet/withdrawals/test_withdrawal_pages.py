"""The player's and the administration's pages of withdrawals."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from accounts.models import IdentityCheck, User
from tests.accounts.staff import decide
from tests.barring import freeze_by_staff
from tests.given import reload
from tests.wallet.cash_players import bring_deposit, make_player, make_staff
from tests.wallet.withdrawals.asking import FORM, ask, read_winnings
from wallet.ledger.checks import reconcile
from wallet.models import Deposit, TaxRule, Withdrawal, WithdrawalPolicy

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_rate_limits")]

PAGE = "/wallet/withdrawals/"
PASSWORD = "a-long-password"
State = Withdrawal.State


@pytest.fixture
def asha(asha, client):
    """The player, who has also deposited 1,000 rupees and is signed in."""
    bring_deposit(asha, 100_000)
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    return asha


def prove_it(client, url, password=PASSWORD):
    """Open a page, type the password again when asked, and return the answer that follows."""
    answer = client.get(url)
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_reauthenticate"))
    return client.post(answer.url, {"password": password})


def text(answer):
    return " ".join(re.sub("<[^>]*>", " ", answer.text).split())


class TestPlayer:
    def test_a_withdrawal_is_requested_reviewed_and_cancelled(self, client, asha):
        assert PAGE in client.get("/wallet/").text
        page = text(client.get(PAGE))
        assert "Winnings ₹2,000.00 At least ₹100.00" in page
        review = client.post(PAGE, FORM).url
        assert not Withdrawal.objects.exists()
        assert prove_it(client, review).url == review
        page = text(client.get(review))
        assert "From your winnings ₹1,500.00 Tax deducted (TDS) ₹150.00 You get ₹1,350.00" in page
        assert "₹500.00 of this withdrawal are net winnings" in page
        assert "The tax on them is 30 %." in page
        assert "asha@upi" in page
        assert not Withdrawal.objects.exists()

        answer = client.post(review)
        withdrawal = Withdrawal.objects.get()
        assert answer.url == reverse("wallet:withdrawal", args=[withdrawal.reference])
        assert client.post(review).url == answer.url  # a second click
        assert Withdrawal.objects.count() == 1
        page = text(client.get(answer.url))
        assert "State waiting for approval" in page
        assert "An administrator will check your request" in page
        assert "₹500.00" in client.get("/wallet/").text

        client.post(reverse("wallet:cancel_withdrawal", args=[withdrawal.reference]))
        page = text(client.get(answer.url))
        assert "State cancelled by the player" in page
        assert "Cancel this withdrawal" not in page
        assert read_winnings(asha) == 200_000
        assert "cancelled by the player" in text(client.get(PAGE))

    def test_a_withdrawal_needs_the_password(self, client, asha, ledger):
        review = client.post(PAGE, FORM).url
        before = ledger()
        answer = client.post(review)
        assert answer.url.startswith(reverse("account_reauthenticate"))
        assert "password" in text(prove_it(client, review, "wrong-password")).lower()
        assert client.post(review).url.startswith(reverse("account_reauthenticate"))
        assert ledger() == before
        assert not Withdrawal.objects.exists()

    @pytest.mark.parametrize(
        ("fields", "sentence"),
        [
            ({"amount": "\uff11५0"}, "Enter an amount in digits"),
            ({"amount": ""}, "required"),
            ({"amount": "99.99"}, "less than the minimum"),
            ({"amount": "2000.01"}, "not enough in your wallet"),
            ({"amount": "50000.01"}, "can be withdrawn within 24 hours"),
            ({"pay_to": "asha"}, "Enter a UPI address"),
            ({"pay_to": "आशा@upi"}, "Enter a UPI address"),
            ({"pay_to": "a b@upi"}, "Enter a UPI address"),
        ],
    )
    def test_a_refused_request_is_explained(self, client, asha, ledger, fields, sentence):
        before = ledger()
        answer = client.post(PAGE, {**FORM, **fields})
        assert answer.status_code == 200
        assert sentence in answer.text
        assert ledger() == before

    def test_without_an_approved_identity_the_page_says_what_to_do(self, client, asha):
        IdentityCheck.objects.all().delete()
        page = client.get(PAGE).text
        assert "Before you can withdraw, your identity has to be approved." in page
        assert reverse("accounts:identity") in page
        assert 'name="amount"' not in page
        client.post(PAGE, FORM)
        assert not Withdrawal.objects.exists()

    def test_without_a_policy_nothing_can_be_withdrawn(self, client, asha):
        WithdrawalPolicy.objects.all().delete()
        assert "Nothing can be withdrawn here yet." in text(client.get(PAGE))

    def test_a_review_belongs_to_one_player_and_expires(self, client, asha, boss, monkeypatch):
        review = client.post(PAGE, FORM).url
        prove_it(client, review)
        assert client.get(review[:-3] + "xx/").status_code == 404
        with monkeypatch.context() as later:
            later.setattr(
                "django.core.signing.time.time", lambda: timezone.now().timestamp() + 3_700
            )
            answer = client.get(review, follow=True)
        # The password entered earlier no longer suffices. It is asked for again first.
        assert "reauthenticate" in answer.redirect_chain[0][0]
        other = make_player("Bela")
        client.force_login(other)
        prove_it(client, review)
        assert client.get(review).status_code == 404

    def test_a_changed_tax_is_shown_before_it_is_committed(self, client, asha):
        review = client.post(PAGE, FORM).url
        prove_it(client, review)
        bring_deposit(asha, 50_000, key="more")
        answer = client.post(review, follow=True)
        assert "The tax has changed since you looked" in text(answer)
        assert not Withdrawal.objects.exists()
        answer = client.get(review, follow=True)
        assert "Tax deducted (TDS) ₹0.00 You get ₹1,500.00" in text(answer)

    def test_a_withdrawal_is_shown_only_to_its_player(self, client, asha):
        withdrawal = ask(asha)
        client.force_login(make_player("Bela"))
        page = reverse("wallet:withdrawal", args=[withdrawal.reference])
        assert client.get(page).status_code == 404
        cancel = reverse("wallet:cancel_withdrawal", args=[withdrawal.reference])
        assert client.post(cancel).status_code == 404
        assert client.get(cancel).status_code == 405
        assert reload(withdrawal).state == State.REQUESTED


class TestAdministration:
    def test_two_administrators_approve(self, client, asha, boss):
        WithdrawalPolicy.objects.update(second_approval_above=20_000)
        withdrawal = ask(asha)
        client.force_login(boss)
        page = client.get(reverse("admin:wallet_withdrawal_change", args=[withdrawal.pk]))
        assert 'value="approve"' in page.text
        assert "Asha Rao" in page.text
        assert "₹500.00" in client.get(reverse("admin:wallet_withdrawal_changelist")).text
        decide(client, withdrawal, "approve", "Seen.")
        assert withdrawal.state == State.NEEDS_SECOND
        again = decide(client, withdrawal, "approve", "Seen.")
        assert "Nothing was done" in text(again)
        assert withdrawal.state == State.NEEDS_SECOND
        client.force_login(make_staff("Chief"))
        page = client.get(reverse("admin:wallet_withdrawal_change", args=[withdrawal.pk]))
        assert "Approve as the second administrator" in page.text
        decide(client, withdrawal, "approve", "Seen.")
        assert withdrawal.state == State.APPROVED
        assert "was changed" not in text(decide(client, withdrawal, "refuse", "Late."))
        assert withdrawal.state == State.APPROVED

    def test_a_refusal_needs_a_reason_that_the_player_reads(self, client, asha, boss):
        withdrawal = ask(asha)
        client.force_login(boss)
        assert "Write a reason" in decide(client, withdrawal, "refuse").text
        assert withdrawal.state == State.REQUESTED
        decide(client, withdrawal, "refuse", "Another <b>name</b> at the bank.")
        assert (withdrawal.state, read_winnings(asha)) == (State.REFUSED, 200_000)
        assert reconcile().findings == ()
        client.force_login(asha)
        page = client.get(reverse("wallet:withdrawal", args=["w1"])).text
        assert "Another &lt;b&gt;name&lt;/b&gt; at the bank." in page

    def test_staff_with_the_view_permission_cannot_decide(self, client, asha, django_user_model):
        withdrawal = ask(asha)
        helper = User.objects.create_user("h@example.com", "x", player_name="Help", is_staff=True)
        helper.user_permissions.add(Permission.objects.get(codename="view_withdrawal"))
        client.force_login(helper)
        page = client.get(reverse("admin:wallet_withdrawal_change", args=[withdrawal.pk]))
        assert page.status_code == 200
        assert 'value="approve"' not in page.text
        assert decide(client, withdrawal, "approve").status_code == 403
        assert reload(withdrawal).state == State.REQUESTED

    def test_rules_that_count_stay_as_they_are(self, client, asha, boss):
        client.force_login(boss)
        policy, rule = WithdrawalPolicy.objects.get(), TaxRule.objects.get()
        for name, row in (("withdrawalpolicy", policy), ("taxrule", rule)):
            page = reverse(f"admin:wallet_{name}_change", args=[row.pk])
            assert client.get(page).status_code == 200
            assert client.post(page, {}).status_code == 403
            delete = reverse(f"admin:wallet_{name}_delete", args=[row.pk])
            assert client.post(delete, {"post": "yes"}).status_code == 403
        tomorrow = timezone.localtime() + timedelta(days=1)
        sent = {"code": "X", "threshold": "0", "valid_from": f"{tomorrow:%Y-%m-%d}"}
        added = {**sent, "rate_bps": "1", "reason_for_audit": "The law changes."}
        assert client.post(reverse("admin:wallet_taxrule_add"), added).status_code == 302
        new = TaxRule.objects.get(code="X")
        page = reverse("admin:wallet_taxrule_change", args=[new.pk])
        answer = client.post(page, {**sent, "rate_bps": "100"})
        assert "0 to 9999 hundredths" in answer.text


def test_no_page_of_a_frozen_player_answers(client, asha, boss):
    assert client.get("/wallet/").status_code == 200
    freeze_by_staff(asha)
    pages = ("/wallet/deposits/", "/wallet/withdrawals/", "/tournaments/1/register/")
    for page in (*pages, "/tables/1/sit/", "/api/v1/tables/1/sit/"):
        answer = client.post(page, {"amount": "500", "pay_to": "x@upi"})
        assert answer.status_code in {302, 401, 403}, page
        assert answer.status_code != 302 or "/accounts/login/" in answer["Location"], page
    assert not Deposit.objects.filter(state="WAITING").exists()
    assert not Withdrawal.objects.exists()
