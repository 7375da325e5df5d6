"""Provider reports about credited payments: disputes, refunds, and unknown events."""

import re
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from config.account_data.closing import close_account
from core.models import OutgoingEmail
from core.tasks import send_emails
from tests.accounts.staff import decide
from tests.given import reload
from tests.programs import ROOT
from tests.refusals import refused
from tests.together import run_at_once
from tests.wallet.cash_players import bring_winnings, make_player, may_withdraw, read_cash
from tests.wallet.payments.razorpay_stand_in import event, razorpay_answers, report
from tests.wallet.rawsql import post
from tests.wallet.withdrawals.asking import approve_for
from tests.workers import environment
from wallet.deposits.services import find_payment_page, start_deposit
from wallet.ledger.checks import reconcile
from wallet.models import Journal, PaymentCase, ProviderReport
from wallet.payments.cases import book_taken, collect_due, give_back
from wallet.payments.razorpay import KNOWN_EVENTS
from wallet.refusals import CASE_DECIDED, PAYMENT_DISPUTED
from wallet.tax.figures import compute_life_figures
from wallet.withdrawals.payouts import send_payouts
from wallet.withdrawals.requesting import quote_withdrawal

AMOUNT = 25_000
REASON = "The bank's letter of today."


@pytest.fixture
def razorpay(settings, transactional_db):
    with razorpay_answers() as answering:
        settings.PAYMENT_PROVIDERS = ["wallet.payments.razorpay.RazorpayProvider"]
        settings.PAYMENT_OPTIONS = answering.options
        yield answering


@pytest.fixture
def begun(razorpay, asha):
    deposit = start_deposit(user_id=asha.pk, amount=AMOUNT)
    find_payment_page(deposit)
    return deposit


@pytest.fixture
def paid(live_site, razorpay, begun):
    """A credited deposit. Its payment is pay_1."""
    told = razorpay.pay_link(begun.reference, id="pay_1")
    assert report(live_site, told, event_id="paid") == (200, "CREDITED")
    return begun


def cash(user):
    return read_cash(user).deposit, read_cash(user).winnings


def spend(user, amount):
    """Take cash from the player as a lost stake."""
    post(f"lost:{user.pk}", f"PLAYER,{user.pk},SUSPENSE,0,INR,{amount},STAKE")


def read_case():
    return PaymentCase.objects.get()


def is_clean():
    return reconcile().findings == ()


