"""The page of one player and the list of players: their exact values, by the role of the staff."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.desk.staff_roles import Role
from accounts.models import IdentityCheck, PastSession, User
from accounts.models.users import PlayerNote
from accounts.people.bots import get_practice_bots
from accounts.sessions.services import end_sessions
from core.models.audit import AuditEntry
from tables.models import Match
from tests.accounts.staff import act_on_rows, member, office
from tests.barring import freeze_by_staff
from tests.tables.conftest import make_player, make_table
from tests.tables.driving import drop, player_at, start_match
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_staff,
    set_rules,
)
from tests.wallet.withdrawals.asking import ask
from wallet.limits.services import exclude_oneself, set_deposit_limit
from wallet.models import LimitPeriod

pytestmark = pytest.mark.django_db
__all__ = ["make_player", "make_table"]  # fixtures
LIST = "/admin/accounts/user/"


@pytest.fixture
def asha(make_player):
    return make_player()


def panel(page: str, code: str) -> str:
    """Return the panel's text, with single spaces."""
    part = page.split(f'data-region="panel-{code}"')[1].split("</section>", maxsplit=1)[0]
    return " ".join(strip_tags(part.partition(">")[2]).split())


def page_of(user, role=Role.SUPERUSER):
    return office(member(role)).get(f"{LIST}{user.pk}/change/").text


def visit_from(user, address):
    assert office(user).get("/rules/", REMOTE_ADDR=address).status_code == 200


@pytest.fixture
def played(make_player, make_table):
    """A points match between two players. Returns the loser of 20 chips, the winner of 18, and the table."""
    table = start_match(make_table(), make_player(), make_player())
    seat = drop(table)
    return player_at(table, seat), player_at(table, 1 - seat), table


def test_the_money_panel_shows_balances_deposits_and_withdrawals(asha):
    set_rules()
    approve_identity(asha, make_staff("Boss"))
    bring_deposit(asha, 50_000, key="first")
    bring_deposit(asha, 25_000, key="second")
    bring_winnings(asha, 40_000, key="won")
    ask(asha, 10_000)
    money = panel(page_of(asha), "money")
    for words in (
        "Chips 10,000",
        "Total cash ₹1,050.00",
        "of which deposited ₹750.00",
        "of which winnings ₹300.00",
        "Withdrawals paid ₹0.00 (0)",
        "Withdrawals waiting ₹100.00 (1)",
    ):
        assert words in money


def test_the_limits_panel_shows_limits_and_an_exclusion(asha):
    set_deposit_limit(user_id=asha.pk, period=LimitPeriod.DAY, amount=100_000)
    exclude_oneself(user_id=asha.pk, until=None)
    limits = panel(page_of(asha), "limits")
    assert "Self-exclusion for good" in limits
    assert "Deposit limit, within 24 hours ₹1,000.00" in limits
    assert "Loss limit" not in limits


def test_results_are_shown_by_format_with_the_last_matches(played, boss):
    loser, winner, table = played
    match = Match.objects.get()
    lost, won_amount = "\N{MINUS SIGN}20 chips", "+18 chips"
    for user, other, amount in ((loser, winner, lost), (winner, loser, won_amount)):
        page = boss.get(f"{LIST}{user.pk}/change/").text
        results = panel(page, "results")
        assert "Results of the last 1 matches" in results
        won = 1 if user == winner else 0
        assert re.search(rf"Points 1 {won} {re.escape(amount)}", results)
        assert f"Seated at {table.name}" in results
        matches = panel(page, "matches")
        assert f"#{match.pk}" in matches
        assert f"{other.player_name} {amount}" in matches


def test_players_at_the_same_address_are_named(asha, make_player):
    ravi, nila = make_player(), make_player()
    for user, address in ((asha, "203.0.113.5"), (ravi, "203.0.113.5"), (nila, "203.0.113.6")):
        visit_from(user, address)
    devices = panel(page_of(asha), "devices")
    assert ravi.player_name in devices
    assert nila.player_name not in devices


