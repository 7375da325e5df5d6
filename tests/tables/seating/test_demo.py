"""The contents of a new site, and demo data."""

import re

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from games.registry import GAMES, get_format
from lobby.selectors import count_people_seated, list_kinds
from lobby.tiles import build_options, build_tiles
from tables.models import Table, TableTemplate
from tables.seating.sitting import take_seat
from tests.tables.driving import make_kind
from tests.wallet.rawsql import post
from wallet import api as wallet
from wallet.fees.formats import list_charged_formats
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import reconcile
from wallet.models import FeeSchedule

pytestmark = pytest.mark.django_db


def list_names(currency):
    return set(TableTemplate.objects.filter(currency=currency).values_list("name", flat=True))


def test_demo_accounts_sign_in_with_the_printed_password_and_find_every_game(capsys):
    call_command("seed_demo")
    printed = re.findall(r"(\S+@example\.com), password (\S+)", capsys.readouterr().out)
    assert len(printed) == 3
    for email, password in printed:
        assert User.objects.get(email=email).check_password(password)
    practice = Table.objects.filter(bots_wanted__gt=0).values_list("game", flat=True)
    assert set(practice) == set(GAMES)
    # A second run changes nothing.
    before = TableTemplate.objects.count(), Table.objects.count(), User.objects.count()
    call_command("seed_demo")
    assert (TableTemplate.objects.count(), Table.objects.count(), User.objects.count()) == before


def test_a_demo_player_with_cash_sits_at_cash_tables():
    call_command("seed_demo")
    meera = User.objects.get(player_name="Meera")
    post("deposit:demo", f"SUSPENSE,0,PLAYER,{meera.pk},INR,10000,ADJUSTMENT")
    for name, amount in (("Rupee Room", 1_000), ("Ganga Hall", 2_000)):
        table = Table.objects.get(name=name)
        assert (table.currency, table.rake_bps, table.bots_wanted) == ("INR", 1_000, 0)
        take_seat(table_id=table.pk, user_id=meera.pk, number=0, amount=amount)
    assert get_player_balances(meera.pk).cash.total == 7_000
    assert reconcile().findings == ()


def test_a_site_without_cash_play_has_no_cash_tables(settings):
    settings.CASH_PLAY = "off"
    call_command("seed_demo")
    assert list_names("CHIPS")
    assert list_names("INR") == set()
    assert not FeeSchedule.objects.filter(currency="INR").exists()
    # They open once cash play is on.
    settings.CASH_PLAY = "sandbox"
    call_command("seed_demo")
    assert list_names("INR") == {"Rupee Room", "Ganga Hall"}


class TestANewSite:
    def test_a_new_site_has_chip_tables_fees_and_no_people(self, settings, capsys):
        settings.DEMO_DATA = False
        settings.GAMES_OFFERED = ["indian"]
        call_command("starting_tables")
        assert capsys.readouterr().out.startswith("39 table templates, 39 tables.")
        assert list_names("INR") == set()
        assert not User.objects.filter(is_bot=False).exists()
        fees = FeeSchedule.objects.values_list("game", "format", "currency", "rake_bps")
        assert set(fees) == {
            (one.game, one.format, "CHIPS", 1_000) for one in list_charged_formats()
        }
        assert set(Table.objects.values_list("rake_bps", flat=True)) == {1_000}

    def test_starting_tables_keep_what_staff_have_made(self, settings):
        settings.GAMES_OFFERED = ["indian"]
        make_kind(name="Ours", point_value=7)
        wallet.set_starting_fees(valid_from=timezone.now())
        FeeSchedule.objects.update(rake_bps=500)
        call_command("starting_tables")
        assert list_names("CHIPS") == {"Ours"}
        assert set(FeeSchedule.objects.values_list("rake_bps", flat=True)) == {500}

    def test_starting_tables_cover_every_offered_game(self, settings, capsys):
        settings.GAMES_OFFERED = ["indian"]
        call_command("starting_tables")
        settings.GAMES_OFFERED = ["indian", "gin"]
        call_command("starting_tables")
        assert "46 table templates, 46 tables." in capsys.readouterr().out
        games = Table.objects.values_list("game", flat=True)
        assert (list(games).count("indian"), list(games).count("gin")) == (39, 7)
        call_command("starting_tables")
        assert TableTemplate.objects.count() == 46

    def test_starting_tables_offer_known_rules_with_and_without_bots(self):
        call_command("starting_tables")
        known = {
            "indian": {"points", "pool61", "pool101", "pool201", "deals2", "deals6"},
            "gin": {"points", "game100", "oklahoma"},
            "basic": {"points", "one_meld"},
            "contract": {"contract", "no_buying", "multiple_buys", "deuces_wild", "pagat"},
            "rummikub": {"modern", "modern4", "points"},
        }
        for game, presets in known.items():
            of_game = TableTemplate.objects.filter(game=game)
            assert presets <= set(of_game.values_list("preset", flat=True))
        both = {"deals6", "junglee-points", "oklahoma", "one_meld", "modern", "no_buying", "pagat"}
        for preset in both:
            company = TableTemplate.objects.filter(preset=preset).values_list(
                "bots_wanted", flat=True
            )
            assert {wanted > 0 for wanted in company} == {True, False}, preset
        names = list(TableTemplate.objects.values_list("name", flat=True))
        assert len(names) == len(set(names))
        # Each table has a fee.
        assert Table.objects.count() == TableTemplate.objects.count()

    def test_every_number_of_seats_has_every_stake(self):
        call_command("starting_tables")
        for practice in (True, False):
            kinds = TableTemplate.objects.filter(point_value__gt=0).order_by()
            kinds = kinds.exclude(bots_wanted=0) if practice else kinds.filter(bots_wanted=0)
            found: dict[tuple[str, str], set[tuple[int, int]]] = {}
            for game, preset, *cell in kinds.values_list(
                "game", "preset", "max_seats", "point_value"
            ):
                found.setdefault((game, preset), set()).add((cell[0], cell[1]))
            assert found
            # The usual points table exists for every possible number of players.
            usual = get_format("indian", "POINTS")
            assert {seats for seats, _ in found["indian", "points"]} == set(usual.seats)
            for kind, cells in found.items():
                seats, stakes = ({cell[at] for cell in cells} for at in (0, 1))
                assert len(cells) == len(seats) * len(stakes), kind

    def test_the_lobby_shows_a_newcomer_the_best_known_rules_first(self):
        call_command("starting_tables")
        [tile] = [
            t
            for t in build_tiles(
                build_options(list_kinds()), count_people_seated(), last=None, practice=True
            )
            if t.game == "rummikub"
        ]
        template = TableTemplate.objects.get(pk=tile.chosen["id"])
        assert (template.rule_set.initial_meld, template.bots_wanted) == (30, 2)
        by_game = {
            game: list(dict.fromkeys(option["format"] for option in options))
            for game, options in build_options(list_kinds()).items()
        }
        assert by_game["indian"][:3] == ["Points", "Pool 61", "Best of 2"]
        assert by_game["contract"][0] == "Contract Rummy"
        assert by_game["rummikub"][0] == "Modern Rummikub"
