"""A player on one page, and the list of players: what each role sees of them, with exact values."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.desk.staff_roles import Role
from accounts.models import IdentityCheck, PastSession, User
from accounts.models.users import PlayerNote
from accounts.people.bots import get_practice_bots
from accounts.people.closing import freeze
from accounts.sessions.services import end_sessions
from core.models.audit import AuditEntry
from tables.models import Match
from tests.accounts.staff import member, office
from tests.tables.conftest import make_player, make_table
from tests.tables.driving import act, game_view, player_at, start_match
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_staff,
    set_rules,
)
from wallet.limits.services import exclude_oneself, set_deposit_limit
from wallet.models import LimitPeriod
from wallet.withdrawals.requesting import WithdrawalRequest, quote_withdrawal, request_withdrawal

pytestmark = pytest.mark.django_db
__all__ = ["make_player", "make_table"]  # fixtures
LIST = "/admin/accounts/user/"


@pytest.fixture(autouse=True)
def _cash(settings):
    settings.CASH_PLAY = "sandbox"


def panel(page: str, code: str) -> str:
    """Its words, with single spaces."""
    part = page.split(f'data-region="panel-{code}"')[1].split("</section>", maxsplit=1)[0]
    return " ".join(strip_tags(part.partition(">")[2]).split())


def page_of(user, role=Role.SUPERUSER):
    return office(member(role)).get(f"{LIST}{user.pk}/change/").text


@pytest.fixture
def played(make_player, make_table):
    """A match for points between two players: the first has lost 20 chips, the other has won 18."""
    table = start_match(make_table(), make_player(), make_player())
    loser = player_at(table, game_view(table)["turn"])
    winner = User.objects.exclude(pk=loser.pk).get(is_bot=False)
    act(table, game_view(table)["turn"], kind="drop")
    return loser, winner, table


def test_balances_and_what_came_in_and_went_out(make_player):
    asha = make_player()
    set_rules()
    approve_identity(asha, make_staff("Boss"))
    bring_deposit(asha, 50_000, key="first")
    bring_deposit(asha, 25_000, key="second")
    bring_winnings(asha, 40_000, key="won")
    now = timezone.now()
    net = quote_withdrawal(user_id=asha.pk, amount=10_000, now=now).taxed.net
    wanted = WithdrawalRequest("w1", 10_000, net, "asha@upi")
    request_withdrawal(user_id=asha.pk, wanted=wanted, now=now)
    money = panel(page_of(asha), "money")
    for words in (
        "Chips 10,000",
        "Cash, in all ₹1,050.00",
        "of it deposited ₹750.00",
        "of it winnings ₹300.00",
        "Withdrawals paid ₹0.00 (0)",
        "Withdrawals waiting ₹100.00 (1)",
    ):
        assert words in money


def test_limits_and_an_exclusion(make_player):
    asha = make_player()
    set_deposit_limit(user_id=asha.pk, period=LimitPeriod.DAY, amount=100_000)
    exclude_oneself(user_id=asha.pk, until=None)
    limits = panel(page_of(asha), "limits")
    assert "Self-exclusion for good" in limits
    assert "Deposit limit, within 24 hours ₹1,000.00" in limits
    assert "Loss limit" not in limits


def test_results_by_format_and_the_last_matches(played):
    loser, winner, table = played
    match = Match.objects.get()
    desk = office(member(Role.SUPERUSER))
    lost, won_amount = "\N{MINUS SIGN}20 chips", "+18 chips"
    for user, other, amount in ((loser, winner, lost), (winner, loser, won_amount)):
        page = desk.get(f"{LIST}{user.pk}/change/").text
        results = panel(page, "results")
        assert "Results of the last 1 matches" in results
        won = 1 if user == winner else 0
        assert re.search(rf"Points 1 {won} {re.escape(amount)}", results)
        assert f"Sits at {table.name}" in results
        matches = panel(page, "matches")
        assert f"#{match.pk}" in matches
        assert f"{other.player_name} {amount}" in matches


def test_who_signs_in_from_the_same_address_is_named(make_player):
    asha, ravi, nila = make_player(), make_player(), make_player()
    for user, address in ((asha, "203.0.113.5"), (ravi, "203.0.113.5"), (nila, "203.0.113.6")):
        client = office(user)
        assert client.get("/rules/", REMOTE_ADDR=address).status_code == 200
    devices = panel(page_of(asha), "devices")
    assert ravi.player_name in devices
    assert nila.player_name not in devices


def test_freezing_keeps_where_the_player_signed_in(make_player):
    asha, ravi = make_player(), make_player()
    desk = office(member(Role.SUPERUSER))

    def panels():
        page = desk.get(f"{LIST}{asha.pk}/change/").text
        return {name: panel(page, name) for name in ("account", "devices")}

    for user in (asha, ravi):
        assert office(user).get("/rules/", REMOTE_ADDR="203.0.113.5").status_code == 200
    before = panels()
    assert "203.0.113.5" in before["devices"]
    for user in (ravi, asha):
        freeze(user_id=user.pk, staff_id=0, reason="Two accounts.")
    after = panels()
    assert after["devices"] == before["devices"]
    assert ravi.player_name in after["devices"]
    seen = re.compile("Last seen .*? Language")
    assert seen.findall(after["account"]) == seen.findall(before["account"]) != []
    assert asha.player_name in desk.get(LIST, {"seen": "today"}).text


def test_the_last_ten_ended_sessions_of_a_player_are_kept(make_player):
    asha, ravi = make_player(), make_player()
    for number in range(12):
        assert office(asha).get("/rules/", REMOTE_ADDR=f"203.0.113.{number}").status_code == 200
        end_sessions(user_id=asha.pk)
    assert office(ravi).get("/rules/", REMOTE_ADDR="203.0.113.99").status_code == 200
    end_sessions(user_id=ravi.pk)
    kept = PastSession.objects.filter(user=asha).order_by("pk")
    assert list(kept.values_list("ip", flat=True)) == [f"203.0.113.{n}" for n in range(2, 12)]
    assert PastSession.objects.filter(user=ravi).count() == 1


@pytest.mark.parametrize(
    ("role", "sees"),
    [
        (Role.SUPPORT, {"account", "identity", "devices", "money", "results", "reports", "cases"}),
        (Role.FINANCE, {"account", "identity", "money", "results"}),
        (Role.GAMES, {"account", "results", "reports", "cases"}),
    ],
)
def test_each_role_sees_what_its_lists_show(played, role, sees):
    loser, _winner, _table = played
    page = page_of(loser, role)
    shown = set(re.findall(r'data-region="panel-(\w+)"', page))
    assert shown - {"limits", "matches", "tournaments"} == sees


def test_one_reason_is_asked_for_and_the_fields_are_folded(make_player):
    asha = make_player()
    page = page_of(asha, Role.SUPPORT)
    assert page.count("<textarea") == 1
    boss = page_of(asha)
    before, _details, fields = boss.partition('<details class="person-fields"')
    assert before.count("<textarea") == 1
    assert "user_permissions" in fields
    assert "user_permissions" not in before


def test_a_note_is_one_click_away(make_player):
    asha, staff = make_player(), member(Role.SUPPORT)
    PlayerNote.objects.create(user=asha, staff=staff, text="Called twice.")
    page = office(staff).get(f"{LIST}{asha.pk}/change/").text
    assert "Called twice." in page
    assert f"/admin/accounts/playernote/add/?user={asha.pk}" in page


# --- The list -------------------------------------------------------------------------------------


def names(client, **asked):
    page = client.get(LIST, asked)
    assert page.status_code == 200
    return {user.player_name for user in page.context["cl"].result_list}


def test_bots_guests_and_staff_are_apart(make_player):
    asha = make_player()
    bots = {bot.player_name for bot in get_practice_bots()}
    guest = User.objects.create_user("g@example.com", player_name="Guest1", is_guest=True)
    staff = member(Role.SUPPORT)
    desk = office(staff)
    assert names(desk) == {asha.player_name, staff.player_name}
    assert names(desk, kind="guests") == {guest.player_name}
    assert names(desk, kind="bots") == bots
    assert names(desk, kind="staff") == {staff.player_name}
    assert len(names(desk, kind="all")) == len(bots) + 3
    # The figures of the first page say themselves whom they mean.
    assert names(desk, is_bot__exact=0) == {asha.player_name, staff.player_name, "Guest1"}


def test_the_columns_are_exact_and_for_those_who_may_see_them(played):
    loser, winner, _table = played
    bring_deposit(loser, 12_345, key="x")
    page = office(member(Role.SUPPORT)).get(LIST)
    shown = {user.pk: vars(user)["columns"] for user in page.context["cl"].result_list}
    # 800 of 10,000 chips were brought to the table and 780 are there still.
    assert (shown[loser.pk]["chips"], shown[winner.pk]["chips"]) == ("9,200", "9,200")
    assert (shown[loser.pk]["cash"], shown[loser.pk]["deposited"]) == ("₹123.45", "₹123.45")
    assert shown[winner.pk]["cash"] == "-"
    games = office(member(Role.GAMES)).get(LIST).text
    assert "column-chips" not in games
    assert "column-played" in games


def test_filters(played):
    loser, winner, _table = played
    approve_identity(loser, make_staff("Boss"))
    User.objects.filter(pk=winner.pk).update(date_joined=timezone.now() - timedelta(days=40))
    staff = member(Role.SUPPORT)
    desk = office(staff)
    people = {loser.player_name, winner.player_name}
    assert names(desk, identity="APPROVED") == {loser.player_name}
    assert winner.player_name in names(desk, identity="NONE")
    assert names(desk, played="week") == people
    assert not names(desk, played="not") & people
    today = f"{timezone.localdate():%Y-%m-%d}"
    assert names(desk, date_joined__from=today) & people == {loser.player_name}
    yesterday = f"{timezone.localdate() - timedelta(days=1):%Y-%m-%d}"
    assert names(desk, date_joined__until=yesterday) == {winner.player_name}
    # What cannot be read is no end.
    assert names(desk, date_joined__from="soon") >= people
    assert names(desk, deposited="yes") == set()
    bring_deposit(loser, 100, key="x")
    assert names(desk, deposited="yes") == {loser.player_name}
    assert loser.player_name not in names(desk, deposited="no")


class TestFreezingSeveral:
    def freeze(self, desk, *users, reason="A ring."):
        form = {"action": "freeze_them", "_selected_action": [user.pk for user in users]}
        return desk.post(LIST, {**form, "reason_for_audit": reason}, follow=True).text

    def test_with_one_reason_each_with_an_entry(self, make_player):
        asha, ravi, nila = make_player(), make_player(), make_player()
        staff, other = member(Role.SUPPORT), member(Role.GAMES)
        desk = office(staff)
        assert "Write a reason" in self.freeze(desk, asha, reason=" ")
        assert not User.objects.exclude(frozen_at=None).exists()
        page = self.freeze(desk, asha, ravi, other, staff)
        assert page.count("cannot be frozen") == 2  # members of the staff
        frozen = set(User.objects.exclude(frozen_at=None).values_list("pk", flat=True))
        assert frozen == {asha.pk, ravi.pk}
        entries = AuditEntry.objects.values_list("action", "object_id", "reason")
        assert sorted(entries) == sorted(("freeze", str(pk), "A ring.") for pk in frozen)
        assert nila.pk not in frozen

    def test_who_may_not_freeze_one_does_not_freeze_several(self, make_player):
        asha = make_player()
        self.freeze(office(member(Role.GAMES)), asha)
        assert not User.objects.exclude(frozen_at=None).exists()
        assert not AuditEntry.objects.exists()


def test_identity_states_are_those_of_the_newest_check(make_player):
    asha = make_player()
    boss = make_staff("Boss")
    now = timezone.now()
    for state, days in (("REFUSED", 2), ("SUBMITTED", 1)):
        IdentityCheck.objects.create(
            user=asha, full_name="Asha", born_on="1990-01-01", document_kind="PAN",
            document_number=f"X{days}", state=state, submitted_at=now - timedelta(days=days),
            reason="" if state == "SUBMITTED" else "Unreadable.",
            decided_at=None if state == "SUBMITTED" else now,
            decided_by=None if state == "SUBMITTED" else boss,
        )  # fmt: skip
    desk = office(member(Role.SUPPORT))
    assert asha.player_name in names(desk, identity="SUBMITTED")
    assert asha.player_name not in names(desk, identity="REFUSED")
