"""The sheet of a host: choices within what is offered, opened in one press, remembered for next time."""

import re
from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils.translation import override

from games.registry import GAMES
from tables.catalog import presets_of, title_of
from tables.lobby.selectors import list_lobby_tables
from tables.models import (
    Admission,
    HostBounds,
    HouseRules,
    Seat,
    Table,
    TableStatus,
    TableTemplate,
    UsualTable,
)
from tables.refusals import (
    BotsPlayForNothing,
    SeatsOutOfRange,
    StakeNotOffered,
    TooManyTables,
)
from tables.seating.hosting.form import HostForm
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tests.given import descriptions, require
from wallet.ledger.balances import get_player_balances
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db
SHEET = reverse("tables:host", args=["indian"])
CHOICES = {
    "rules": "pool101",
    "seats": "3",
    "pace": "usual",
    "stake": "0",
    "admission": "link",
    "watchers": "on",
    "chat": "on",
    "strength": "medium",
}


@pytest.fixture
def templates(make_table):
    make_table()  # the fees
    for values in (
        {"preset": "points", "point_value": 2},
        {"preset": "points", "point_value": 5, "is_open": False},
        {"preset": "pool101", "entry_fee": 200},
        {"preset": "deals2", "entry_fee": 100},
        {"preset": "points", "point_value": 100, "currency": "INR"},
    ):
        TableTemplate.objects.create(game="indian", name="Neem Room", max_seats=2, **values)


@pytest.fixture
def asha(make_player, client):
    player = make_player()
    client.force_login(player)
    return player


def set_house_rules(**terms):
    """Let every kind of the Pool 101 be played by house rules."""
    house = HouseRules.objects.create(
        game="indian", name="Diwali rules", preset="pool101", changes={"first_drop": 15}, **terms
    )
    TableTemplate.objects.filter(preset="pool101").update(house_rules=house)
    return house


def get_opened():
    return Table.objects.exclude(invite_code="").get()


def field_of(page, name):
    """The values that the page offers for a field, and the chosen one."""
    if select := re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL):
        options = re.findall(r'<option value="([^"]*)"( selected)?', select[0])
    else:
        boxes = re.findall(rf'<input type="radio"\s+name="{name}"[^>]*>', page)
        options = [(require(re.search(r'value="([^"]*)"', b))[1], "checked" in b) for b in boxes]
    return [value for value, _is in options], next((value for value, is_ in options if is_), None)


