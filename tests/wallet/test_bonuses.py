"""Bonuses: given with a reason, released for entry fees, expired."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from tests.wallet.cash_players import bring_deposit, make_player, make_staff
from tests.wallet.rawsql import post
from wallet import services as wallet
from wallet.bonus_rules import NextChunk, ReleaseTerms, due_amount, left_of_each, next_chunk
from wallet.bonus_selectors import entry_fees_played
from wallet.chart import bonus_expense
from wallet.models import Bonus, Transfer
from wallet.money import Buckets, Currency
from wallet.reconciliation import reconcile
from wallet.selectors import balance, player_balances
from wallet.services import prize_pools
from wallet.tasks import tend_bonuses

State = Bonus.State
INR = Currency.INR


class TestPure:
    @pytest.mark.parametrize(
        ("played", "due", "coming"),
        [
            (0, 0, NextChunk(334, 3_340)),
            (3_339, 0, NextChunk(334, 1)),
            (3_340, 334, NextChunk(333, 3_330)),
            (6_670, 667, NextChunk(333, 3_330)),
            (9_999, 667, NextChunk(333, 1)),
            (10_000, 1_000, None),
            (99_999, 1_000, None),
        ],
    )
    def test_chunk_by_chunk(self, played, due, coming):
        terms = ReleaseTerms(1_000, 3, 10)
        assert due_amount(terms, played=played) == due
        assert next_chunk(terms, played=played) == coming

    def test_what_was_spent_was_the_oldest(self):
        assert left_of_each(1_000, (500, 300, 200)) == (500, 300, 200)
        assert left_of_each(600, (500, 300, 200)) == (100, 300, 200)
        assert left_of_each(150, (500, 300, 200)) == (0, 0, 150)
        assert left_of_each(1_500, (500,)) == (500,)

    @given(st.integers(0, 10**6), st.lists(st.integers(0, 10**6), max_size=6))
    def test_no_more_is_left_than_there_is(self, amount, unreleased):
        left = left_of_each(amount, unreleased)
        assert sum(left) == min(amount, sum(unreleased))
        assert all(0 <= part <= whole for part, whole in zip(left, unreleased, strict=True))

    @given(st.integers(1, 10**6), st.integers(1, 50), st.integers(1, 20), st.integers(0, 10**8))
    def test_more_play_never_brings_less(self, amount, chunks, multiple, played):
        terms = ReleaseTerms(max(amount, chunks), chunks, multiple)
        due = due_amount(terms, played=played)
        assert 0 <= due <= terms.amount
        assert due * multiple <= played
        coming = next_chunk(terms, played=played)
        assert (coming is None) == (due == terms.amount)
        if coming is not None:
            assert due_amount(terms, played=played + coming.to_play) == due + coming.amount


@pytest.fixture
def boss(db):
    return make_staff("Boss")


@pytest.fixture
def asha(db, settings):
    settings.CASH_BONUS_BPS = 0
    user = make_player()
    bring_deposit(user, 1_000_000)
    return user


def gift(amount=10_000, chunks=2, times=2, days=30, reference="g1", reason="For patience."):
    return wallet.BonusGift(
        reference,
        ReleaseTerms(amount, chunks, times),
        timezone.now() + timedelta(days=days),
        reason,
    )


def give(user, **terms):
    return wallet.grant_bonus(user_id=user.pk, gift=gift(**terms))


def play(user, amount, number=1):
    """A pool match for an entry fee, which another player wins."""
    seat, match = 100 + number, 200 + number
    wallet.buy_in(user_id=user.pk, seat_id=seat, amount=amount, currency=INR, key=f"seat:{seat}:in")
    wallet.take_entry_fees(
        match_id=match, seat_ids=[seat], amount=amount, currency=INR, key=f"match:{match}:entries"
    )
    return match


def finish(match, amount):
    wallet.settle_pot(
        match_id=match,
        table_id=1,
        currency=INR,
        shares={999: amount},
        house_share=0,
        key=f"match:{match}:settle",
    )


def tend(ahead=timedelta(0)):
    return wallet.tend_bonuses(now=timezone.now() + ahead)


def cash(user):
    return player_balances(user.pk).cash


def played(user):
    return entry_fees_played(user.pk, since=Bonus.objects.latest("pk").granted_at)


def refused(ledger, refusal, grant):
    before = ledger(), Bonus.objects.count()
    with pytest.raises(refusal):
        grant()
    assert (ledger(), Bonus.objects.count()) == before


class TestGiving:
    def test_it_is_in_the_bonus_at_once(self, asha, boss):
        bonus = wallet.grant_bonus(user_id=asha.pk, gift=gift(), staff_id=boss.pk)
        assert cash(asha).bonus == 10_000
        assert balance(bonus_expense()) == -10_000
        assert (bonus.state, bonus.granted_by_id, bonus.reason) == (
            State.RUNNING,
            boss.pk,
            "For patience.",
        )
        assert reconcile().findings == ()

    def test_the_same_decision_twice_gives_once(self, asha, ledger):
        first = give(asha)
        before = ledger()
        assert give(asha) == first
        assert ledger() == before

    @pytest.mark.parametrize(
        "terms",
        [
            {"amount": 0},
            {"amount": -5},
            {"amount": 10**15 + 1},
            {"chunks": 0},
            {"chunks": 101},
            {"amount": 3, "chunks": 4},
            {"times": 0},
            {"times": 101},
            {"days": 0},
            {"days": 400},
        ],
    )
    def test_senseless_terms(self, asha, ledger, terms):
        refused(ledger, wallet.BonusTermsWrong, lambda: give(asha, **terms))

    def test_who_gets_none(self, asha, boss, ledger, settings):
        refused(ledger, wallet.ReasonMissing, lambda: give(asha, reason="  "))
        refused(
            ledger,
            wallet.BonusNotForOneself,
            lambda: wallet.grant_bonus(user_id=boss.pk, gift=gift(), staff_id=boss.pk),
        )
        bot = User.objects.create_user("bot@bots.invalid", player_name="Botty", is_bot=True)
        refused(ledger, wallet.BonusTermsWrong, lambda: give(bot))
        wallet.exclude_oneself(user_id=asha.pk, until=None)
        refused(ledger, wallet.BonusNotForExcluded, lambda: give(asha))
        settings.CASH_PLAY = "off"
        refused(ledger, wallet.CashIsOff, lambda: give(boss))


class TestPlayed:
    def test_a_match_counts_when_it_is_over(self, asha):
        give(asha)
        match = play(asha, 9_000)
        assert played(asha) == 0
        finish(match, 9_000)
        assert played(asha) == 9_000

    def test_a_cancelled_match_does_not_count(self, asha):
        give(asha)
        match = play(asha, 9_000)
        wallet.refund_entries(match_id=match, currency=INR, key="match:refund")
        assert played(asha) == 0

    def test_a_tournament_counts_when_it_is_over_and_a_refund_does_not(self, asha):
        give(asha)
        facts = {"user_id": asha.pk, "amount": 5_000, "currency": INR}
        prize_pools.pay_tournament_fee(**facts, tournament_id=1, key="tournament:1:e")
        prize_pools.pay_tournament_fee(**facts, tournament_id=2, key="tournament:2:e")
        assert played(asha) == 0
        prize_pools.settle_tournament(
            tournament_id=1, currency=INR, prizes=[], overlay=0, rake=5_000
        )
        prize_pools.refund_tournament_fee(tournament_id=2, paid_key="tournament:2:e")
        assert played(asha) == 5_000

    def test_a_lost_deal_of_points_rummy_counts_what_it_cost(self, asha):
        give(asha)
        wallet.buy_in(user_id=asha.pk, seat_id=7, amount=8_000, currency=INR, key="seat:7:in")
        wallet.settle_points(
            match_id=9,
            table_id=1,
            currency=INR,
            winner_seat_ids=[8],
            losses={7: 3_000},
            rake_bps=1_000,
            rake_cap=None,
            key="match:9:settle",
        )
        assert played(asha) == 3_000

    def test_what_was_played_before_or_by_others_does_not_count(self, asha):
        finish(play(asha, 9_000), 9_000)
        other = make_player("Bela")
        bring_deposit(other, 100_000)
        give(asha)
        finish(play(other, 9_000, number=2), 9_000)
        assert played(asha) == 0


class TestRelease:
    def test_a_part_after_its_entry_fees(self, asha, ledger):
        bonus = give(asha)
        finish(play(asha, 9_999), 9_999)
        before = ledger()
        tend()
        assert ledger() == before
        finish(play(asha, 1, number=2), 1)
        tend()
        assert cash(asha) == Buckets(5_000, 990_000, 5_000)
        before = ledger()
        tend()
        assert ledger() == before
        finish(play(asha, 10_000, number=3), 10_000)
        tend()
        bonus.refresh_from_db()
        assert (bonus.state, bonus.released) == (State.RELEASED, 10_000)
        assert cash(asha) == Buckets(0, 980_000, 10_000)
        assert list(
            Transfer.objects.filter(reason="BONUS_RELEASE").values_list("amount", flat=True)
        ) == [5_000, 5_000]
        assert reconcile().findings == ()

    def test_what_was_spent_is_not_released(self, asha, settings):
        settings.CASH_BONUS_BPS = 2_000
        bonus = give(asha)
        finish(play(asha, 20_000), 20_000)  # 4,000 of it from the bonus
        tend()
        bonus.refresh_from_db()
        assert (bonus.state, bonus.released) == (State.RELEASED, 6_000)
        assert cash(asha) == Buckets(0, 984_000, 6_000)

    def test_the_oldest_comes_first_and_the_next_begins_after_it(self, asha):
        old = give(asha)
        new = give(asha, reference="g2")
        assert (old.counts_from is None, new.counts_from is None) == (False, True)
        finish(play(asha, 20_000), 20_000)
        tend()
        old.refresh_from_db()
        new.refresh_from_db()
        assert (old.state, new.state, new.released) == (State.RELEASED, State.RUNNING, 0)
        assert new.counts_from is not None
        tend()
        assert cash(asha).bonus == 10_000  # the same play counts once
        finish(play(asha, 10_000, number=2), 10_000)
        tend()
        assert cash(asha) == Buckets(5_000, 970_000, 15_000)

    def test_what_is_at_a_table_is_released_when_it_comes_back(self, asha, settings):
        settings.CASH_BONUS_BPS = 2_000
        give(asha)
        wallet.buy_in(user_id=asha.pk, seat_id=7, amount=50_000, currency=INR, key="seat:7:in")
        assert cash(asha).bonus == 0
        settings.CASH_BONUS_BPS = 0
        finish(play(asha, 20_000), 20_000)
        tend()
        bonus = Bonus.objects.get()
        assert (bonus.state, bonus.released) == (State.RELEASED, 0)
        wallet.cash_out(seat_id=7, user_id=asha.pk, currency=INR, key="seat:7:out")
        assert cash(asha).bonus == 10_000
        tend()
        assert cash(asha) == Buckets(0, 980_000, 10_000)
        assert reconcile().findings == ()


class TestExpiry:
    def test_what_is_left_goes_back_to_the_house_once(self, asha, ledger):
        bonus = give(asha)
        finish(play(asha, 10_000), 10_000)
        tend(timedelta(days=29, hours=23))
        assert cash(asha).bonus == 5_000
        tend(timedelta(days=30, minutes=1))
        bonus.refresh_from_db()
        assert (bonus.state, bonus.released) == (State.EXPIRED, 5_000)
        assert cash(asha) == Buckets(0, 990_000, 5_000)
        assert balance(bonus_expense()) == -5_000
        before = ledger()
        assert tend(timedelta(days=31)) == 0
        assert ledger() == before
        assert reconcile().findings == ()

    def test_what_was_played_until_then_is_released_first(self, asha):
        give(asha)
        finish(play(asha, 10_000), 10_000)
        tend(timedelta(days=31))
        assert cash(asha) == Buckets(0, 990_000, 5_000)

    def test_a_younger_one_that_expires_first_takes_its_own(self, asha):
        give(asha, days=30)
        give(asha, days=3, reference="g2", amount=4_000)
        tend(timedelta(days=4))
        assert cash(asha).bonus == 10_000
        assert list(Bonus.objects.order_by("pk").values_list("state", flat=True)) == [
            "RUNNING",
            "EXPIRED",
        ]

    def test_the_next_begins_when_one_has_expired(self, asha):
        give(asha, days=3)
        new = give(asha, days=30, reference="g2")
        tend(timedelta(days=4))
        new.refresh_from_db()
        assert new.counts_from is not None
        assert cash(asha).bonus == 10_000

    def test_bonus_that_comes_back_from_a_table_later_expires_too(self, asha, settings):
        settings.CASH_BONUS_BPS = 2_000
        give(asha)
        wallet.buy_in(user_id=asha.pk, seat_id=7, amount=50_000, currency=INR, key="seat:7:in")
        tend(timedelta(days=31))
        assert Bonus.objects.get().state == State.EXPIRED
        wallet.cash_out(seat_id=7, user_id=asha.pk, currency=INR, key="seat:7:out")
        assert cash(asha).bonus == 10_000
        tend(timedelta(days=32))
        tend(timedelta(days=33))
        assert cash(asha) == Buckets(0, 1_000_000, 0)
        assert balance(bonus_expense()) == 0
        assert reconcile().findings == ()

    def test_where_cash_is_off_nothing_happens(self, asha, settings, ledger):
        give(asha)
        before = ledger()
        settings.CASH_PLAY = "off"
        assert tend(timedelta(days=31)) == 0
        assert tend_bonuses() == 0
        assert ledger() == before

    def test_one_that_is_wrong_keeps_no_other_waiting(self, asha, monkeypatch, caplog):
        bad = make_player("Bela")
        give(bad, reference="g0")
        give(asha, days=3)
        bonuses = wallet.tend_bonuses.__globals__
        really = bonuses["tend_bonuses_of"]

        def stumble(*, user_id, now):
            if user_id == bad.pk:
                raise RuntimeError("stumbled")
            really(user_id=user_id, now=now)

        monkeypatch.setitem(bonuses, "tend_bonuses_of", stumble)
        tend(timedelta(days=4))
        assert cash(asha).bonus == 0
        assert cash(bad).bonus == 10_000
        assert f"player {bad.pk} could not be tended" in caplog.text


class TestPages:
    def test_the_page_says_what_comes_next(self, asha, client):
        client.force_login(asha)
        assert "You have no bonus yet." in client.get("/wallet/bonuses/").text
        give(asha)
        give(asha, reference="g2")
        page = " ".join(client.get("/wallet/bonuses/").text.split())
        assert "₹50.00 after entry fees of ₹100.00 more." in page
        assert "It begins when the one before it has ended." in page
        assert "What is left then expires on" in page
        with CaptureQueriesContext(connection) as queries:
            client.get("/wallet/bonuses/")
        assert len(queries) == 5

    def test_statement_lines_explain_themselves(self, asha, client):
        give(asha)
        finish(play(asha, 10_000), 10_000)
        tend(timedelta(days=31))
        client.force_login(asha)
        page = client.get("/wallet/?account=bonus&topic=gifts").text
        for words in ("Bonus expired", "Bonus released to your winnings", "Bonus 1"):
            assert words.rstrip("1") in page
        assert "Bonus released by playing" in client.get("/wallet/?account=winnings").text

    def test_an_administrator_gives_one_with_a_reason(self, asha, boss, client):
        client.force_login(boss)
        page = reverse("admin:wallet_bonus_add")
        form = {
            "reference": "made-with-the-form",
            "email": "Asha@example.com",
            "amount": "100.50",
            "chunks": "10",
            "play_multiple": "10",
            "days": "30",
            "reason": "For patience.",
        }
        assert "Days until it expires" in client.get(page).text
        for changes, sentence in (
            ({"reason": ""}, "required"),
            ({"amount": "१०"}, "Write an amount in digits"),
            ({"amount": "1.005"}, "two digits after the point"),
            ({"email": "nobody@example.com"}, "no player with this e-mail address"),
            ({"email": "boss@example.com"}, "Nobody gives himself a bonus"),
            ({"chunks": "1000"}, "These terms make no bonus"),
            ({"days": "0"}, "greater than or equal to 1"),
        ):
            assert sentence in client.post(page, {**form, **changes}).text
            assert not Bonus.objects.exists()
        for _click in range(2):
            answer = client.post(page, form, follow=True)
            assert "The bonus has been given." in answer.text
        bonus = Bonus.objects.get()
        assert (bonus.amount, bonus.granted_by, bonus.user) == (10_050, boss, asha)
        assert cash(asha).bonus == 10_050

    def test_only_who_may_gives_one(self, asha, client):
        helper = User.objects.create_user("h@example.com", "x", player_name="Help", is_staff=True)
        helper.user_permissions.add(Permission.objects.get(codename="view_bonus"))
        client.force_login(helper)
        assert client.get(reverse("admin:wallet_bonus_changelist")).status_code == 200
        assert client.post(reverse("admin:wallet_bonus_add"), {}).status_code == 403

    def test_where_cash_is_off_there_is_nothing(self, asha, boss, client, settings):
        settings.CASH_PLAY = "off"
        client.force_login(boss)
        assert client.get("/wallet/bonuses/").status_code == 404
        assert client.get(reverse("admin:wallet_bonus_changelist")).status_code == 403
        assert client.post(reverse("admin:wallet_bonus_add"), {}).status_code == 403
        assert not Bonus.objects.exists()


@pytest.mark.django_db
def test_a_bonus_from_elsewhere_is_left_alone(asha):
    """Bonus that no row is about, as before there were rows."""
    post("old", f"BONUS_EXPENSE,0,BONUS,{asha.pk},INR,700,BONUS")
    tend()
    assert cash(asha).bonus == 700
