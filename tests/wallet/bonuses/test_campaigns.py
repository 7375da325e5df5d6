"""Campaigns: bonuses by code and for inviting friends, within their limits and posted to the ledger."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from core.models import Region
from core.site.content import refresh_site
from tests.accounts.staff import act_on_rows
from tests.barring import exclude
from tests.given import reload
from tests.refusals import refused
from tests.together import names_of, run_at_once
from tests.wallet.cash_players import approve_identity, bring_deposit, make_player, read_cash
from wallet.bonuses.campaigns import (
    CODES_AN_HOUR,
    FRIEND_HAS,
    code_for_friends,
    pay_inviters,
    read_code,
    use_code,
)
from wallet.ledger.checks import reconcile
from wallet.models import Bonus, Campaign, CampaignUse
from wallet.refusals import (
    CAMPAIGN_IS_OVER,
    CAMPAIGN_UNKNOWN,
    CAMPAIGN_USED,
    NOT_FOR_THIS_ACCOUNT,
    SELF_EXCLUDED,
    TOO_MANY_CAMPAIGN_CODES,
    RegionNotStated,
)
from wallet.tasks import maintain_bonuses

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_rate_limits")]
AMOUNT, OF_INVITER = 20_000, 10_000
LIST = "/admin/wallet/campaign/"


def campaign(**changes):
    now = timezone.now()
    return Campaign.objects.create(
        **{
            "code": "DIWALI",
            "name": "Diwali gift",
            "amount": AMOUNT,
            "valid_from": now - timedelta(days=1),
            "valid_until": now + timedelta(days=1),
            "most_uses": 2,
            "is_open": True,
            **changes,
        }
    )


def make_campaign_for_friends(**changes):
    return campaign(
        **{
            "code": "FRIENDS",
            "name": "For friends",
            "new_within_days": 7,
            "inviter_amount": OF_INVITER,
            "least_deposit": 50_000,
            "most_invited": 2,
            "most_uses": 100,
            **changes,
        }
    )


def use(user, text="DIWALI", now=None):
    return use_code(user_id=user.pk, text=text, now=now or timezone.now())


def bonus_of(user):
    return read_cash(user).bonus


def friend_of(inviter, name="Friend", code="FRIENDS"):
    User.objects.filter(pk=inviter.pk).update(date_joined=timezone.now() - timedelta(days=100))
    friend = make_player(name)
    return friend, use(friend, code_for_friends(code, inviter.pk))


def settle(friend, boss, paid_in=50_000):
    bring_deposit(friend, paid_in)
    approve_identity(friend, boss)


class TestCode:
    def test_a_code_brings_its_bonus_once_in_any_spelling(self, asha):
        campaign()
        used = use(asha, " diwali ")
        assert bonus_of(asha) == AMOUNT
        assert (used.bonus.reason, used.bonus.granted_by) == ("Diwali gift", None)
        assert used.bonus.chunks == 10
        assert used.bonus.expires_at - used.used_at == timedelta(days=30)
        with refused(CAMPAIGN_USED):
            use(asha)
        assert bonus_of(asha) == AMOUNT
        assert reconcile().findings == ()

    def test_a_code_is_limited_to_its_time_and_its_uses(self, asha):
        row = campaign(most_uses=1)
        for moment in (row.valid_from - timedelta(seconds=1), row.valid_until):
            with refused(CAMPAIGN_IS_OVER):
                use(asha, now=moment)
        use(make_player("Ravi"))
        with refused(CAMPAIGN_IS_OVER):
            use(asha)
        assert (bonus_of(asha), CampaignUse.objects.count()) == (0, 1)

    def test_a_code_of_a_draft_or_no_campaign_is_unknown(self, asha):
        campaign(is_open=False)
        for text in ("DIWALI", "HOLI", "", "DIWALI-", "\u0000"):
            with refused(CAMPAIGN_UNKNOWN):
                use(asha, text)
        assert not Bonus.objects.exists()

    def test_a_code_for_new_accounts_is_refused_to_older_ones(self, asha):
        campaign(new_within_days=7)
        User.objects.update(date_joined=timezone.now() - timedelta(days=8))
        with refused(NOT_FOR_THIS_ACCOUNT):
            use(asha)
        assert bonus_of(asha) == 0
        User.objects.update(date_joined=timezone.now() - timedelta(days=6))
        use(asha)

    def test_a_code_is_refused_to_players_barred_from_cash(self, asha):
        campaign()
        exclude(asha)
        with refused(SELF_EXCLUDED):
            use(asha)
        Region.objects.create(code="IN-GA", name="Goa")
        refresh_site()
        with pytest.raises(RegionNotStated):
            use(make_player("Ravi"))
        assert (Bonus.objects.count(), CampaignUse.objects.count()) == (0, 0)

    def test_guesses_of_codes_are_limited(self, asha):
        campaign()
        for number in range(CODES_AN_HOUR):
            with refused(CAMPAIGN_UNKNOWN):
                use(asha, f"GUESS{number}")
        with refused(TOO_MANY_CAMPAIGN_CODES):
            use(asha)
        assert bonus_of(asha) == 0

    @pytest.mark.django_db(transaction=True)
    def test_one_of_many_concurrent_players_gets_the_last_use(self):
        campaign(most_uses=1)
        players = [make_player(f"Player{number}") for number in range(4)]
        outcomes = run_at_once(*(lambda player=player: use(player) for player in players))
        assert names_of(outcomes) == ["CampaignUse"] + ["campaign_is_over"] * 3
        assert CampaignUse.objects.count() == 1
        assert sum(bonus_of(player) for player in players) == AMOUNT


class TestFriends:
    def test_an_inviter_is_paid_after_the_friends_deposit_and_identity(self, asha, boss):
        make_campaign_for_friends()
        friend, used = friend_of(asha)
        assert (used.inviter, bonus_of(friend), bonus_of(asha)) == (asha, AMOUNT, 0)
        bring_deposit(friend, 49_999)
        approve_identity(friend, boss)
        assert pay_inviters(now=timezone.now()) == 0
        bring_deposit(friend, 1, key="more")
        assert maintain_bonuses() >= 1
        assert bonus_of(asha) == OF_INVITER
        assert pay_inviters(now=timezone.now()) == 0
        assert reload(used).inviter_bonus.user == asha
        assert reconcile().findings == ()

    def test_an_inviter_is_not_paid_before_the_friends_identity(self, asha, boss):
        make_campaign_for_friends()
        friend, _used = friend_of(asha)
        bring_deposit(friend, 50_000)
        assert pay_inviters(now=timezone.now()) == 0
        approve_identity(friend, boss)
        assert pay_inviters(now=timezone.now()) == 1

    def test_idle_older_friends_do_not_block_the_payment(self, asha, boss, monkeypatch):
        """The idle friends are the oldest ones, and more of them than one batch holds."""
        monkeypatch.setitem(pay_inviters.__globals__, "LOOKED_AT_ONCE", 1)
        make_campaign_for_friends()
        friend_of(asha, "Idle")
        poor, _used = friend_of(asha, "Poor")
        approve_identity(poor, boss)
        unknown, _used = friend_of(asha, "Unknown")
        bring_deposit(unknown, 50_000)
        friend, _used = friend_of(asha, "Known")
        settle(friend, boss)
        assert pay_inviters(now=timezone.now()) == 1
        assert bonus_of(asha) == OF_INVITER
        assert CampaignUse.objects.filter(settled_at=None).count() == 3

    def test_an_inviter_is_paid_for_a_limited_number_of_friends(self, asha, boss):
        make_campaign_for_friends()
        for number in range(3):
            friend, _used = friend_of(asha, f"Friend{number}")
            settle(friend, boss)
        assert pay_inviters(now=timezone.now()) == 2
        assert bonus_of(asha) == 2 * OF_INVITER
        assert not CampaignUse.objects.filter(settled_at=None).exists()

    def test_excluded_inviters_and_late_friends_bring_no_bonus(self, asha, boss):
        make_campaign_for_friends()
        friend, _used = friend_of(asha)
        settle(friend, boss)
        exclude(asha)
        assert pay_inviters(now=timezone.now()) == 0
        ravi = make_player("Ravi")
        late, _used = friend_of(ravi, "Late")
        settle(late, boss)
        assert pay_inviters(now=timezone.now() + FRIEND_HAS + timedelta(days=1)) == 0
        assert (bonus_of(asha), bonus_of(ravi)) == (0, 0)
        assert not CampaignUse.objects.filter(settled_at=None).exists()

    def test_an_own_a_younger_accounts_or_a_forged_code_is_refused(self, asha):
        make_campaign_for_friends()
        younger = make_player("Ravi")
        right = code_for_friends("FRIENDS", younger.pk)
        wrong = [
            "FRIENDS",
            code_for_friends("FRIENDS", asha.pk),
            right,
            right[:-1] + ("A" if right[-1] != "A" else "B"),
            code_for_friends("FRIENDS", 10**9),
            code_for_friends("DIWALI", younger.pk).replace("DIWALI", "FRIENDS"),
        ]
        for text in wrong:
            with refused(CAMPAIGN_UNKNOWN):
                use(asha, text)
        assert not Bonus.objects.exists()

    def test_a_player_is_invited_once_in_all_campaigns(self, asha):
        make_campaign_for_friends()
        make_campaign_for_friends(code="FRIENDS2")
        friend, _used = friend_of(asha)
        with refused(CAMPAIGN_USED):
            use(friend, code_for_friends("FRIENDS2", asha.pk))
        assert bonus_of(friend) == AMOUNT

    def test_codes_name_the_inviter(self):
        for number in (1, 35, 36, 4_711, 10**15):
            code = code_for_friends("FRIENDS", number)
            assert read_code(code.lower()) == ("FRIENDS", number)
            assert read_code(f" {code.replace('-', chr(0x2013))} ") == ("FRIENDS", number)
            assert read_code(code[:-1]) == ("FRIENDS", None)


class TestPages:
    def test_a_player_writes_a_code_and_reads_their_own(self, client, asha):
        campaign()
        make_campaign_for_friends()
        client.force_login(asha)
        page = client.get("/wallet/bonuses/").text
        assert code_for_friends("FRIENDS", asha.pk) in page
        assert "₹200" in page
        assert "₹100" in page
        wrong = client.post("/wallet/bonuses/code/", {"code": "HOLI"}, follow=True)
        assert "There is no such code." in wrong.text
        right = client.post("/wallet/bonuses/code/", {"code": "diwali"}, follow=True)
        assert "The bonus is yours" in right.text
        assert bonus_of(asha) == AMOUNT

    def test_staff_write_a_draft_and_open_it(self, client, boss):
        client.force_login(boss)
        now = timezone.localtime()
        sent = {
            "code": "HOLI",
            "name": "Holi gift",
            "amount": "150.50",
            "chunks": "5",
            "play_multiple": "10",
            "bonus_days": "30",
            "valid_from_0": now.strftime("%Y-%m-%d"),
            "valid_from_1": "00:00:00",
            "valid_until_0": (now + timedelta(days=9)).strftime("%Y-%m-%d"),
            "valid_until_1": "00:00:00",
            "most_uses": "100",
            "inviter_amount": "0",
            "most_invited": "10",
            "least_deposit": "0",
        }
        reason = {"reason_for_audit": "For Holi."}
        for wrong in (
            {},
            {**reason, "code": "holi!"},
            {**reason, "valid_until_0": "2020-01-01"},
            {**reason, "inviter_amount": "50"},
            {**reason, "amount": "0"},
        ):
            answer = client.post(f"{LIST}add/", {**sent, **wrong})
            assert answer.status_code == 200, wrong
        assert not Campaign.objects.exists()
        assert client.post(f"{LIST}add/", {**sent, **reason}).status_code == 302
        row = Campaign.objects.get()
        assert (row.amount, row.is_open) == (15_050, False)
        act_on_rows(client, "open_them", row)
        assert reload(row).is_open

    def test_the_amount_of_a_used_campaign_cannot_be_changed(self, client, boss, asha):
        row = campaign()
        use(asha)
        client.force_login(boss)
        page = client.get(f"{LIST}{row.pk}/change/").text
        assert 'name="amount"' not in page
        assert 'name="most_uses"' in page
        assert "₹200" in page


def test_the_database_refuses_a_campaign_without_bounds():
    for wrong in (
        {"amount": 0},
        {"inviter_amount": 100, "new_within_days": None, "least_deposit": 100},
        {"inviter_amount": 100, "new_within_days": 7, "least_deposit": 0},
        {"valid_until": timezone.now() - timedelta(days=9)},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            campaign(**wrong)