class TestSheet:
    def test_it_opens_a_table_as_chosen_and_seats_the_host(self, templates, asha, client):
        answer = client.post(SHEET, CHOICES)
        table = get_opened()
        assert answer.headers["Location"] == f"/tables/{table.pk}/?invite={table.invite_code}"
        assert (table.rules["name"], table.max_seats, table.format) == ("pool101", 3, "POOL")
        assert (table.is_free, table.is_rated, table.bots_wanted) == (True, False, 0)
        assert (table.opened_by_id, table.admission) == (asha.pk, Admission.LINK)
        assert Seat.objects.get().user_id == asha.pk
        assert get_player_balances(asha.pk).chips == 10_000

    def test_for_chips_the_host_pays_as_the_button_says(self, templates, asha, client):
        page = client.post(SHEET, {**CHOICES, "stake": "200", "look": "1"}).text
        assert "Open the table and bring 200 chips" in page
        assert (
            "With 3 players the entry fees are 600 chips; the service fee is 60 chips, and 540 chips are won."
            in page
        )
        assert not Table.objects.exclude(invite_code="").exists()
        client.post(SHEET, {**CHOICES, "stake": "200"})
        table = get_opened()
        assert (table.entry_fee, table.rake_bps, table.currency) == (200, 1_000, "CHIPS")
        assert get_player_balances(asha.pk).chips == 9_800

    def test_points_bring_what_play_now_brings(self, templates, asha, client):
        sent = {**CHOICES, "rules": "points", "stake": "2"}
        page = client.post(SHEET, {**sent, "look": "1"}).text
        assert "Open the table and bring 320 chips" in page
        assert "Everybody brings 160 chips at least" in page
        client.post(SHEET, sent)
        assert get_opened().point_value == 2
        assert get_player_balances(asha.pk).chips == 10_000 - 320

    def test_a_choice_is_described_by_its_help(self, templates, asha, client):
        named, missing = descriptions(client.get(SHEET).text)
        assert named
        assert missing == set()

    def test_stakes_are_those_of_the_open_kinds_for_chips(self, templates, asha, client):
        page = client.get(SHEET, {"rules": "pool101"}).text
        assert field_of(page, "stake") == (["0", "100", "200"], "0")
        page = client.get(SHEET, {"rules": "points"}).text
        assert field_of(page, "stake") == (["0", "2"], "0")

    def test_every_rule_set_of_the_game_is_there_but_that_of_the_lesson(self, asha, client):
        offered, chosen = field_of(client.get(SHEET).text, "rules")
        formats = GAMES["indian"].formats
        assert offered == [name for f in formats for name in presets_of("indian", f.code)]
        assert ("lesson" in offered, chosen) == (False, "points")

    def test_house_rules_of_open_tables_are_kinds_too(self, templates, asha, client):
        house = set_house_rules()
        HouseRules.objects.create(game="indian", name="Never used", preset="pool101", changes={})
        used = TableTemplate.objects.filter(preset="pool101")
        code = f"house-{house.pk}"
        page = client.get(SHEET).text
        assert f'<option value="{code}">Diwali rules</option>' in page
        assert "Never used" not in page
        page = client.post(SHEET, {**CHOICES, "rules": code, "look": "1"}).text
        assert field_of(page, "rules")[1] == code
        assert re.search(r'name="rule_first_drop"[^>]*value="15"', page)
        client.post(SHEET, {**CHOICES, "rules": code})
        assert (get_opened().rules["name"], get_opened().rules["first_drop"]) == ("pool101", 15)
        # Where hosts may not change that rule, they do not come by it like this.
        HostBounds.objects.create(game="indian", names=["middle_drop"])
        assert "Diwali rules" not in client.get(SHEET).text
        used.update(is_open=False)
        HostBounds.objects.all().delete()
        assert "Diwali rules" not in client.get(SHEET).text

    @pytest.mark.parametrize(
        ("sent", "title"),
        [
            ({}, "Pool 101, Diwali rules"),
            ({"pace": "slow", "seats": "3"}, "Pool 101, Diwali rules, slow"),
            ({"filled": True, "rule_first_drop": "15"}, "Pool 101, Diwali rules"),
            ({"filled": True, "rule_first_drop": "16"}, "Pool 101, own rules"),
            ({"filled": True}, "Pool 101"),
        ],
    )
    def test_a_table_by_house_rules_says_their_name(self, templates, asha, client, sent, title):
        house = set_house_rules(words={"hi": {"name": "दिवाली के नियम"}})
        code = f"house-{house.pk}"
        chosen = {**CHOICES, "rules": code, **sent}
        if "filled" in sent:
            chosen["filled"] = code
        client.post(SHEET, chosen)
        assert title_of(get_opened()) == title
        with override("hi"):
            assert ("दिवाली के नियम" in title_of(get_opened())) == ("Diwali" in title)

    def test_nobody_changes_the_rules_under_those_who_sit_there(self, templates, asha, client):
        house = set_house_rules()
        code = f"house-{house.pk}"
        client.post(SHEET, {**CHOICES, "rules": code})
        first = get_opened()
        HouseRules.objects.update(name="Holi rules", changes={"first_drop": 10})
        # Neither the operator's change nor the host's next table, with its own choices, touches it.
        client.post(SHEET, {**CHOICES, "rules": code, "table": str(first.pk)})
        kept, other = Table.objects.exclude(invite_code="").order_by("pk")
        assert [table.rules["first_drop"] for table in (kept, other)] == [15, 10]
        assert [title_of(table) for table in (kept, other)] == [
            "Pool 101, Diwali rules",
            "Pool 101, Holi rules",
        ]
        Table.objects.filter(pk=other.pk).update(status=TableStatus.CLOSED)

    def test_what_house_rules_filled_in_goes_with_them(self, templates, asha, client):
        house = set_house_rules()
        left = {**CHOICES, "filled": f"house-{house.pk}", "rule_first_drop": "15"}
        client.post(SHEET, left)
        assert title_of(get_opened()) == "Pool 101"
        assert get_opened().rules["first_drop"] == 20

    def test_the_address_of_a_kind_chooses_it(self, templates, asha, client):
        page = client.get(SHEET, {"rules": "deals2", "seats": "6"}).text
        assert field_of(page, "rules")[1] == "deals2"
        assert field_of(page, "seats")[1] == "6"

    def test_a_draft_takes_what_is_nearest(self, templates, asha, client):
        wild = {"rules": "nonsense", "seats": "99", "stake": "150", "pace": "x", "look": "1"}
        page = client.post(SHEET, wild).text
        for name, value in {"rules": "points", "seats": "6", "stake": "2", "pace": "usual"}.items():
            assert field_of(page, name)[1] == value
        assert not Table.objects.exclude(invite_code="").exists()

    def test_a_wrong_choice_is_told_at_its_field(self, templates, asha, client):
        for sent, words in (
            ({"seats": "7"}, "Select a valid choice"),
            ({"stake": "2"}, "Select a valid choice"),
            ({"stake": "-200"}, "Select a valid choice"),
            ({"rules": "lesson"}, "Select a valid choice"),
            ({"rules": "gin"}, "Select a valid choice"),
            ({"admission": "all"}, "Select a valid choice"),
            ({"stake": "200", "bots": "on"}, "Bots play for nothing only"),
            ({"stake": "200", "stand_in": "on"}, "Bots play for nothing only"),
            ({"rule_turn_seconds": "-5"}, "greater than or equal to"),
            ({"rule_max_points": "x"}, "Enter a whole number"),
            ({"rules": "deals2", "rule_deals": "0"}, "errorlist"),  # what the game refuses
        ):
            answer = client.post(SHEET, {**CHOICES, **sent})
            assert answer.status_code == 200
            assert words in answer.text, sent
            assert not Table.objects.exclude(invite_code="").exists()
            assert not UsualTable.objects.exists()

    def test_a_refusal_stands_above_the_choices(self, templates, asha, client, settings):
        settings.TABLES_AT_ONCE = 1
        client.post(SHEET, CHOICES)
        table = get_opened()
        page = client.post(SHEET, CHOICES).text
        assert f'<a href="/tables/{table.pk}/">' in page
        assert get_opened() == table

    def test_strangers_and_unknown_games_come_nowhere(self, client, make_player):
        assert "/accounts/login/" in client.get(SHEET).headers["Location"]
        client.force_login(make_player())
        assert client.get(reverse("tables:host", args=["chess"])).status_code == 404


