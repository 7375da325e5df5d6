"""The form with which a host opens a table."""

import re

import pytest
from django.urls import reverse
from django.utils.translation import override

from games.registry import GAMES
from lobby.selectors import list_lobby_tables
from tables.catalog import format_title, list_presets
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
from tables.refusals import BOTS_PLAY_FOR_NOTHING, STAKE_NOT_OFFERED, SeatsOutOfRange, TooManyTables
from tables.seating.hosting.form import HostForm
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tests.given import descriptions, require
from tests.refusals import refused
from tests.tables.driving import chips_of
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db
LISTED_OR_NOT = (Admission.LINK, Admission.FRIENDS, Admission.ANYBODY)
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
def templates(fees):
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


@pytest.fixture
def read(asha, client):
    """Return a function that returns the sheet, or with `sent` its preview for these choices."""

    def read_sheet(query=None, *, sent=None):
        if sent is None:
            return client.get(SHEET, query or {}).text
        return client.post(SHEET, {**CHOICES, **sent, "look": "1"}).text

    return read_sheet


def set_house_rules(**terms):
    """Give every Pool 101 template these house rules. Return them."""
    house = HouseRules.objects.create(
        game="indian", name="Diwali rules", preset="pool101", changes={"first_drop": 15}, **terms
    )
    TableTemplate.objects.filter(preset="pool101").update(house_rules=house)
    return house


def list_opened():
    return Table.objects.exclude(invite_code="").order_by("pk")


def get_opened():
    return list_opened().get()


def read_field(page, name):
    """Return the values that the page offers for a field, and the selected one."""
    if select := re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL):
        options = re.findall(r'<option value="([^"]*)"( selected)?', select[0])
    else:
        boxes = re.findall(rf'<input type="radio"\s+name="{name}"[^>]*>', page)
        options = [(require(re.search(r'value="([^"]*)"', b))[1], "checked" in b) for b in boxes]
    return [value for value, _is in options], next((value for value, is_ in options if is_), None)