class TestDispute:
    def test_a_lost_dispute_holds_the_money_and_waits_for_staff(
        self, live_site, razorpay, paid, asha, desk
    ):
        lost = razorpay.dispute("lost")
        assert report(live_site, lost, event_id="evt_1") == (200, "HELD")
        case = read_case()
        assert (case.kind, case.stage, case.state) == ("DISPUTE", "TAKEN", "OPEN")
        assert (case.deposit, case.held, cash(asha)) == (paid, AMOUNT, (0, 0))
        assert is_clean()
        first = desk.get("/admin/").text
        assert reverse("admin:wallet_paymentcase_changelist") in first
        page = desk.get(reverse("admin:wallet_paymentcase_change", args=[case.pk])).text
        assert "goods_not_received" in page
        assert "asha@example.com" not in page
        assert "a@upi" not in page
        decide(desk, case, "taken", REASON)
        assert (case.state, case.taken, cash(asha)) == ("TAKEN", AMOUNT, (0, 0))
        assert compute_life_figures(asha.pk, now=timezone.now()).deposited == 0
        assert compute_life_figures(asha.pk, now=timezone.now()).won == 0
        assert is_clean()

    def test_reports_repeated_and_out_of_order_hold_once(self, live_site, razorpay, paid, asha):
        stages = ["lost", "created", "under_review", "action_required"]
        for number, stage in enumerate(stages):
            told = razorpay.dispute(stage)
            assert report(live_site, told, event_id=f"e{number}")[0] == 200
            assert report(live_site, told, event_id=f"e{number}") == (200, "REPEATED")
        # The event id is not signed, so the same report may come under another id. It holds nothing again.
        assert report(live_site, razorpay.dispute("lost"), event_id="e9") == (200, "NOTED")
        case = read_case()
        assert (case.stage, case.held, cash(asha)) == ("TAKEN", AMOUNT, (0, 0))
        assert case.reports.count() == 5
        assert Journal.objects.filter(key__startswith="case:").count() == 1
        assert is_clean()

    def test_the_same_report_on_many_connections_holds_once(self, live_site, razorpay, paid, asha):
        told = razorpay.dispute("created")
        sent = [lambda: report(live_site, told, event_id="one")[1] for _ in range(5)]
        assert sorted(run_at_once(*sent)) == ["HELD", *4 * ["REPEATED"]]
        others = [
            lambda number=number: report(live_site, told, event_id=f"e{number}")[1]
            for number in range(5)
        ]
        assert run_at_once(*others) == 5 * ["NOTED"]
        assert (read_case().held, cash(asha)) == (AMOUNT, (0, 0))
        assert is_clean()

    def test_a_dispute_that_was_won_is_given_back_by_staff(
        self, live_site, razorpay, paid, asha, desk
    ):
        bring_winnings(asha, 7_000)
        spend(asha, 5_000)
        report(live_site, razorpay.dispute("created"), event_id="e1")
        assert (read_case().held, cash(asha)) == (AMOUNT, (0, 2_000))
        report(live_site, razorpay.dispute("won"), event_id="e2")
        case = read_case()
        assert (case.stage, case.state, case.held) == ("KEPT", "OPEN", AMOUNT)
        # A late report does not reopen the case or hold the money again.
        assert report(live_site, razorpay.dispute("created"), event_id="e3") == (200, "NOTED")
        decide(desk, case, "give_back", REASON)
        assert (case.state, case.held, cash(asha)) == ("GIVEN_BACK", 0, (20_000, 7_000))
        assert is_clean()
        with refused(CASE_DECIDED):
            give_back(case_id=case.pk)
        assert report(live_site, razorpay.dispute("under_review"), event_id="e4")[1] == "NOTED"
        assert (read_case().state, cash(asha)) == ("GIVEN_BACK", (20_000, 7_000))

    def test_a_case_opens_again_when_its_end_changes(self, live_site, razorpay, paid, asha, desk):
        report(live_site, razorpay.dispute("won"), event_id="e1")
        case = read_case()
        decide(desk, case, "give_back", REASON)
        assert report(live_site, razorpay.dispute("lost"), event_id="e2") == (200, "HELD")
        decide(desk, case, "taken", REASON)
        assert (case.state, case.held, case.taken) == ("TAKEN", AMOUNT, AMOUNT)
        # Arbitration turns it round once more.
        report(live_site, razorpay.dispute("won"), event_id="e3")
        assert reload(case).state == "OPEN"
        decide(desk, case, "give_back", REASON)
        assert (case.state, case.held, case.taken, cash(asha)) == (
            "GIVEN_BACK", 0, 0, (AMOUNT, 0),
        )  # fmt: skip
        assert is_clean()

    def test_what_was_spent_is_collected_later_or_borne_by_the_house(
        self, live_site, razorpay, paid, asha, boss, desk
    ):
        may_withdraw(asha, boss, winnings=30_000)
        withdrawal = approve_for(asha, boss, amount=30_000)
        spend(asha, 20_000)
        report(live_site, razorpay.dispute("created"), event_id="e1")
        case = read_case()
        assert (case.held, cash(asha)) == (5_000, (0, 0))
        # No payout is sent meanwhile, neither an approved withdrawal nor a new one.
        assert send_payouts(now=timezone.now() + timedelta(hours=1)) == 0
        assert reload(withdrawal).state == "APPROVED"
        bring_winnings(asha, 12_000, key="later")
        with refused(PAYMENT_DISPUTED):
            quote_withdrawal(user_id=asha.pk, amount=10_000, now=timezone.now())
        decide(desk, case, "taken", REASON)
        assert (case.state, case.taken) == ("OWED", AMOUNT)
        assert is_clean()
        assert collect_due(now=timezone.now()) == 1
        assert collect_due(now=timezone.now()) == 0
        assert (reload(case).held, case.state, cash(asha)) == (17_000, "OWED", (0, 0))
        assert is_clean()
        decide(desk, case, "bear_rest", REASON)
        assert case.state == "BORNE"
        bring_winnings(asha, 12_000, key="last")
        assert collect_due(now=timezone.now()) == 0
        assert cash(asha) == (0, 12_000)
        assert is_clean()

    def test_a_rest_that_is_collected_ends_the_case(self, live_site, razorpay, paid, asha, desk):
        spend(asha, 20_000)
        report(live_site, razorpay.dispute("lost"), event_id="e1")
        case = read_case()
        decide(desk, case, "taken", REASON)
        bring_winnings(asha, 30_000)
        collects = [lambda: collect_due(now=timezone.now()) for _ in range(3)]
        assert sum(run_at_once(*collects)) == 1
        assert (reload(case).state, case.held, cash(asha)) == ("TAKEN", AMOUNT, (0, 10_000))
        assert is_clean()

    def test_an_account_that_is_frozen_or_closed_is_held_back_from_too(
        self, live_site, razorpay, paid, asha
    ):
        asha.is_active = False
        asha.save()
        assert report(live_site, razorpay.dispute("created"), event_id="e1") == (200, "HELD")
        assert (read_case().held, cash(asha)) == (AMOUNT, (0, 0))
        assert is_clean()

    def test_a_dispute_that_comes_before_the_payment_holds_when_it_is_credited(
        self, live_site, razorpay, begun, asha
    ):
        assert report(live_site, razorpay.dispute("created"), event_id="e1") == (200, "NOTED")
        assert read_case().deposit is None
        told = razorpay.pay_link(begun.reference, id="pay_1")
        assert report(live_site, told, event_id="e2") == (200, "CREDITED")
        case = read_case()
        assert (case.deposit, case.held, cash(asha)) == (begun, AMOUNT, (0, 0))
        assert is_clean()

    def test_a_credit_between_finding_and_storing_is_found_by_the_tick(
        self, live_site, razorpay, paid, asha
    ):
        report(live_site, razorpay.dispute("created", payment_id="pay_2"), event_id="e1")
        PaymentCase.objects.update(payment_id="pay_1")  # as if pay_1 had been credited meanwhile
        assert collect_due(now=timezone.now()) == 1
        assert (read_case().deposit, cash(asha)) == (paid, (0, 0))

    def test_a_dispute_and_a_refund_hold_no_more_than_the_deposit(
        self, live_site, razorpay, paid, asha
    ):
        bring_winnings(asha, 50_000)
        report(live_site, razorpay.dispute("created", amount=20_000), event_id="e1")
        report(live_site, razorpay.of_refund("processed", amount=20_000), event_id="e2")
        held = PaymentCase.objects.order_by("pk").values_list("held", flat=True)
        assert (list(held), cash(asha)) == ([20_000, 5_000], (0, 50_000))

    def test_the_player_reads_what_is_held_back(self, live_site, razorpay, paid, asha, client):
        report(live_site, razorpay.dispute("created"), event_id="e1")
        client.force_login(asha)
        page = client.get(reverse("wallet:deposit_state", args=[paid.reference])).text
        assert "₹250.00 is held back, because the bank wants this payment back." in page
        statement = client.get(reverse("wallet:statement"), {"account": "deposits"}).text
        assert "Held back: the bank wants your payment back" in statement
        assert reverse("wallet:deposit_state", args=[paid.reference]) in statement