class TestUsualTable:
    def test_the_second_evening_is_one_press(self, templates, asha, client, make_player):
        sent = {
            **CHOICES,
            "rules": "deals3",
            "seats": "5",
            "pace": "relaxed",
            "admission": "friends",
            "bots": "on",
            "strength": "hard",
            "rule_first_drop": "15",
        }
        del sent["chat"]
        client.post(SHEET, sent)
        first = get_opened()
        Table.objects.filter(pk=first.pk).update(status=TableStatus.CLOSED)
        page = client.get(SHEET).text
        form = re.findall(r'<input[^>]*type="checkbox"[^>]*>', page)
        boxes = {require(re.search(r'name="(\w+)"', box))[1]: "checked" in box for box in form}
        assert boxes == {
            "watchers": True,
            "chat": False,
            "help": False,
            "bots": True,
            "stand_in": False,
            "programs": False,
        }
        for name in ("rules", "seats", "pace", "admission", "strength"):
            assert field_of(page, name)[1] == sent[name]
        assert re.search(r'name="rule_first_drop"[^>]*value="15"', page)
        again = {**require(UsualTable.objects.get()).choices}
        Seat.objects.all().delete()
        client.post(SHEET, again)
        second = Table.objects.exclude(invite_code="").exclude(pk=first.pk).get()
        for column in ("rules", "max_seats", "admission", "allows_chat", "bots_wanted"):
            assert getattr(second, column) == getattr(first, column)
        assert UsualTable.objects.count() == 1
        # Another player, and another game, have choices of their own.
        assert (
            field_of(client.get(reverse("tables:host", args=["gin"])).text, "rules")[1] == "points"
        )
        client.force_login(make_player())
        assert field_of(client.get(SHEET).text, "rules")[1] == "points"

    def test_a_stake_that_is_offered_no_more_becomes_a_lower_one(self, templates, asha, client):
        client.post(SHEET, {**CHOICES, "stake": "200"})
        TableTemplate.objects.filter(entry_fee=200).update(is_open=False)
        assert field_of(client.get(SHEET).text, "stake") == (["0", "100"], "100")


