"""The pinned number of queries of each page, for each person of tests/e2e/site_map.py who sees it."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.accounts.staff import office
from tests.api_program import Program
from tests.counted_pages import Visitors, queries_of, rows_of_lists
from tests.e2e.world import make_player, make_world
from tests.more_rows import add_rows
from tests.points_tables import open_points_table
from tests.tables.driving import drop, get_match, make_cup, start_match
from tests.tournaments.driving import begin, enter
from tests.wallet.cash_players import make_staff
from tournaments.models import Entrant
from tournaments.running.tick import tick
from wallet import api as wallet

# The ledger is sealed only behind transactions that are over.
pytestmark = pytest.mark.django_db(transaction=True)
MORE = 3
# Of a list and of the page of one object, in the administration.
USUAL = {"changelist": 5, "change": 3}
# Pages that ask the database nothing are not written here.

PINNED: dict[str, int | tuple[int, ...]] = {
    # The site
    "lobby": (8, 23),  # and the last visit; what is worth watching, where nobody sits
    "all_tables": (4, 10),
    "watch_tables": (2, 5),
    "tables:host": 9,
    "rules": (0, 3),
    "learn": (0, 4),
    "api-docs": (0, 3),
    "documents": (0, 3),
    "open_data": (0, 3),
    "support": (0, 6),
    "report_person": 4,
    "report_in_match": 5,
    "support_deal": 5,
    "support_case": 5,
    "site_page": (2, 5),
    "site_page_version": 2,
    "accept_terms": 4,
    "leaderboards": (1, 4),
    "season_ranks": (2, 6),
    "my_matches": (5, 5),
    "my_decisions": (4, 4),
    "puzzles": (2, 11),
    "puzzle_rush": 7,
    "match": 9,
    "deal_replay": 10,
    "deal_verify": 8,
    "shared_match": 5,
    "shared_replay": 5,
    "shared_embed": 5,
    "shared_verify": 5,
    "tournaments:list": (3, 8),
    "tournaments:leagues": (2, 5),
    "tournaments:mine": 7,
    "tournaments:new": 3,
    "wallet:statement": (11, 10),
    "wallet:deposit": 5,  # what the limits leave
    "wallet:deposit_state": 5,  # what is held back
    "wallet:withdrawals": (9, 9),
    "wallet:withdrawal": 4,
    "wallet:withdrawal_review": 22,
    "wallet:bonuses": (6, 5),
    "wallet:limits": 9,
    "sandbox:pay": 3,
    "accounts:profile": 8,  # whether the player has limits
    "accounts:tokens": 9,
    "bot_ladder": (1, 4),
    "GET /api/v1/bots/": 2,
    "device": 3,
    "accounts:identity": (4, 4),
    "usersessions_list": 6,
    "account_data": (9, 11),
    "account_close": 13,
    "account_logout": 3,
    "account_confirm_email": 4,
    "account_reset_password_from_key": 7,
    "account_email": 5,
    "account_change_password": 5,
    "account_set_password": 8,
    "account_reauthenticate": 9,
    "mfa_index": (5, 5),
    "mfa_reauthenticate": 9,
    "mfa_activate_totp": 11,
    "mfa_deactivate_totp": 8,
    "mfa_view_recovery_codes": 7,
    "mfa_generate_recovery_codes": 7,
    "mfa_list_webauthn": 4,
    "mfa_add_webauthn": 12,
    "socialaccount_connections": 4,
    "no page": (0, 3),
    "puzzle": (1,) * 12 + (5,) * 12,
    "tables:rules": 2,
    "players:people": 12,
    "clubs:list": 5,
    "clubs:found": 3,
    "clubs:club": (15, 13),
    "clubs:settings": 5,
    "clubs:evening": 7,  # and the house rules
    "clubs:report": 6,
    "players:player": (1, 6),
    "learn_game": (0, 0, 0, 0, 0, 4, 4, 4, 4, 4),
    "table": (18, 17, 8),
    "tournaments:league": (8, 4),
    "tournaments:tournament": (10, 20, 10, 13),
    # Lists of the administration that do not take the usual number
    "admin:index": 39,  # and what the first days lack
    "admin:core_auditentry_changelist": 9,
    "admin:core_alert_changelist": 6,
    "admin:core_webhookdelivery_changelist": 6,
    "admin:core_mailtext_changelist": 6,
    "admin:core_region_changelist": 6,
    "admin:accounts_residence_changelist": 6,
    "admin:usersessions_usersession_changelist": 4,
    "admin:accounts_user_changelist": 11,
    "admin:wallet_deposit_changelist": 6,
    "admin:wallet_paymentcase_changelist": 6,
    "admin:wallet_withdrawal_changelist": 7,
    "admin:wallet_campaignuse_changelist": 6,
    "admin:wallet_yearendtax_changelist": 6,
    "admin:wallet_ledgeraccount_changelist": 4,
    "admin:wallet_transfer_changelist": 4,
    "admin:wallet_journal_changelist": 4,
    "admin:wallet_ledgerseal_changelist": 4,
    "admin:wallet_feeschedule_changelist": 6,  # stakes without a fee
    "admin:tables_match_changelist": 4,
    "admin:history_puzzle_changelist": 6,
    "admin:tournaments_tournamenttemplate_changelist": 6,  # the starting schedule
    "admin:tournaments_tournament_changelist": 7,
    # Pages of one object in the administration, the same
    "admin:accounts_identitycheck_change": 6,
    "admin:accounts_playernote_change": 4,
    "admin:core_webhookdelivery_change": 4,
    "admin:core_pageversion_change": 4,
    "admin:accounts_residence_change": 5,
    "admin:auth_group_change": 5,
    "admin:account_emailaddress_change": 4,
    "admin:mfa_authenticator_change": 4,
    "admin:usersessions_usersession_change": 4,
    "admin:accounts_user_change": 34,
    "admin:wallet_deposit_change": 5,
    "admin:wallet_withdrawal_change": 16,
    "admin:wallet_paymentcase_change": 4,
    "admin:wallet_campaignuse_change": 7,
    "admin:wallet_yearendtax_change": 5,
    "admin:wallet_bonus_change": 5,
    "admin:wallet_ledgeraccount_change": 6,
    "admin:wallet_transfer_change": 6,
    "admin:wallet_journal_change": 5,
    "admin:wallet_depositlimit_change": 4,
    "admin:wallet_losslimit_change": 4,
    "admin:wallet_selfexclusion_change": 4,
    "admin:tables_match_change": 9,
    "admin:history_matchcorrection_change": 7,
    "admin:history_supportcase_change": 11,
    "admin:tables_tablefault_change": 4,
    "admin:tables_tabletemplate_change": 4,
    "admin:tables_houserules_change": 4,
    "admin:tables_table_change": 7,
    "admin:tables_seat_change": 5,
    "admin:tables_report_change": 8,
    "admin:tables_sanction_change": 5,
    "admin:tables_sanction_about": 4,
    "admin:tables_pairevidence_change": 11,
    "admin:tables_club_change": 6,
    "admin:tournaments_tournamenttemplate_change": 6,  # the rules of the house twice: all, and its pools
    "admin:tournaments_tournament_change": 8,  # as for a template
    "admin:tournaments_entrant_change": 5,
    "admin:tournaments_leagueplace_change": 5,
    "admin:tournaments_ticket_change": 6,
    "admin:tables_match_deal": 6,
    "admin:tournaments_tournament_money": 7,
    "admin:tournaments_tournament_calendar": 4,
    # The REST API
    "GET /api/v1/account/": 1,
    "GET /api/v1/achievements/": 2,
    "GET /api/v1/clubs/": 2,
    "GET /api/v1/clubs/{club_id}/": 6,
    "GET /api/v1/clubs/{club_id}/season/": 4,
    "GET /api/v1/leaderboards/": 2,
    "GET /api/v1/leagues/": 2,
    "GET /api/v1/leagues/{league_id}/": 2,
    "GET /api/v1/leagues/{league_id}/standings/": 6,
    "GET /api/v1/lobby/": 5,
    "GET /api/v1/matches/": 2,
    "GET /api/v1/matches/{match_id}/": 5,
    "GET /api/v1/matches/{match_id}/deals/{number}/": 6,
    "GET /api/v1/matches/{match_id}/deals/{number}/analysis/": 3,
    "GET /api/v1/tables/mine/": 4,
    "GET /api/v1/tables/{table_id}/": 6,
    "GET /api/v1/tables/{table_id}/queue/": 5,
    "GET /api/v1/tournaments/": 3,
    "GET /api/v1/tournaments/{tournament_id}/": 6,
    "GET /api/v1/wallet/": 2,
    "GET /api/v1/wallet/limits/": 7,
    "GET /api/v1/wallet/statement/": 5,
}


def test_every_page_answers_head_and_takes_its_pinned_queries() -> None:
    world = make_world()
    add_rows(world, 1)
    visitors = Visitors(world)
    some, rows = visitors.count_queries(), rows_of_lists()
    for number in range(MORE):
        add_rows(world, 2 + number)
    more = visitors.count_queries()
    grown = {name: number - rows[name] for name, number in rows_of_lists().items()}
    assert len(grown) > 30
    assert {name for name, number in grown.items() if number < MORE} == set()
    assert PINNED.keys() - some.keys() == set(), "These pages are gone: take them out of PINNED."
    assert list_unexpected(some) == {}, "Write the number of queries of a new page into PINNED."
    assert list_unexpected(more) == {}


def list_unexpected(counted: dict[str, int | tuple[int, ...]]) -> dict[str, Any]:
    """Return the pages that take another number of queries than their pinned or usual one."""
    expected = {
        name: 0 if isinstance(counts, int) else (0,) * len(counts)
        for name, counts in counted.items()
    }
    expected |= {
        name: USUAL[kind] for name in counted if (kind := name.rpartition("_")[2]) in USUAL
    }
    expected |= PINNED
    return {name: counts for name, counts in counted.items() if counts != expected[name]}


def test_a_tournament_takes_the_same_queries_for_more_players() -> None:
    wallet.set_starting_fees(valid_from=timezone.now())
    staff, nila = make_staff("Boss"), make_player("Nila")
    counted, players = [], []
    for bots in (6, 18):
        cup = make_cup(minutes=20, name=f"Cup of {bots}", entry_fee=100, bots_to=bots)
        tick()
        enter(cup, nila)
        assert begin(cup).is_running
        players.append(Entrant.objects.filter(tournament=cup).count())
        of_staff = f"/admin/tournaments/tournament/{cup.pk}"
        counted.append(
            [
                *queries_of_each(office(nila), [f"/tournaments/{cup.pk}/"]),
                *queries_of_each(Program(nila).client, [f"/api/v1/tournaments/{cup.pk}/"]),
                *queries_of_each(office(staff), [f"{of_staff}/change/", f"{of_staff}/money/"]),
            ]
        )
    assert players == [6, 18]
    assert counted[0] == counted[1]


def test_a_table_and_its_match_take_the_same_queries_for_more_players() -> None:
    wallet.set_starting_fees(valid_from=timezone.now())
    staff = make_staff("Boss")
    counted = []
    for seats in (2, 6):
        players = [make_player(f"Player{seats}{number}") for number in range(seats)]
        table = open_points_table(seats=6)
        start_match(table, *players)
        paths = [f"/tables/{table.pk}/", "/"]
        of_the_table = queries_of_each(office(players[0]), paths)
        for _ in range(seats - 1):
            drop(table)
        match = get_match(table)
        assert match.ended_at is not None
        paths = [f"/matches/{match.pk}/{part}" for part in ("", "deals/1/", "deals/1/verify/")]
        counted.append(
            [
                *of_the_table,
                *queries_of_each(office(players[0]), paths),
                *queries_of_each(Program(players[0]).client, [f"/api/v1/tables/{table.pk}/"]),
                *queries_of_each(office(staff), [f"/admin/tables/match/{match.pk}/change/"]),
            ]
        )
    assert counted[0] == counted[1]


def queries_of_each(client: Client, paths: list[str]) -> list[int]:
    """Each is opened twice and counted the second time."""
    for path in paths:
        assert client.get(path).status_code == 200, path
    return [queries_of(client, path) for path in paths]