def test_freezing_keeps_the_addresses_a_player_signed_in_from(asha, make_player, boss):
    ravi = make_player()

    def panels():
        page = boss.get(f"{LIST}{asha.pk}/change/").text
        return {name: panel(page, name) for name in ("account", "devices")}

    for user in (asha, ravi):
        visit_from(user, "203.0.113.5")
    before = panels()
    assert "203.0.113.5" in before["devices"]
    for user in (ravi, asha):
        freeze_by_staff(user)
    after = panels()
    assert after["devices"] == before["devices"]
    assert ravi.player_name in after["devices"]
    seen = re.compile("Last seen .*? Language")
    assert seen.findall(after["account"]) == seen.findall(before["account"]) != []
    assert asha.player_name in boss.get(LIST, {"seen": "today"}).text


def test_the_last_ten_ended_sessions_of_a_player_are_kept(asha, make_player):
    ravi = make_player()
    for number in range(12):
        visit_from(asha, f"203.0.113.{number}")
        end_sessions(user_id=asha.pk)
    visit_from(ravi, "203.0.113.99")
    end_sessions(user_id=ravi.pk)
    kept = PastSession.objects.filter(user=asha).order_by("pk")
    assert list(kept.values_list("ip", flat=True)) == [f"203.0.113.{n}" for n in range(2, 12)]
    assert PastSession.objects.filter(user=ravi).count() == 1


@pytest.mark.parametrize(
    ("role", "sees"),
    [
        (
            Role.SUPPORT,
            {"account", "identity", "devices", "money", "results", "reports", "sanctions", "cases"},
        ),
        (Role.FINANCE, {"account", "identity", "money", "results"}),
        (Role.GAMES, {"account", "results", "reports", "sanctions", "cases"}),
    ],
)
def test_each_role_sees_what_its_lists_show(played, role, sees):
    loser, _winner, _table = played
    page = page_of(loser, role)
    shown = set(re.findall(r'data-region="panel-(\w+)"', page))
    assert shown - {"limits", "matches", "tournaments"} == sees


def test_a_players_page_has_one_reason_field_and_folded_details(asha):
    assert page_of(asha, Role.SUPPORT).count("<textarea") == 1
    before, _details, fields = page_of(asha).partition('<details class="person-fields"')
    assert before.count("<textarea") == 1
    assert "user_permissions" in fields
    assert "user_permissions" not in before


def test_a_note_is_one_click_away(asha):
    staff = member(Role.SUPPORT)
    PlayerNote.objects.create(user=asha, staff=staff, text="Called twice.")
    page = office(staff).get(f"{LIST}{asha.pk}/change/").text
    assert "Called twice." in page
    assert f"/admin/accounts/playernote/add/?user={asha.pk}" in page


# --- The list -------------------------------------------------------------------------------------


def names(client, **asked):
    page = client.get(LIST, asked)
    assert page.status_code == 200
    return {user.player_name for user in page.context["cl"].result_list}


def test_the_list_separates_bots_guests_and_staff(asha):
    bots = {bot.player_name for bot in get_practice_bots()}
    guest = User.objects.create_user("g@example.com", player_name="Guest1", is_guest=True)
    staff = member(Role.SUPPORT)
    desk = office(staff)
    assert names(desk) == {asha.player_name, staff.player_name}
    assert names(desk, kind="guests") == {guest.player_name}
    assert names(desk, kind="bots") == bots
    assert names(desk, kind="staff") == {staff.player_name}
    assert len(names(desk, kind="all")) == len(bots) + 3
    # Links from the first page's figures choose the kinds of accounts themselves.
    assert names(desk, is_bot__exact=0) == {asha.player_name, staff.player_name, "Guest1"}