IS_HELD = (
    "Until our staff have decided, you can neither play with ₹250.00 nor withdraw it. If the "
    "payment stays with us, you get it back."
)
WHAT_TO_DO = (
    "If you asked your bank for this by mistake, tell it that the payment was right. If you "
    "did not ask for it, or want to know more, write to us on the page Help and contact."
)


def read_mails():
    """Return the subject and the lines of each mail to Asha since the last call."""
    send_emails()
    sent, mail.outbox[:] = list(mail.outbox), []
    assert all(one.to == ["asha@example.com"] for one in sent)
    return [(one.subject, one.body.splitlines()) for one in sent]


class TestMails:
    def test_what_is_held_and_given_back_is_mailed_once(
        self, live_site, razorpay, paid, asha, desk
    ):
        report(live_site, razorpay.dispute("created"), event_id="e1")
        report(live_site, razorpay.dispute("under_review"), event_id="e2")
        assert read_mails() == [
            (
                "We hold back ₹250.00 of your cash",
                [
                    "Hello Asha,",
                    "",
                    "This is about your deposit of ₹250.00.",
                    "Your bank or card company disputes this payment and wants it back from us.",
                    IS_HELD,
                    "",
                    WHAT_TO_DO,
                    "",
                    f"Reference: {paid.reference}",
                ],
            )
        ]
        report(live_site, razorpay.dispute("won"), event_id="e3")
        assert read_mails() == []
        decide(desk, read_case(), "give_back", REASON)
        ((subject, lines),) = read_mails()
        assert subject == "You have ₹250.00 of your cash back"
        assert lines[3].startswith("The payment stays with us, and ₹250.00 that we held back is")

    def test_what_is_missing_is_said_until_the_case_is_over(
        self, live_site, razorpay, paid, asha, desk
    ):
        spend(asha, 20_000)
        report(live_site, razorpay.of_refund("processed"), event_id="e1")
        ((subject, lines),) = read_mails()
        assert subject == "We hold back ₹50.00 of your cash"
        assert lines[3].startswith("Our payment provider is paying this payment back")
        missing = (
            "₹200.00 is still missing. It will be taken from cash that comes into your wallet; "
            "until it is paid you cannot withdraw."
        )
        assert missing in lines
        decide(desk, read_case(), "taken", REASON)
        ((subject, lines),) = read_mails()
        assert subject == "₹250.00 of your deposit has gone back, and you still owe part of it"
        assert missing in lines
        bring_winnings(asha, 30_000)
        collect_due(now=timezone.now())
        ((subject, lines),) = read_mails()
        assert subject == "₹250.00 of your deposit has gone back"
        assert not [line for line in lines if "missing" in line]
        assert collect_due(now=timezone.now()) == 0
        assert read_mails() == []

    @pytest.mark.parametrize("code", ["bear_rest", "give_back"])
    def test_the_end_of_a_debt_is_mailed(self, live_site, razorpay, paid, asha, desk, code):
        spend(asha, AMOUNT)
        report(live_site, razorpay.dispute("lost"), event_id="e1")
        assert read_mails() == []  # nothing could be held
        decide(desk, read_case(), "taken", REASON)
        read_mails()
        decide(desk, read_case(), code, REASON)
        ((subject, _lines),) = read_mails()
        assert subject == "Nothing more is collected for your deposit of ₹250.00"

    def test_a_case_that_moves_no_money_is_not_mailed(self, live_site, razorpay, paid, desk):
        report(live_site, razorpay.of_refund("failed"), event_id="e1")
        decide(desk, read_case(), "give_back", REASON)
        assert not OutgoingEmail.objects.exists()

    def test_the_mail_is_in_the_players_language(self, live_site, razorpay, paid, asha):
        asha.language = "hi"
        asha.save()
        report(live_site, razorpay.dispute("created"), event_id="e1")
        ((subject, lines),) = read_mails()
        assert subject == "आपके ₹250.00 नक़द रोककर रखे गए हैं"
        assert not [
            line
            for line in lines
            if re.search("[a-zA-Z]", line) and paid.reference not in line and "Asha" not in line
        ]


