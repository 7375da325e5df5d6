"""House rules: editing by staff, play at tables, and pages for players."""

import pytest

from accounts.models import User
from core.models.audit import AuditEntry
from games.registry import GAMES
from tables.catalog import format_title
from tables.models import HostBounds, HouseRules, Table, TableStatus, TableTemplate
from tables.seating.hosting.form import FIRST_CHOICES, HostForm
from tables.seating.supply import keep_supplied, play_now
from tests.given import reload
from tests.tables.driving import make_cup, make_kind
from tests.tournaments.leagues_driving import make_league, play
from tests.tournaments.leagues_driving import make_table as league_table
from tournaments.leagues.ticking import act_on_league
from tournaments.models import LeaguePlace, Tournament, TournamentTemplate

pytestmark = pytest.mark.django_db
ADD = "/admin/tables/houserules/add/"
REASON = {"reason_for_audit": "The club has voted."}


@pytest.fixture
def desk(client, fees):
    client.force_login(User.objects.create_superuser("a@example.com", "x", player_name="Boss"))
    return client


@pytest.fixture
def family():
    return HouseRules.objects.create(
        name="Family rules",
        words={"hi": {"name": "परिवार के नियम"}},
        game="indian",
        preset="points",
        changes={"max_set_size": 4, "packs_for_two": 1},
    )


@pytest.fixture
def room(desk, family):
    return make_kind(house_rules=family, name="Room")


def get_change_page(rules):
    return f"/admin/tables/houserules/{rules.pk}/change/"


def list_errors(answer):
    return answer.context["adminform"].form.errors


