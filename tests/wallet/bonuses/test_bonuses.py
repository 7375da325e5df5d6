"""Bonuses: given with a reason, released as entry fees are played, expired; and their pages."""

import time
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from tests.given import reload
from tests.together import names_of, run_at_once
from tests.wallet.bonuses.giving import (
    State,
    finish,
    gift,
    give,
    play,
    play_and_finish,
    sum_played,
    tend,
)
from tests.wallet.cash_players import bring_deposit, make_player, make_staff, read_cash
from tests.wallet.rawsql import expect_unchanged, post
from tests.wallet.seats import INR, buy_in, cash_out
from wallet import api as wallet
from wallet.bonuses import services
from wallet.bonuses.services import grant_bonus
from wallet.ledger.balances import balance
from wallet.ledger.chart import bonus_expense
from wallet.ledger.checks import reconcile
from wallet.limits.services import exclude_oneself
from wallet.models import Bonus, Journal, Transfer
from wallet.money import Buckets
from wallet.refusals import (
    BONUS_NOT_FOR_EXCLUDED,
    BONUS_NOT_FOR_ONESELF,
    BONUS_TERMS_WRONG,
    CASH_IS_OFF,
    PAYMENT_REASON_MISSING,
)
from wallet.tasks import maintain_bonuses


class TestGiving:
    def test_a_bonus_is_given_at_once(self, asha, boss):
        bonus = grant_bonus(user_id=asha.pk, gift=gift(), staff_id=boss.pk)
        assert read_cash(asha).bonus == 10_000
        assert balance(bonus_expense()) == -10_000
        assert (bonus.state, bonus.granted_by_id) == (State.RUNNING, boss.pk)
        assert bonus.reason == "For patience."
        assert reconcile().findings == ()

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
    def test_senseless_terms_are_refused(self, asha, terms):
        with expect_unchanged(BONUS_TERMS_WRONG):
            give(asha, **terms)

    def test_a_bonus_without_a_reason_or_right_receiver_is_refused(self, asha, boss, settings):
        bot = User.objects.create_user("bot@bots.invalid", player_name="Botty", is_bot=True)
        with expect_unchanged(PAYMENT_REASON_MISSING):
            give(asha, reason="  ")
        with expect_unchanged(BONUS_NOT_FOR_ONESELF):
            grant_bonus(user_id=boss.pk, gift=gift(), staff_id=boss.pk)
        with expect_unchanged(BONUS_TERMS_WRONG):
            give(bot)
        exclude_oneself(user_id=asha.pk, until=None)
        with expect_unchanged(BONUS_NOT_FOR_EXCLUDED):
            give(asha)
        settings.CASH_PLAY = "off"
        with expect_unchanged(CASH_IS_OFF):
            give(boss)


class TestPlayed:
    def test_a_match_counts_when_it_is_over(self, asha):
        give(asha)
        match = play(asha, 9_000)
        assert sum_played(asha) == 0
        finish(match, 9_000)
        assert sum_played(asha) == 9_000

    def test_a_cancelled_match_does_not_count(self, asha):
        give(asha)
        match = play(asha, 9_000)
        wallet.refund_match(match_id=match, currency=INR, key="match:refund")
        assert sum_played(asha) == 0

    def test_a_tournament_counts_when_it_is_over_and_a_refund_does_not(self, asha):
        give(asha)
        facts = {"user_id": asha.pk, "amount": 5_000, "currency": INR}
        wallet.pay_tournament_fee(**facts, tournament_id=1, key="tournament:1:e")
        wallet.pay_tournament_fee(**facts, tournament_id=2, key="tournament:2:e")
        assert sum_played(asha) == 0
        wallet.settle_tournament(tournament_id=1, currency=INR, prizes=[], overlay=0, rake=5_000)
        wallet.refund_tournament_fee(tournament_id=2, paid_key="tournament:2:e")
        assert sum_played(asha) == 5_000

    def test_a_lost_deal_of_points_rummy_counts_its_cost(self, asha):
        give(asha)
        buy_in(asha.pk, 8_000, currency=INR)
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
        assert sum_played(asha) == 3_000

    def test_earlier_play_and_play_of_others_do_not_count(self, asha):
        play_and_finish(asha, 9_000)
        other = make_player("Bela")
        bring_deposit(other, 100_000)
        give(asha)
        play_and_finish(other, 9_000, number=2)
        assert sum_played(asha) == 0