def test_a_case_that_opens_after_the_account_was_closed_waits_for_staff(
    live_site, razorpay, paid, asha, desk
):
    spend(asha, AMOUNT)
    close_account(user_id=asha.pk)
    read_mails()  # the last one, about the closing
    assert report(live_site, razorpay.dispute("lost"), event_id="e1") == (200, "NOTED")
    case = read_case()
    assert (case.deposit, case.held, case.state) == (paid, 0, "OPEN")
    page = desk.get(reverse("admin:wallet_paymentcase_change", args=[case.pk])).text
    assert reload(asha).player_name in page
    assert "Asha" not in page
    decide(desk, case, "taken", REASON)
    assert (case.state, case.taken) == ("OWED", AMOUNT)
    assert collect_due(now=timezone.now()) == 0
    decide(desk, case, "bear_rest", REASON)
    assert case.state == "BORNE"
    assert read_mails() == []
    assert not OutgoingEmail.objects.exists()
    assert is_clean()


class TestKilled:
    """Processes killed before or after the commit of a case. Nothing that follows the commit happens in them."""

    def die(self, razorpay, what, when, body=b""):
        options = {f"PAYMENT_{name}": value for name, value in razorpay.options.items()}
        provider = {"PAYMENT_PROVIDERS": "wallet.payments.razorpay.RazorpayProvider"}
        done = subprocess.run(
            [sys.executable, "-m", "tests.wallet.payments.dying", what, when],
            env={**environment(), "CASH_PLAY": "live", **options, **provider},
            input=body,
            cwd=ROOT,
            timeout=90,
            check=False,
        )
        assert done.returncode == -signal.SIGKILL

    @pytest.mark.parametrize(("when", "answer"), [("before", "HELD"), ("after", "REPEATED")])
    def test_a_report_is_taken_once(self, live_site, razorpay, paid, when, answer):
        lost = razorpay.dispute("lost")
        self.die(razorpay, "report", when, lost)
        was_taken = when == "after"
        assert (PaymentCase.objects.exists(), OutgoingEmail.objects.exists()) == 2 * (was_taken,)
        # The provider had no answer and sends it again.
        assert report(live_site, lost, event_id="e1") == (200, answer)
        assert (read_case().held, cash(paid.user), read_case().reports.count()) == (
            AMOUNT, (0, 0), 1,
        )  # fmt: skip
        assert Journal.objects.filter(key__startswith="case:").count() == 1
        assert [subject for subject, _ in read_mails()] == ["We hold back ₹250.00 of your cash"]
        assert is_clean()

    @pytest.mark.parametrize(("when", "grown"), [("before", 1), ("after", 0)])
    def test_what_is_missing_is_collected_once(self, live_site, razorpay, paid, when, grown):
        spend(paid.user, AMOUNT)
        report(live_site, razorpay.dispute("lost"), event_id="e1")
        book_taken(case_id=read_case().pk)
        read_mails()
        bring_winnings(paid.user, 30_000)
        self.die(razorpay, "collect", when)
        assert collect_due(now=timezone.now()) == grown
        assert (read_case().state, cash(paid.user)) == ("TAKEN", (0, 5_000))
        assert Journal.objects.filter(key__contains=":held:").count() == 1
        assert [subject for subject, _ in read_mails()] == ["₹250.00 of your deposit has gone back"]
        assert is_clean()


