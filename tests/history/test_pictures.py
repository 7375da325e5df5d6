"""Pictures of results, for every game and by a link."""

import io

import pytest
from PIL import Image

from games.registry import GAMES
from history.pages.pictures import HEIGHT, WIDTH, draw_picture
from history.replay import share_match, withdraw_link
from tables.models import Match
from tests.given import require
from tests.tables.driving import hurry_to_the_end, play_to_the_end, start_match
from tests.tables.gin_deals import lay

pytestmark = pytest.mark.django_db


def read_image(content):
    assert content is not None
    with Image.open(io.BytesIO(content)) as read:
        read.load()
        return read.convert("RGB")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_picture_with_what_won(make_player, make_table, game):
    preset = GAMES[game].formats[0].presets[0]
    ravi = make_player()
    ravi.player_name = "రవి कुमार"
    ravi.save()
    table = start_match(make_table(game=game, preset=preset), make_player(), ravi)
    if game == "basic":  # otherwise the winner might have no melds
        lay(table, "5H 6H 7H|KS KD KC|8S 9S TS JS", "2H 2D 2S|AC AD AH|4C 5C 6C 7C")
        match = play_to_the_end(table)
    else:
        match = hurry_to_the_end(
            table, strength="easy" if game in ("gin", "indian", "five_hundred") else "hard"
        )
    drawn = read_image(draw_picture(match))
    assert drawn.size == (WIDTH, HEIGHT)
    # Only cards and tiles are nearly white in the area below the players.
    assert sum(drawn.crop((0, 300, WIDTH, HEIGHT)).convert("L").histogram()[231:]) > 10_000


def test_a_link_shows_pictures_until_it_is_withdrawn(client, make_player, make_table):
    player = make_player()
    table = start_match(make_table(), player, make_player())
    running = Match.objects.get(table=table)
    link = require(share_match(match_id=running.pk, user_id=player.pk))
    address = f"/shared/{link.token}/picture.png"
    # A running deal has no picture.
    assert client.get(address).status_code == 404
    assert client.get(f"/shared/{link.token}/deals/1.png").status_code == 404
    play_to_the_end(table)
    whole = client.get(address)
    assert (whole.status_code, whole["Content-Type"]) == (200, "image/png")
    assert whole["X-Robots-Tag"] == "noindex, nofollow"
    assert read_image(whole.content).size == (WIDTH, HEIGHT)
    page = client.get(f"/shared/{link.token}/").text
    assert f'<meta property="og:image" content="http://testserver{address}">' in page
    replay = client.get(f"/shared/{link.token}/deals/1/").text
    assert f"http://testserver/shared/{link.token}/deals/1.png" in replay
    assert client.get(f"/shared/{link.token}/deals/2.png").status_code == 404
    withdraw_link(match_id=running.pk, user_id=player.pk)
    assert client.get(address).status_code == 404
