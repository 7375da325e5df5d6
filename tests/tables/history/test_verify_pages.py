"""The page that deals a finished deal again."""

import pytest

from tables.history.replay import share_match
from tables.models import Deal, Match
from tables.play.seeds import add_client_seed, compute_commitment
from tests.tables.driving import drop, let_time_pass, player_at, seat_all, start_match

pytestmark = pytest.mark.django_db
SEED = "0f" * 16


@pytest.fixture
def match(make_player, make_table):
    table = make_table()
    seat_all(table, make_player(), make_player())
    table.refresh_from_db()
    add_client_seed(
        table_id=table.pk,
        user_id=player_at(table, 0).pk,
        promise=compute_commitment(bytes(table.next_seed)),
        seed=SEED,
    )
    let_time_pass(table)
    drop(table)
    return Match.objects.get(table=table)


def page_of(client, match, number=1):
    return client.get(f"/matches/{match.pk}/deals/{number}/verify/")


def player_of(match):
    return player_at(match.table, 0)


def test_an_honest_deal_with_what_a_player_added(client, match):
    client.force_login(player_of(match))
    page = page_of(client, match).text
    assert "honest: 1 steps, 0 reshuffles" in page
    assert SEED in page
    assert match.deals.get().commitment in page
    assert f"/matches/{match.pk}/deals/1.json" in page


def test_a_deal_with_another_seed_is_named(client, match):
    Deal.objects.filter(match=match).update(seed=bytes(32))
    client.force_login(player_of(match))
    page = page_of(client, match).text
    assert "the seed is not the one that was promised" in page
    assert "honest: 1 steps" not in page


def test_strangers_need_the_link(client, match, make_player):
    client.force_login(make_player())
    assert page_of(client, match).status_code == 404
    assert page_of(client, match, number=2).status_code == 404
    link = share_match(match_id=match.pk, user_id=player_of(match).pk)
    assert link is not None
    answer = client.get(f"/shared/{link.token}/deals/1/verify/")
    assert "honest: 1 steps" in answer.text
    assert client.get("/shared/wrong/deals/1/verify/").status_code == 404


def test_a_running_deal_is_not_dealt_again(client, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    running = Match.objects.get(table=table)
    client.force_login(player_at(table, 0))
    assert page_of(client, running).status_code == 404