class TestRelease:
    def test_each_part_is_released_after_its_entry_fees(self, asha, ledger):
        bonus = give(asha)
        play_and_finish(asha, 9_999)
        before = ledger()
        tend()
        assert ledger() == before
        play_and_finish(asha, 1, number=2)
        tend()
        assert read_cash(asha) == Buckets(5_000, 990_000, 5_000)
        before = ledger()
        tend()
        assert ledger() == before
        play_and_finish(asha, 10_000, number=3)
        tend()
        assert (reload(bonus).state, bonus.released) == (State.RELEASED, 10_000)
        assert read_cash(asha) == Buckets(0, 980_000, 10_000)
        parts = Transfer.objects.filter(reason="BONUS_RELEASE")
        assert [part.amount for part in parts] == [5_000, 5_000]
        assert reconcile().findings == ()

    def test_a_spent_part_of_a_bonus_is_not_released(self, asha, settings):
        settings.CASH_BONUS_BPS = 2_000
        bonus = give(asha)
        play_and_finish(asha, 20_000)  # 4,000 of it is bonus money
        tend()
        assert (reload(bonus).state, bonus.released) == (State.RELEASED, 6_000)
        assert read_cash(asha) == Buckets(0, 984_000, 6_000)

    def test_the_oldest_bonus_is_released_first_and_the_next_begins_after_it(self, asha):
        old = give(asha)
        new = give(asha, reference="g2")
        assert (old.counts_from is None, new.counts_from is None) == (False, True)
        play_and_finish(asha, 20_000)
        tend()
        old.refresh_from_db()
        assert (old.state, reload(new).state, new.released) == (State.RELEASED, State.RUNNING, 0)
        assert new.counts_from is not None
        tend()
        assert read_cash(asha).bonus == 10_000  # the same play is not counted twice
        play_and_finish(asha, 10_000, number=2)
        tend()
        assert read_cash(asha) == Buckets(5_000, 970_000, 15_000)

    def test_a_bonus_at_a_table_is_released_when_it_comes_back(self, asha, settings):
        settings.CASH_BONUS_BPS = 2_000
        give(asha)
        buy_in(asha.pk, 50_000, currency=INR)
        assert read_cash(asha).bonus == 0
        settings.CASH_BONUS_BPS = 0
        play_and_finish(asha, 20_000)
        tend()
        bonus = Bonus.objects.get()
        assert (bonus.state, bonus.released) == (State.RELEASED, 0)
        cash_out(asha.pk, currency=INR)
        assert read_cash(asha).bonus == 10_000
        tend()
        assert read_cash(asha) == Buckets(0, 980_000, 10_000)
        assert reconcile().findings == ()


class TestExpiry:
    def test_an_expired_bonus_goes_back_to_the_house_once(self, asha, ledger):
        bonus = give(asha)
        play_and_finish(asha, 10_000)
        tend(timedelta(days=29, hours=23))
        assert read_cash(asha).bonus == 5_000
        tend(timedelta(days=30, minutes=1))
        assert (reload(bonus).state, bonus.released) == (State.EXPIRED, 5_000)
        assert read_cash(asha) == Buckets(0, 990_000, 5_000)
        assert balance(bonus_expense()) == -5_000
        before = ledger()
        assert tend(timedelta(days=31)) == 0
        assert ledger() == before
        assert reconcile().findings == ()

    def test_a_part_played_for_in_time_is_released_before_the_rest_expires(self, asha):
        give(asha)
        play_and_finish(asha, 10_000)
        tend(timedelta(days=31))
        assert read_cash(asha) == Buckets(0, 990_000, 5_000)

    def test_a_younger_bonus_that_expires_first_takes_only_its_own(self, asha):
        give(asha, days=30)
        give(asha, days=3, reference="g2", amount=4_000)
        tend(timedelta(days=4))
        assert read_cash(asha).bonus == 10_000
        states = [bonus.state for bonus in Bonus.objects.order_by("pk")]
        assert states == [State.RUNNING, State.EXPIRED]

    def test_the_next_bonus_begins_when_one_has_expired(self, asha):
        give(asha, days=3)
        new = give(asha, days=30, reference="g2")
        tend(timedelta(days=4))
        assert reload(new).counts_from is not None
        assert read_cash(asha).bonus == 10_000

    def test_a_bonus_that_comes_back_from_a_table_after_its_end_expires(self, asha, settings):
        settings.CASH_BONUS_BPS = 2_000
        give(asha)
        buy_in(asha.pk, 50_000, currency=INR)
        tend(timedelta(days=31))
        assert Bonus.objects.get().state == State.EXPIRED
        cash_out(asha.pk, currency=INR)
        assert read_cash(asha).bonus == 10_000
        tend(timedelta(days=32))
        tend(timedelta(days=33))
        assert read_cash(asha) == Buckets(0, 1_000_000, 0)
        assert balance(bonus_expense()) == 0
        assert reconcile().findings == ()

    def test_no_bonus_changes_while_cash_is_off(self, asha, settings, ledger):
        give(asha)
        before = ledger()
        settings.CASH_PLAY = "off"
        assert tend(timedelta(days=31)) == 0
        assert maintain_bonuses() == 0
        assert ledger() == before

    def test_every_player_is_tended_once_in_any_number_of_batches(self, asha, monkeypatch):
        """A player who was given two bonuses is looked at once, and both bonuses are counted."""
        monkeypatch.setattr(services, "LOOKED_AT_ONCE", 1)
        players = [asha, *(make_player(f"Player{number}") for number in range(3))]
        for number, player in enumerate([asha, *players]):
            give(player, reference=f"of{number}", days=3)
        tending = Mock(wraps=services.maintain_bonuses_for)
        monkeypatch.setattr(services, "maintain_bonuses_for", tending)
        tend(timedelta(days=2))
        tended = sorted(call.kwargs["user_id"] for call in tending.call_args_list)
        assert tended == sorted(player.pk for player in players)
        tend(timedelta(days=4))
        assert {read_cash(player).bonus for player in players} == {0}

    def test_a_tending_run_stops_at_its_time_limit_and_the_next_continues(self, asha, monkeypatch):
        other = make_player("Bela")
        give(asha, days=3)
        give(other, reference="other", days=3)
        really = services.maintain_bonuses_for

        def look_long(*, user_id, now):
            really(user_id=user_id, now=now)
            time.sleep(0.2)

        monkeypatch.setattr(services, "maintain_bonuses_for", look_long)
        monkeypatch.setattr(services, "SECONDS_A_RUN", 0.1)
        assert tend(timedelta(days=4)) == 1
        assert sorted([read_cash(asha).bonus, read_cash(other).bonus]) == [0, 10_000]
        assert tend(timedelta(days=4)) == 1
        assert (read_cash(asha).bonus, read_cash(other).bonus) == (0, 0)

    def test_a_failing_player_does_not_block_others(self, asha, monkeypatch, caplog):
        bad = make_player("Bela")
        give(bad, reference="g0")
        give(asha, days=3)
        really = services.maintain_bonuses_for

        def stumble(*, user_id, now):
            if user_id == bad.pk:
                raise RuntimeError("stumbled")
            really(user_id=user_id, now=now)

        monkeypatch.setattr(services, "maintain_bonuses_for", stumble)
        tend(timedelta(days=4))
        assert read_cash(asha).bonus == 0
        assert read_cash(bad).bonus == 10_000
        assert f"player {bad.pk} could not be tended" in caplog.text