class TestRefundByTheProvider:
    def test_it_is_held_back_and_one_that_failed_is_not(self, live_site, razorpay, paid, asha):
        made = razorpay.of_refund("processed", amount=10_000)
        assert report(live_site, made, event_id="e1") == (200, "HELD")
        failed = razorpay.of_refund("failed", amount=5_000, number="rfnd_2")
        assert report(live_site, failed, event_id="e2") == (200, "NOTED")
        assert cash(asha) == (15_000, 0)
        states = PaymentCase.objects.order_by("pk").values_list("kind", "stage", "state", "held")
        assert list(states) == [("REFUND", "TAKEN", "OPEN", 10_000), ("REFUND", "KEPT", "OPEN", 0)]
        assert is_clean()

    def test_the_refund_of_a_payment_that_was_never_captured_is_nothing(
        self, live_site, razorpay, paid
    ):
        told = razorpay.of_refund("processed", payment_id="pay_7").replace(b"true", b"false")
        assert report(live_site, told, event_id="e1") == (200, "IGNORED")
        assert not PaymentCase.objects.exists()


class TestUnknown:
    def test_an_unknown_kind_is_stored_and_shown(self, live_site, razorpay, paid, asha, desk):
        secret = {"id": "x_1", "status": "odd", "email": "asha@example.com"}
        told = event("payment.teleported", {"payment": {"entity": secret}})
        assert report(live_site, told, event_id="e1") == (200, "NOTED")
        case = read_case()
        assert (case.kind, case.subject_id, case.held) == ("UNKNOWN", "payment.teleported", 0)
        page = desk.get(reverse("admin:wallet_paymentcase_change", args=[case.pk])).text
        assert "payment.status: odd" in page
        assert "asha@example.com" not in page
        decide(desk, case, "done", REASON)
        assert case.state == "DONE"
        report(live_site, told, event_id="e2")
        assert (reload(case).state, case.reports.count()) == ("OPEN", 2)
        assert cash(asha) == (AMOUNT, 0)

    @pytest.mark.parametrize("payload", [None, [], {"x": None}, {"x": {"entity": [1]}}])
    def test_an_unknown_shape_is_stored(self, live_site, razorpay, payload):
        assert report(live_site, event("x.y", payload), event_id="e1") == (200, "NOTED")
        assert ProviderReport.objects.get().facts == {}

    @pytest.mark.parametrize("change", [{"amount": "1"}, {"amount": -1}, {"id": None}])
    def test_a_malformed_dispute_is_refused(self, live_site, razorpay, paid, asha, change):
        told = razorpay.dispute("created", **change)
        assert report(live_site, told, event_id="e1") == (400, "malformed_webhook")
        assert (PaymentCase.objects.count(), cash(asha)) == (0, (AMOUNT, 0))

    def test_a_known_kind_without_effect_leaves_no_row(self, live_site, razorpay):
        assert report(live_site, event("payment.captured", {}), event_id="e1") == (200, "IGNORED")
        assert not PaymentCase.objects.exists()