class TestSheet:
    def test_the_sheet_opens_the_chosen_table_and_seats_the_host(self, templates, asha, client):
        answer = client.post(SHEET, CHOICES)
        table = get_opened()
        assert answer.headers["Location"] == f"/tables/{table.pk}/?invite={table.invite_code}"
        assert (table.rules["name"], table.max_seats, table.format) == ("pool101", 3, "POOL")
        assert (table.is_free, table.is_rated, table.bots_wanted) == (True, False, 0)
        assert (table.opened_by_id, table.admission) == (asha.pk, Admission.LINK)
        assert Seat.objects.get().user_id == asha.pk
        assert chips_of(asha) == 10_000

    def test_the_host_pays_the_chips_named_on_the_button(self, templates, asha, client, read):
        page = read(sent={"stake": "200"})
        assert "Open the table and bring 200 chips" in page
        assert (
            "With 3 players the entry fees are 600 chips; the service fee is 60 chips, and 540 chips are won."
            in page
        )
        assert not list_opened()
        client.post(SHEET, {**CHOICES, "stake": "200"})
        table = get_opened()
        assert (table.entry_fee, table.rake_bps, table.currency) == (200, 1_000, "CHIPS")
        assert chips_of(asha) == 9_800

    def test_a_points_table_takes_the_same_stack_as_play_now(self, templates, asha, client, read):
        sent = {"rules": "points", "stake": "2"}
        page = read(sent=sent)
        assert "Open the table and bring 320 chips" in page
        assert "Everybody brings at least 160 chips" in page
        client.post(SHEET, {**CHOICES, **sent})
        assert get_opened().point_value == 2
        assert chips_of(asha) == 10_000 - 320

    def test_every_described_field_has_its_help(self, templates, read):
        named, missing = descriptions(read())
        assert named
        assert missing == set()

    def test_the_sheet_offers_the_stakes_of_open_kinds_for_chips(self, templates, read):
        assert read_field(read({"rules": "pool101"}), "stake") == (["0", "100", "200"], "0")
        assert read_field(read({"rules": "points"}), "stake") == (["0", "2"], "0")

    def test_the_sheet_offers_every_rule_set_except_the_lesson(self, read):
        offered, chosen = read_field(read(), "rules")
        formats = GAMES["indian"].formats
        assert offered == [name for f in formats for name in list_presets("indian", f.code)]
        assert ("lesson" in offered, chosen) == (False, "points")

    def test_the_sheet_offers_the_house_rules_of_open_kinds(self, templates, client, read):
        house = set_house_rules()
        HouseRules.objects.create(game="indian", name="Never used", preset="pool101", changes={})
        used = TableTemplate.objects.filter(preset="pool101")
        code = f"house-{house.pk}"
        page = read()
        assert f'<option value="{code}">Diwali rules</option>' in page
        assert "Never used" not in page
        page = read(sent={"rules": code})
        assert read_field(page, "rules")[1] == code
        assert re.search(r'name="rule_first_drop"[^>]*value="15"', page)
        client.post(SHEET, {**CHOICES, "rules": code})
        assert (get_opened().rules["name"], get_opened().rules["first_drop"]) == ("pool101", 15)
        # Bounds of hosts apply to house rules too.
        HostBounds.objects.create(game="indian", names=["middle_drop"])
        assert "Diwali rules" not in read()
        used.update(is_open=False)
        HostBounds.objects.all().delete()
        assert "Diwali rules" not in read()

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
    def test_the_title_of_a_table_names_its_house_rules(self, templates, asha, client, sent, title):
        house = set_house_rules(words={"hi": {"name": "दिवाली के नियम"}})
        code = f"house-{house.pk}"
        chosen = {**CHOICES, "rules": code, **sent}
        if "filled" in sent:
            chosen["filled"] = code
        client.post(SHEET, chosen)
        assert format_title(get_opened()) == title
        with override("hi"):
            assert ("दिवाली के नियम" in format_title(get_opened())) == ("Diwali" in title)

    def test_leaving_house_rules_resets_the_values_they_filled_in(self, templates, asha, client):
        code = f"house-{set_house_rules().pk}"
        client.post(SHEET, {**CHOICES, "filled": code, "rule_first_drop": "15"})
        assert format_title(get_opened()) == "Pool 101"
        assert get_opened().rules["first_drop"] == 20

    def test_a_link_to_the_sheet_preselects_its_choices(self, templates, read):
        page = read({"rules": "deals2", "seats": "6"})
        assert [read_field(page, name)[1] for name in ("rules", "seats")] == ["deals2", "6"]

    def test_a_draft_replaces_invalid_choices_by_the_nearest(self, templates, read):
        page = read(sent={"rules": "nonsense", "seats": "99", "stake": "150", "pace": "x"})
        for name, value in {"rules": "points", "seats": "6", "stake": "2", "pace": "usual"}.items():
            assert read_field(page, name)[1] == value
        assert not list_opened()

    def test_an_invalid_choice_is_refused_at_its_field(self, templates, asha, client):
        for sent, words in (
            ({"seats": "7"}, "Select a valid choice"),
            ({"stake": "2"}, "Select a valid choice"),
            ({"stake": "-200"}, "Select a valid choice"),
            ({"rules": "lesson"}, "Select a valid choice"),
            ({"rules": "gin"}, "Select a valid choice"),
            ({"admission": "all"}, "Select a valid choice"),
            ({"stake": "200", "bots": "on"}, "Bots play only when nothing is at stake"),
            ({"stake": "200", "stand_in": "on"}, "Bots play only when nothing is at stake"),
            ({"rule_turn_seconds": "-5"}, "greater than or equal to"),
            ({"rule_max_points": "x"}, "Enter a whole number"),
            ({"rules": "deals2", "rule_deals": "0"}, "errorlist"),  # refused by the game
        ):
            answer = client.post(SHEET, {**CHOICES, **sent})
            assert answer.status_code == 200
            assert words in answer.text, sent
            assert not list_opened()
            assert not UsualTable.objects.exists()

    def test_a_refusal_links_to_the_table_in_the_way(self, templates, asha, client, settings):
        settings.TABLES_AT_ONCE = 1
        client.post(SHEET, CHOICES)
        table = get_opened()
        assert f'<a href="/tables/{table.pk}/">' in client.post(SHEET, CHOICES).text
        assert get_opened() == table

    def test_the_sheet_is_for_signed_in_players_and_known_games(self, client, make_player):
        assert "/accounts/login/" in client.get(SHEET).headers["Location"]
        client.force_login(make_player())
        assert client.get(reverse("tables:host", args=["chess"])).status_code == 404


class TestUsualTable:
    def test_the_sheet_remembers_the_last_choices_of_a_player(
        self, templates, client, make_player, read
    ):
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
        page = read()
        boxes = re.findall(r'<input[^>]*type="checkbox"[^>]*>', page)
        ticked = {require(re.search(r'name="(\w+)"', b))[1] for b in boxes if "checked" in b}
        assert ticked == {"watchers", "bots"}
        for name in ("rules", "seats", "pace", "admission", "strength"):
            assert read_field(page, name)[1] == sent[name]
        assert re.search(r'name="rule_first_drop"[^>]*value="15"', page)
        again = {**require(UsualTable.objects.get()).choices}
        Seat.objects.all().delete()
        client.post(SHEET, again)
        second = list_opened().exclude(pk=first.pk).get()
        for column in ("rules", "max_seats", "admission", "allows_chat", "bots_wanted"):
            assert getattr(second, column) == getattr(first, column)
        assert UsualTable.objects.count() == 1
        # Choices are stored by player and game.
        gin = client.get(reverse("tables:host", args=["gin"])).text
        assert read_field(gin, "rules")[1] == "points"
        client.force_login(make_player())
        assert read_field(read(), "rules")[1] == "points"

    def test_a_withdrawn_stake_is_replaced_by_a_lower_one(self, templates, client, read):
        client.post(SHEET, {**CHOICES, "stake": "200"})
        TableTemplate.objects.filter(entry_fee=200).update(is_open=False)
        assert read_field(read(), "stake") == (["0", "100"], "100")


