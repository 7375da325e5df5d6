"""Parts of the site that are switched off while it runs; anything in progress continues."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.models import User
from core.models import AuditEntry, FeatureSwitch
from core.refusals import SWITCHED_OFF
from core.site.content import refresh_site
from core.site.features import FEATURES, is_on, make_switches
from games.registry import GAMES
from players.services import challenge
from tables.chat.moderation import ModeratedLine, check_line
from tables.models import QueuePlace, Seat, Table, TableTemplate
from tables.refusals import CHAT_IS_OFF
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table, open_private
from tables.seating.sitting import leave_table, take_seat
from tables.seating.supply import keep_supplied
from tests.accounts.staff import act_on_rows, member, office
from tests.accounts.users import SIGNUP
from tests.api_program import person
from tests.points_tables import open_points_table
from tests.refusals import refused
from tests.tables.driving import BUY_IN, befriend, start_match
from tests.wallet.cash_players import bring_deposit
from tests.wallet.fees.schedules import PAST, schedule
from tournaments.models import Entrant, Tournament, TournamentTemplate
from tournaments.registration.services import register, withdraw
from tournaments.running.private import PrivateTerms
from tournaments.running.private import open_private as open_private_tournament
from tournaments.running.scheduling import make_tournament
from tournaments.running.tick import tick
from wallet import api as wallet
from wallet.deposits.services import start_deposit
from wallet.models import Deposit, Transfer
from wallet.refusals import DEPOSITS_ARE_OFF

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "/admin/core/featureswitch/"


@pytest.fixture(autouse=True)
def _switches():
    """Create the switches that a migration makes: other tests may have flushed them."""
    make_switches("default")
    refresh_site()


@pytest.fixture
def games():
    return office(member(Role.GAMES))


def switch(games, action, *features, reason="A test of it."):
    rows = FeatureSwitch.objects.filter(feature__in=features)
    assert rows.count() == len(features)
    return act_on_rows(games, action, *rows, reason=reason)


@pytest.fixture
def off(games):
    def switch_off(*features):
        switch(games, "switch_off", *features)
        assert not any(is_on(feature) for feature in features)

    return switch_off


@pytest.fixture
def on(games):
    return lambda *features: switch(games, "switch_on", *features)


@pytest.fixture
def asha():
    return person("Asha")


@pytest.fixture
def ravi():
    return person("Ravi")


def open_court(**changes):
    wallet.set_starting_fees(valid_from=timezone.now())
    return open_points_table(**changes)


def make_grove():
    wallet.set_starting_fees(valid_from=timezone.now())
    return TableTemplate.objects.create(
        game="indian", preset="points", name="Mango Grove", max_seats=2, point_value=1
    )


class TestStaff:
    def test_every_part_and_game_begins_switched_on(self, games):
        codes = set(FeatureSwitch.objects.values_list("feature", flat=True))
        assert codes == set(FEATURES)
        assert {f"game_{code}" for code in GAMES} < codes
        assert not FeatureSwitch.objects.filter(is_on=False).exists()
        page = games.get(LIST).text
        for title in ("New accounts", "Chat at tables", "Indian rummy"):
            assert title in page

    def test_staff_switch_several_parts_with_one_reason(self, games, client):
        answer = switch(games, "switch_off", "chat", "registration", reason="")
        assert "Write a reason beside the action." in answer.text
        assert is_on("chat")
        switch(games, "switch_off", "chat", "registration", reason="Trouble.")
        assert (is_on("chat"), is_on("registration"), is_on("deposits")) == (False, False, True)
        told = AuditEntry.objects.filter(action="switch off", reason="Trouble.")
        assert {entry.object_name for entry in told} == {"chat", "registration"}
        switch(games, "switch_on", "chat")
        assert (is_on("chat"), is_on("registration")) == (True, False)

    def test_other_roles_only_view_the_switches(self):
        support = office(member(Role.SUPPORT))
        assert support.get(LIST).status_code == 200
        switch(support, "switch_off", "chat")
        assert is_on("chat")


def test_new_accounts_can_be_switched_off(client, off, on):
    off("registration")
    page = client.post("/accounts/signup/", SIGNUP).text
    assert "nobody can register at the moment" in page
    assert not User.objects.filter(email=SIGNUP["email"]).exists()
    on("registration")
    assert client.post("/accounts/signup/", SIGNUP).status_code == 302


def test_first_deals_of_guests_can_be_switched_off(client, off):
    wallet.set_starting_fees(valid_from=timezone.now())
    off("guests")
    page = client.post("/learn/begin/", {"game": "indian"}, follow=True).text
    assert "This part of the site is switched off at the moment." in page
    assert not User.objects.filter(is_guest=True).exists()
    assert not Table.objects.exists()


def test_guests_of_friends_can_be_switched_off(client, off, on):
    table = open_points_table(point_value=0, invite_code="abcdefghijkl")
    path, form = f"/tables/{table.pk}/guest/", {"player_name": "Asha", "adult": "on"}
    form |= {"press": "0" * 32, "invite": table.invite_code}
    off("guests")
    client.post(path, form)
    assert not User.objects.filter(is_guest=True).exists()
    on("guests")
    client.post(path, form)
    assert Seat.objects.get(table=table).user.is_guest


def test_new_deposits_can_be_switched_off(asha, off, on):
    off("deposits")
    with refused(DEPOSITS_ARE_OFF):
        start_deposit(user_id=asha.pk, amount=25_000)
    assert not Deposit.objects.exists()
    on("deposits")
    start_deposit(user_id=asha.pk, amount=25_000)


def test_a_game_switched_off_plays_its_matches_to_the_end(asha, off, on):
    table, ravi = open_court(), person("Ravi")
    start_match(table, asha, ravi)
    other = open_court(name="Grove")
    before = Transfer.objects.count()
    off("game_indian")
    with refused(SWITCHED_OFF):
        take_seat(table_id=other.pk, user_id=asha.pk, number=0, amount=BUY_IN)
    assert Seat.objects.filter(left_at=None).count() == 2
    assert (QueuePlace.objects.count(), Transfer.objects.count()) == (0, before)
    leave_table(table_id=table.pk, user_id=ravi.pk)
    on("game_indian")
    take_seat(table_id=other.pk, user_id=asha.pk, number=0, amount=BUY_IN)


def test_a_game_switched_off_is_not_offered_in_the_lobby(client, asha, off, on):
    make_grove()
    keep_supplied()
    assert 'data-tile="indian"' in client.get("/").text
    off("game_indian")
    assert 'data-tile="indian"' not in client.get("/").text
    on("game_indian")
    assert 'data-tile="indian"' in client.get("/").text


def test_switching_cash_off_blocks_only_cash_seats(asha, off):
    bring_deposit(asha, 50_000)
    schedule(currency="INR", stake_from=0, stake_to=None, valid_from=PAST, valid_until=None)
    cash, chips = open_court(currency="INR"), open_court(name="Grove")
    off("cash_play")
    with refused(SWITCHED_OFF):
        take_seat(table_id=cash.pk, user_id=asha.pk, number=0, amount=BUY_IN)
    assert not Seat.objects.exists()
    take_seat(table_id=chips.pk, user_id=asha.pk, number=0, amount=BUY_IN)


def test_chat_can_be_switched_off(client, asha, off, on):
    table = start_match(open_court(), asha, person("Ravi"))
    client.force_login(asha)
    assert 'data-region="chat"' in client.get(f"/tables/{table.pk}/").text
    off("chat")
    with refused(CHAT_IS_OFF):
        check_line(ModeratedLine(text="Hello"), table_id=table.pk, user_id=asha.pk)
    assert 'data-region="chat"' not in client.get(f"/tables/{table.pk}/").text
    on("chat")
    assert (
        check_line(ModeratedLine(text="Hello"), table_id=table.pk, user_id=asha.pk).text == "Hello"
    )


def test_private_tables_can_be_switched_off(asha, ravi, off, on, client):
    template = make_grove()
    befriend(asha, ravi)
    terms = HostTerms(game="indian", preset="points", seats=2)
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    off("private_tables")
    for opening in (
        lambda: open_private(template_id=template.pk, user_id=asha.pk),
        lambda: open_hosted_table(terms, user_id=asha.pk),
        lambda: challenge(user_id=asha.pk, friend_id=ravi.pk, game="indian"),
    ):
        with refused(SWITCHED_OFF):
            opening()
    assert client.get("/tables/private/indian/").headers["Location"] == "/"
    on("private_tables")
    off("game_indian")
    with refused(SWITCHED_OFF):
        open_hosted_table(terms, user_id=asha.pk)
    with refused(SWITCHED_OFF):
        challenge(user_id=asha.pk, friend_id=ravi.pk, game="indian")
    assert not Table.objects.exists()
    on("game_indian")
    assert open_private(template_id=template.pk, user_id=asha.pk).is_private


def test_private_tournaments_can_be_switched_off(asha, off, on):
    wallet.set_starting_fees(valid_from=timezone.now())
    terms = PrivateTerms(
        game="indian", preset="deals2", format="knock-out", seats=3, deals=1, entry_fee=200,
        most=9, starts_at=timezone.now() + timedelta(minutes=10),
    )  # fmt: skip
    off("private_tournaments")
    with refused(SWITCHED_OFF):
        open_private_tournament(user_id=asha.pk, terms=terms, now=timezone.now())
    assert not Tournament.objects.exists()
    on("private_tournaments")
    open_private_tournament(user_id=asha.pk, terms=terms, now=timezone.now())


def test_registration_can_be_switched_off_and_withdrawing_stays_open(asha, off, on):
    wallet.set_starting_fees(valid_from=timezone.now())
    template = TournamentTemplate.objects.create(
        game="indian", preset="deals2", name="Cup", entry_fee=100, seats=3, qualifiers=1, deals=1
    )
    now = timezone.now()
    cup = make_tournament(template, starts_at=now + timedelta(minutes=20), now=now)
    tick()
    for feature in ("tournaments", "game_indian"):
        off(feature)
        with refused(SWITCHED_OFF):
            register(tournament_id=cup.pk, user_id=asha.pk, now=now)
        assert not Entrant.objects.exists()
        on(feature)
    register(tournament_id=cup.pk, user_id=asha.pk, now=now)
    off("tournaments")
    withdraw(tournament_id=cup.pk, user_id=asha.pk, now=now)
    assert refresh_site().off == ["tournaments"]