def test_house_rules_are_made_on_two_pages(desk):
    answer = desk.post(ADD, {"name": "Club", "preset": "indian:pool101", **REASON})
    assert answer.status_code == 302, list_errors(answer)
    made = HouseRules.objects.get()
    assert (made.game, made.preset, made.changes) == ("indian", "pool101", {})
    assert answer["Location"] == get_change_page(made)
    page = desk.get(get_change_page(made)).text
    for fact in GAMES["indian"].words.rule_facts:
        is_of_deals = fact.needs == "chips_per_deal"
        assert (f'name="rule_{fact.name}"' in page) is not is_of_deals
    sent = {"name": "Club", "rule_rejoin_score": "nobody rejoins", "rule_packs": "3"}
    answer = desk.post(get_change_page(made), {**sent, **REASON})
    assert answer.status_code == 302, list_errors(answer)
    assert reload(made).changes == {"rejoin_score": None, "packs": 3}
    assert (made.rule_set.rejoin_score, made.rule_set.packs) == (None, 3)
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.reason) == ("change", "The club has voted.")
    assert entry.after["changes"] == {"rejoin_score": None, "packs": 3}
    assert "Limit for coming back: nobody rejoins" in desk.get("/admin/tables/houserules/").text


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"rule_packs": "1"}, "1 packs are too few for 6 players."),
        ({"rule_elimination_score": ""}, None),
        ({"rule_first_drop": "-1"}, "greater than or equal to 0"),
        ({"rule_max_minutes": "0"}, "greater than or equal to 1"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_and_nothing_changes(desk, sent, words):
    made = HouseRules.objects.create(name="Club", game="indian", preset="pool101")
    answer = desk.post(get_change_page(made), {"name": "Club", **sent, **REASON})
    assert reload(made).changes == {}
    assert answer.status_code == (302 if words is None else 200)
    if words is not None:
        assert words in answer.text


def test_the_preview_shows_the_words_that_players_would_read(desk, family):
    preview = get_change_page(family).replace("change", "preview")
    page = desk.post(preview, {"rule_max_points": "60"}).text
    assert "Most points in a deal: 60" in page
    assert "(usually 80)" in page
    assert "These are the usual rules." in desk.post(preview, {}).text
    assert "too few" in desk.post(preview, {"rule_packs": "1"}).text
    assert (
        "Some fields need correction: Packs of cards."
        in desk.post(preview, {"rule_packs": "x"}).text
    )
    assert reload(family).changes == {"max_set_size": 4, "packs_for_two": 1}
    assert desk.get(preview).status_code == 404


def test_rules_that_the_game_has_dropped_are_shown_but_not_offered(desk):
    gone = HouseRules.objects.create(
        name="Old", game="indian", preset="points", changes={"no_such_rule": 3}
    )
    page = desk.get(get_change_page(gone))
    assert page.status_code == 200
    assert 'name="_save"' not in page.text
    assert "no longer has these rules" in desk.get("/admin/tables/houserules/").text
    # Templates do not offer them either.
    assert f"indian:points:{gone.pk}" not in desk.get("/admin/tables/tabletemplate/add/").text


def test_rules_in_use_are_not_deleted(desk, room, family):
    desk.post(f"/admin/tables/houserules/{family.pk}/delete/", {"post": "yes", **REASON})
    assert HouseRules.objects.filter(pk=family.pk).exists()


def test_a_template_is_made_with_house_rules(desk, family):
    chosen = f"indian:points:{family.pk}"
    fields = {
        "name": "Room", "preset": chosen, "currency": "CHIPS", "point_value": 1, "entry_fee": 0,
        "max_seats": 2, "bots_wanted": 0, "bot_strength": "medium", "is_open": "on",
    }  # fmt: skip
    answer = desk.post("/admin/tables/tabletemplate/add/", {**fields, **REASON})
    assert answer.status_code == 302, list_errors(answer)
    made = TableTemplate.objects.get()
    assert (made.game, made.preset, made.house_rules) == ("indian", "points", family)
    page = f"/admin/tables/tabletemplate/{made.pk}/change/"
    assert f'value="{chosen}" selected' in desk.get(page).text
    answer = desk.post(page, {**fields, "preset": "indian:points", **REASON})
    assert answer.status_code == 302, list_errors(answer)
    assert reload(made).house_rules is None


def test_a_table_keeps_the_rules_that_it_began_with(room, family, make_player):
    seated = play_now(template_id=room.pk, user_id=make_player().pk)
    HouseRules.objects.filter(pk=family.pk).update(name="New", changes={"max_points": 60})
    keep_supplied()
    old, new = Table.objects.filter(template=room).order_by("pk")
    assert old.pk == seated.table_id
    assert (old.rules["max_set_size"], old.rules["max_points"]) == (4, 80)
    assert (new.rules["max_set_size"], new.rules["max_points"]) == (None, 60)
    assert (format_title(old), format_title(new)) == ("Points, Family rules", "Points, New")
    # "Play now" follows the rules shown in the lobby.
    assert play_now(template_id=room.pk, user_id=make_player().pk).table_id == new.pk


def test_empty_tables_by_the_old_rules_are_closed(room, family):
    keep_supplied()
    before = Table.objects.get(template=room)
    HouseRules.objects.filter(pk=family.pk).update(changes={"max_points": 60})
    keep_supplied()
    assert reload(before).status == TableStatus.CLOSED
    new = Table.objects.exclude(status=TableStatus.CLOSED).get(template=room)
    assert new.rules["max_points"] == 60
    assert keep_supplied() == 0


def test_a_template_with_dropped_rules_stops_no_other_template(room, family):
    HouseRules.objects.filter(pk=family.pk).update(changes={"no_such_rule": 3})
    other = make_kind(name="Other")
    keep_supplied()
    assert Table.objects.filter(template=other).count() == 1
    assert not Table.objects.filter(template=room).exists()


def test_players_read_house_rules_before_they_sit_down(client, room, make_player):
    keep_supplied()
    table = Table.objects.get(template=room)
    client.force_login(make_player())
    told = "Most cards in a set: 4"
    for page in ("/", "/tables/?free=1", f"/tables/{table.pk}/"):
        answer = client.get(page).text
        assert told in answer, page
        assert "Packs of cards for two players: 1" in answer, page
        assert "Points, Family rules" in answer, page
    assert "परिवार के नियम" in client.get("/tables/?free=1", headers={"accept-language": "hi"}).text
    assert "different here" in client.get(f"/tables/{table.pk}/rules/").text


def test_a_tournament_keeps_the_rules_that_it_was_announced_with(desk):
    rules = HouseRules.objects.create(
        name="Cup rules", game="indian", preset="deals2", changes={"max_points": 60}
    )
    made = make_cup(house_rules=rules, rake_bps=0)
    HouseRules.objects.filter(pk=rules.pk).update(changes={"max_points": 70})
    made = Tournament.objects.get(pk=made.pk)
    template = TournamentTemplate.objects.get()
    assert made.rules(places=2).max_points == 60
    assert "Different here: Most points in a deal: 60" in desk.get(made.get_absolute_url()).text
    assert template.rules(places=2).max_points == 70


def test_a_league_counts_the_tables_of_its_rules_alone(make_player, family):
    players = [make_player() for _ in range(3)]
    league = make_league(house_rules=family)
    play(league_table(), *players)
    act_on_league(league.pk)
    assert not LeaguePlace.objects.filter(league=league).exists()
    play(league_table(house_rules=family), *players)
    act_on_league(league.pk)
    assert LeaguePlace.objects.filter(league=league).exists()
    assert league.format_title.endswith("Family rules")


def test_hosts_change_only_rules_that_the_operator_allows(desk):
    add = "/admin/tables/hostbounds/add/"
    assert desk.post(add, {"game": "indian", **REASON}).status_code == 302
    made = HostBounds.objects.get()
    assert made.names == [fact.name for fact in GAMES["indian"].words.rule_facts]
    page = f"/admin/tables/hostbounds/{made.pk}/change/"
    answer = desk.post(page, {"names": ["max_points", "first_drop"], **REASON})
    assert answer.status_code == 302, list_errors(answer)
    sent = {
        **FIRST_CHOICES, "rules": "points", "seats": "2",
        "rule_max_points": "60", "rule_packs": "3",
    }  # fmt: skip
    form = HostForm("indian", sent)
    assert form.is_valid(), form.errors
    assert form.terms().changes == {"max_points": 60}
    # Without the bounds of hosts, all rules may be changed.
    other = HostForm("gin", {**FIRST_CHOICES, "rules": "points", "seats": "2", "rule_wall": "3"})
    assert other.is_valid(), other.errors
    assert other.terms().changes == {"wall": 3}
    assert "indian" not in desk.get(add).text.partition('name="game"')[2][:600]
    assert desk.post(page, {"names": ["no_such_rule"], **REASON}).status_code == 200
    assert reload(made).names == ["max_points", "first_drop"]