def open_hosted(host, **changes):
    terms = {"game": "indian", "preset": "points", "seats": 2, **changes}
    return open_hosted_table(HostTerms(**terms), user_id=host.pk)


class TestTerms:
    def test_the_service_refuses_terms_out_of_bounds(self, templates, make_player):
        host = make_player()
        for changes, refusal in (
            ({"seats": 7}, SeatsOutOfRange),
            ({"seats": 1}, SeatsOutOfRange),
            ({"stake": 5}, STAKE_NOT_OFFERED),  # a closed template
            ({"stake": 100}, STAKE_NOT_OFFERED),  # a cash table, and one for an entry fee
            ({"stake": -2}, STAKE_NOT_OFFERED),
            ({"stake": 2, "fills_with_bots": True}, BOTS_PLAY_FOR_NOTHING),
            ({"stake": 2, "bots_take_over": True}, BOTS_PLAY_FOR_NOTHING),
            ({"stake": 2, "allows_programs": True}, BOTS_PLAY_FOR_NOTHING),
            # Slow games are free and have few seats.
            ({"pace": "slow", "stake": 200, "preset": "pool101"}, STAKE_NOT_OFFERED),
            ({"pace": "slow", "seats": 5}, SeatsOutOfRange),
        ):
            with refused(refusal):
                open_hosted(host, **changes)
            assert not list_opened(), changes

    def test_a_pace_changes_only_the_clocks_of_the_table(self, templates, make_player):
        paces = [
            open_hosted(make_player(), pace=pace).rules["turn_seconds"]
            for pace in ("blitz", "usual", "relaxed")
        ]
        assert paces == [15, 30, 60]
        mixed = open_hosted(make_player(), pace="blitz", changes={"turn_seconds": 40}).rules
        assert (mixed["turn_seconds"], mixed["extra_seconds"]) == (40, 30)

    def test_a_hosted_table_has_its_own_rules_and_no_template(self, templates, make_player):
        table = open_hosted(make_player(), changes={"max_points": 60})
        assert table.rules["max_points"] == 60
        assert table.template_id is None
        assert table.shown_name == "Table of friends"

    def test_a_host_without_chips_opens_only_a_free_table(self, templates, make_player):
        poor = make_player(chips=False)
        with pytest.raises(InsufficientFunds):
            open_hosted(poor, stake=2)
        assert not list_opened()
        open_hosted(poor)

    def test_only_a_listed_table_is_in_the_lobby(self, templates, players, client):
        hosted = {
            admission: open_hosted(host, admission=admission).pk
            for host, admission in zip(players, LISTED_OR_NOT, strict=False)
        }
        shown = [entry.table.pk for entry in list_lobby_tables().entries]
        assert [pk in shown for pk in hosted.values()] == [False, False, True]
        page = client.get(reverse("all_tables")).text
        assert f"host: {players[2].player_name}" in page
        assert "Nothing: free" in page
        assert client.get(f"/tables/{hosted[Admission.ANYBODY]}/").status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_the_form_accepts_every_rule_set_of_every_game(game, fees):
    for format in GAMES[game].formats:
        for preset in list_presets(game, format.code):
            for pace in ("blitz", "relaxed"):
                form = HostForm(game, {**CHOICES, "rules": preset, "seats": "2", "pace": pace})
                assert form.is_valid(), (preset, form.errors, form.own_rules.errors)
                assert form.summary()


class TestSlowGames:
    def test_slow_games_are_free_and_for_a_few(self, asha, templates, read):
        page = read(sent={"pace": "slow", "seats": "6", "stake": "200"})
        assert read_field(page, "seats") == (["2", "3", "4"], "4")
        assert read_field(page, "stake") == (["0"], "0")
        table = open_hosted(asha, preset="pool101", seats=4, pace="slow")
        assert table.is_slow
        assert (table.rules["turn_seconds"], table.is_free) == (86_400, True)

    def test_slow_games_have_a_limit_of_their_own(self, asha, templates, settings):
        settings.TABLES_AT_ONCE, settings.SLOW_TABLES_AT_ONCE = 1, 1
        for pace in ("slow", "usual"):
            open_hosted(asha, pace=pace)
            with pytest.raises(TooManyTables):
                open_hosted(asha, pace=pace)