def test_the_columns_are_exact_and_shown_by_role(played):
    loser, winner, _table = played
    bring_deposit(loser, 12_345, key="x")
    page = office(member(Role.SUPPORT)).get(LIST)
    shown = {user.pk: vars(user)["columns"] for user in page.context["cl"].result_list}
    # Of 10,000 chips each player brought 800 to the table, where the stacks still are.
    assert (shown[loser.pk]["chips"], shown[winner.pk]["chips"]) == (9_200, 9_200)
    cash = Decimal("123.45")
    assert (shown[loser.pk]["cash"], shown[loser.pk]["deposited"]) == (cash, cash)
    assert shown[winner.pk]["cash"] is None
    assert page.text.count(">9,200<") == 2
    assert page.text.count(">₹123.45<") == 2
    games = office(member(Role.GAMES)).get(LIST).text
    assert "column-chips" not in games
    assert "column-played" in games


def test_the_list_is_filtered(played):
    loser, winner, _table = played
    approve_identity(loser, make_staff("Boss"))
    User.objects.filter(pk=winner.pk).update(date_joined=timezone.now() - timedelta(days=40))
    desk = office(member(Role.SUPPORT))
    people = {loser.player_name, winner.player_name}
    assert names(desk, identity="APPROVED") == {loser.player_name}
    assert winner.player_name in names(desk, identity="NONE")
    assert names(desk, played="week") == people
    assert not names(desk, played="not") & people
    today = f"{timezone.localdate():%Y-%m-%d}"
    assert names(desk, date_joined__from=today) & people == {loser.player_name}
    yesterday = f"{timezone.localdate() - timedelta(days=1):%Y-%m-%d}"
    assert names(desk, date_joined__until=yesterday) == {winner.player_name}
    # A date that cannot be read does not limit the list.
    assert names(desk, date_joined__from="soon") >= people
    assert names(desk, deposited="yes") == set()
    bring_deposit(loser, 100, key="x")
    assert names(desk, deposited="yes") == {loser.player_name}
    assert loser.player_name not in names(desk, deposited="no")


class TestFreezingSeveral:
    def freeze(self, desk, *users, reason="A ring."):
        return act_on_rows(desk, "freeze_them", *users, reason=reason).text

    def test_several_accounts_are_frozen_and_audited_with_one_reason(self, asha, make_player):
        ravi, _nila = make_player(), make_player()
        staff, other = member(Role.SUPPORT), member(Role.GAMES)
        desk = office(staff)
        assert "Write a reason" in self.freeze(desk, asha, reason=" ")
        assert not User.objects.exclude(frozen_at=None).exists()
        page = self.freeze(desk, asha, ravi, other, staff)
        assert page.count("cannot be frozen") == 2  # the two staff members
        frozen = set(User.objects.exclude(frozen_at=None).values_list("pk", flat=True))
        assert frozen == {asha.pk, ravi.pk}
        entries = AuditEntry.objects.values_list("action", "object_id", "reason")
        assert sorted(entries) == sorted(("freeze", str(pk), "A ring.") for pk in frozen)

    def test_freezing_several_needs_the_right_to_freeze(self, asha):
        self.freeze(office(member(Role.GAMES)), asha)
        assert not User.objects.exclude(frozen_at=None).exists()
        assert not AuditEntry.objects.exists()


def test_the_identity_state_is_that_of_the_newest_check(asha):
    now = timezone.now()
    facts = {"user": asha, "full_name": "Asha", "born_on": "1990-01-01", "document_kind": "PAN"}
    IdentityCheck.objects.create(
        **facts,
        state="REFUSED",
        reason="Unreadable.",
        submitted_at=now - timedelta(days=2),
        decided_at=now,
        decided_by=make_staff("Boss"),
    )
    IdentityCheck.objects.create(**facts, state="SUBMITTED", submitted_at=now - timedelta(days=1))
    desk = office(member(Role.SUPPORT))
    assert asha.player_name in names(desk, identity="SUBMITTED")
    assert asha.player_name not in names(desk, identity="REFUSED")