def test_a_second_payment_of_a_deposit_is_a_case(live_site, razorpay, paid, asha, desk):
    told = razorpay.pay_link(paid.reference, id="pay_2")
    assert report(live_site, told, event_id="e2") == (200, "MISMATCH")
    case = read_case()
    assert (case.kind, case.deposit, case.subject_id) == ("MISMATCH", paid, "pay_2")
    # A dispute about the second payment holds no money of the first one.
    report(live_site, razorpay.dispute("created", payment_id="pay_2"), event_id="e3")
    assert cash(asha) == (AMOUNT, 0)
    decide(desk, case, "done", REASON)
    assert case.state == "DONE"


def test_a_case_whose_account_differs_is_found(live_site, razorpay, paid, asha):
    report(live_site, razorpay.dispute("created"), event_id="e1")
    PaymentCase.objects.update(held=1)
    assert [finding.check for finding in reconcile().findings] == ["case and its account disagree"]


def test_only_those_who_decide_about_withdrawals_end_a_case(live_site, razorpay, paid, client):
    report(live_site, razorpay.dispute("created"), event_id="e1")
    client.force_login(make_player("Nobody"))
    case = read_case()
    decide(client, case, "give_back", REASON)
    assert (case.state, case.held) == ("OPEN", AMOUNT)


def test_the_documents_name_every_event_of_the_provider():
    text = (ROOT / "docs/money.md").read_text()
    table = text[text.index("| event of Razorpay |") :].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z_.]+\.[a-z_]+)`", table)) == KNOWN_EVENTS