class TestTerms:
    def terms(self, **changes):
        return HostTerms(**{"game": "indian", "preset": "points", "seats": 2, **changes})

    def test_the_service_holds_the_bounds_too(self, templates, make_player):
        host = make_player()
        for changes, refusal in (
            ({"seats": 7}, SeatsOutOfRange),
            ({"seats": 1}, SeatsOutOfRange),
            ({"stake": 5}, StakeNotOffered),  # a closed kind
            ({"stake": 100}, StakeNotOffered),  # for cash, and an entry fee
            ({"stake": -2}, StakeNotOffered),
            ({"stake": 2, "fills_with_bots": True}, BotsPlayForNothing),
            ({"stake": 2, "bots_take_over": True}, BotsPlayForNothing),
            ({"stake": 2, "allows_programs": True}, BotsPlayForNothing),
        ):
            with pytest.raises(refusal):
                open_hosted_table(self.terms(**changes), user_id=host.pk)
            assert not Table.objects.exclude(invite_code="").exists(), changes

    def test_a_pace_changes_the_clocks_of_the_table_alone(self, templates, make_player):
        paces = {
            pace: open_hosted_table(self.terms(pace=pace), user_id=make_player().pk).rules
            for pace in ("blitz", "usual", "relaxed")
        }
        assert [paces[pace]["turn_seconds"] for pace in paces] == [15, 30, 60]
        own = {"turn_seconds": 40}
        mixed = open_hosted_table(
            self.terms(pace="blitz", changes=own), user_id=make_player().pk
        ).rules
        assert (mixed["turn_seconds"], mixed["extra_seconds"]) == (40, 30)

    def test_a_table_keeps_the_rules_that_it_began_with(self, templates, make_player):
        table = open_hosted_table(self.terms(changes={"max_points": 60}), user_id=make_player().pk)
        assert table.rules["max_points"] == 60
        assert table.template_id is None
        assert table.shown_name == "Table of friends"

    def test_without_chips_no_paid_table_is_opened(self, templates, make_player):
        poor = make_player(chips=False)
        with pytest.raises(InsufficientFunds):
            open_hosted_table(self.terms(stake=2), user_id=poor.pk)
        assert not Table.objects.exclude(invite_code="").exists()
        open_hosted_table(self.terms(), user_id=poor.pk)

    def test_nobody_hosts_more_tables_than_they_can_sit_at(self, templates, make_player, settings):
        settings.TABLES_AT_ONCE = 2
        host = make_player()
        for _ in range(2):
            open_hosted_table(self.terms(), user_id=host.pk)
        Seat.objects.all().delete()
        with pytest.raises(TooManyTables):
            open_hosted_table(self.terms(), user_id=host.pk)

    def test_only_a_listed_table_is_in_the_lobby(self, templates, make_player, client):
        hidden = [
            open_hosted_table(self.terms(admission=who), user_id=make_player().pk)
            for who in (Admission.LINK, Admission.FRIENDS)
        ]
        host = make_player()
        listed = open_hosted_table(self.terms(admission=Admission.ANYBODY), user_id=host.pk)
        shown = [entry.table.pk for entry in list_lobby_tables().entries]
        assert listed.pk in shown
        assert not {table.pk for table in hidden} & set(shown)
        page = client.get(reverse("tables:all")).text
        assert f"host: {host.player_name}" in page
        assert "Nothing: free" in page
        assert client.get(f"/tables/{listed.pk}/").status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_every_game_has_a_form_that_is_right(game, make_table):
    make_table()
    for format in GAMES[game].formats:
        for preset in presets_of(game, format.code):
            for pace in ("blitz", "relaxed"):
                form = HostForm(game, {**CHOICES, "rules": preset, "seats": "2", "pace": pace})
                assert form.is_valid(), (preset, form.errors, form.own_rules.errors)
                assert form.summary()


class TestSlowGames:
    def test_are_free_and_for_a_few(self, client, asha, templates):
        drawn = {**CHOICES, "pace": "slow", "seats": "6", "stake": "200", "look": "1"}
        page = client.post(SHEET, drawn).text
        assert field_of(page, "seats") == (["2", "3", "4"], "4")
        assert field_of(page, "stake") == (["0"], "0")
        terms = HostTerms(game="indian", preset="pool101", seats=4, pace="slow")
        for wrong, refusal in (
            (replace(terms, stake=200), StakeNotOffered),
            (replace(terms, seats=5), SeatsOutOfRange),
        ):
            with pytest.raises(refusal):
                open_hosted_table(wrong, user_id=asha.pk)
        table = open_hosted_table(terms, user_id=asha.pk)
        assert table.is_slow
        assert (table.rules["turn_seconds"], table.is_free) == (86_400, True)

    def test_count_by_themselves(self, asha, templates, settings):
        settings.TABLES_AT_ONCE, settings.SLOW_TABLES_AT_ONCE = 1, 1
        for pace in ("slow", "usual"):
            terms = HostTerms(game="indian", preset="pool101", seats=2, pace=pace)
            open_hosted_table(terms, user_id=asha.pk)
            with pytest.raises(TooManyTables):
                open_hosted_table(terms, user_id=asha.pk)