@pytest.mark.django_db
def test_a_bonus_without_a_row_is_not_touched(asha):
    """Bonus money that no bonus row describes, as from before such rows existed."""
    post("old", f"BONUS_EXPENSE,0,BONUS,{asha.pk},INR,700,BONUS")
    tend()
    assert read_cash(asha).bonus == 700


class TestPages:
    def test_the_page_shows_the_next_part_and_waiting_bonuses(self, asha, client):
        client.force_login(asha)
        assert "You have no bonus yet." in client.get("/wallet/bonuses/").text
        give(asha)
        give(asha, reference="g2")
        page = " ".join(client.get("/wallet/bonuses/").text.split())
        assert "₹50.00 after another ₹100.00 in entry fees." in page
        assert "It begins when the bonus before it has ended." in page
        assert "The rest expires on" in page

    def test_the_statement_explains_release_and_expiry(self, asha, client):
        give(asha)
        play_and_finish(asha, 10_000)
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
            ({"amount": "1५"}, "Enter an amount in digits"),
            ({"amount": "1.005"}, "two digits after the decimal point"),
            ({"email": "nobody@example.com"}, "no player with this e-mail address"),
            ({"email": "boss@example.com"}, "You cannot give yourself a bonus"),
            ({"chunks": "1000"}, "These terms do not make a valid bonus"),
            ({"days": "0"}, "greater than or equal to 1"),
        ):
            assert sentence in client.post(page, {**form, **changes}).text
            assert not Bonus.objects.exists()
        for _click in range(2):
            answer = client.post(page, form, follow=True)
            assert "The bonus has been given." in answer.text
        bonus = Bonus.objects.get()
        assert (bonus.amount, bonus.granted_by, bonus.user) == (10_050, boss, asha)
        assert read_cash(asha).bonus == 10_050


@pytest.mark.django_db(transaction=True)
class TestManyAtOneMoment:
    """A bonus is given, released and taken back only once, however many requests arrive at the same time."""

    def test_two_administrators_give_a_bonus_once(self, asha, boss):
        other = make_staff("Chief")
        both = [
            lambda staff=staff: grant_bonus(user_id=asha.pk, gift=gift(), staff_id=staff.pk)
            for staff in (boss, other)
        ]
        given = run_at_once(*both, *both)
        assert names_of(given) == 4 * ["Bonus"]
        assert Bonus.objects.count() == 1
        assert read_cash(asha).bonus == 10_000
        assert reconcile().findings == ()

    def test_a_due_part_is_released_once(self, asha):
        give(asha)
        play_and_finish(asha, 10_000)
        later = timezone.now() + timedelta(hours=1)
        run_at_once(*6 * [lambda: services.maintain_bonuses(now=later)])
        assert (read_cash(asha).bonus, read_cash(asha).winnings) == (5_000, 5_000)
        assert Journal.objects.filter(key__contains=":release:").count() == 1
        assert reconcile().findings == ()

    def test_an_expired_bonus_is_taken_back_once(self, asha):
        before = read_cash(asha)
        give(asha)
        later = timezone.now() + timedelta(days=31)
        run_at_once(*6 * [lambda: services.maintain_bonuses(now=later)])
        assert read_cash(asha) == before
        assert Bonus.objects.get().state == Bonus.State.EXPIRED
        assert reconcile().findings == ()
