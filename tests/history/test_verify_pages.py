"""The page that verifies a finished deal."""

import pytest

from history.replay import share_match
from tables.models import Deal
from tables.play.seeds import add_client_seed, compute_commitment
from tests.given import reload, require
from tests.tables.driving import drop, get_match, let_time_pass, seat_all

pytestmark = pytest.mark.django_db
SEED = "0f" * 16


@pytest.fixture
def match(players, make_table, client):
    """A match with a client seed of one player, who is signed in."""
    table = make_table()
    seat_all(table, *players[:2])
    add_client_seed(
        table_id=table.pk,
        user_id=players[0].pk,
        promise=compute_commitment(bytes(reload(table).next_seed)),
        seed=SEED,
    )
    let_time_pass(table)
    drop(table)
    client.force_login(players[0])
    return get_match(table)


def get_page(client, match, number=1):
    return client.get(f"/matches/{match.pk}/deals/{number}/verify/")


def test_an_honest_deal_with_a_players_seed_is_verified(client, match):
    page = get_page(client, match).text
    assert "honest: 1 steps, 0 reshuffles" in page
    assert SEED in page
    assert match.deals.get().commitment in page
    assert f"/matches/{match.pk}/deals/1.json" in page


def test_a_deal_with_another_seed_is_found_dishonest(client, match):
    Deal.objects.filter(match=match).update(seed=bytes(32))
    page = get_page(client, match).text
    assert "the seed is not the one that was promised" in page
    assert "honest: 1 steps" not in page


def test_strangers_verify_a_deal_only_by_its_link(client, match, players):
    client.force_login(players[2])
    assert get_page(client, match).status_code == 404
    assert get_page(client, match, number=2).status_code == 404
    link = require(share_match(match_id=match.pk, user_id=players[0].pk))
    assert "honest: 1 steps" in client.get(f"/shared/{link.token}/deals/1/verify/").text
    assert client.get("/shared/wrong/deals/1/verify/").status_code == 404
